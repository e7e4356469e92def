/** The board state of a route, derived from its events. */
import {
  RouteClaimed,
  RouteFinished,
  RoutePosted,
  RouteStarted,
  RouteUnposted,
  StandbyHoldLapsed,
  StandbyJoined,
  StandbyLeft,
  StandbyPromoted,
  type Posting,
} from '../../events/routes/board.js';
import { RouteClosed, RouteDriverAssigned } from '../../events/routes/events.js';
import type { PastEvent } from '../core/decider.js';

export interface BoardState {
  /** Undefined: the route is not posted. */
  posting: Posting | undefined;
  /** The driver who claimed the route. */
  holder: number | undefined;
  held: { readonly driverId: number; readonly until: number } | undefined;
  /** Waiting drivers, in the order in which they joined. */
  queue: readonly number[];
  started: boolean;
  /** The route accepts no more orders and no new driver. Its current driver keeps it. */
  closed: boolean;
  finished: boolean;
}

export const noBoard = (): BoardState => ({
  posting: undefined,
  holder: undefined,
  held: undefined,
  queue: [],
  started: false,
  closed: false,
  finished: false,
});

export function evolveBoard(board: BoardState, { type, data }: PastEvent): void {
  const driverId = data['driver_id'] as number | undefined;
  switch (type) {
    case RoutePosted.type: {
      const { posted_by: _by, ...posting } = data as unknown as Posting & { posted_by?: number };
      board.posting = posting;
      return;
    }
    case RouteUnposted.type:
      Object.assign(board, { posting: undefined, holder: undefined, held: undefined, queue: [] });
      return;
    case RouteClaimed.type:
      Object.assign(board, { holder: driverId, held: undefined, queue: without(board.queue, driverId) });
      return;
    case RouteDriverAssigned.type:
      if (driverId !== board.holder) board.holder = undefined;
      return;
    case StandbyJoined.type:
      board.queue = [...board.queue, driverId!];
      return;
    case StandbyLeft.type:
      board.queue = without(board.queue, driverId);
      return;
    case StandbyPromoted.type:
      board.queue = without(board.queue, driverId);
      board.held = { driverId: driverId!, until: Date.parse(data['hold_until'] as string) };
      return;
    case StandbyHoldLapsed.type:
      board.held = undefined;
      return;
    case RouteClosed.type:
      board.closed = true;
      return;
    case RouteStarted.type:
      board.started = true;
      return;
    case RouteFinished.type:
      board.finished = true;
  }
}

const without = (queue: readonly number[], driverId: number | undefined): number[] =>
  queue.filter((one) => one !== driverId);
