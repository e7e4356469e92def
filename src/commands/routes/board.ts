/**
 * Decides commands on a route on the board: claims, standbys, reservations. Deadlines are compared with the time of the
 * command.
 */
import { isDeepStrictEqual } from 'node:util';
import { accountSubject } from '../../events/accounts/events.js';
import {
  CLOSE_TIMER,
  HOLD_TIMER,
  RouteClaimed,
  RouteClaimLost,
  RouteClaimWithdrawn,
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
import { RouteDriverAssigned } from '../../events/routes/events.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import type { BoardState } from './board-state.js';

const HOLD_MS = 600_000;
/** Reservation time if the route starts within `NEAR_MS`. */
const SHORT_HOLD_MS = 120_000;
const NEAR_MS = 3_600_000;

/** An event to record, with the data subject of its personal data. */
export type Recorded = NewEvent & { readonly subject?: string };

/** `now`: milliseconds since 1970. `eligible`: the drivers who may be promoted from the queue, as far as known. */
export type BoardChange =
  | { readonly do: 'post'; readonly posting: Posting }
  | { readonly do: 'unpost' }
  | { readonly do: 'claim' | 'standby' | 'confirm'; readonly driverId: number; readonly now: number }
  | ({ readonly do: 'withdraw'; readonly driverId: number; readonly reason?: string | undefined } & Promoting)
  /** The driver who claimed the route is no longer eligible for it. */
  | ({ readonly do: 'lose'; readonly driverId: number; readonly why: string } & Promoting)
  /** A timer is due. */
  | ({ readonly do: 'expire'; readonly name: string } & Promoting)
  | { readonly do: 'start' | 'finish'; readonly now: number; readonly driverId?: number | undefined };

export interface Promoting {
  readonly now: number;
  readonly eligible: ReadonlySet<number>;
}

/** `driverId`: the current driver, whether by claim or by assignment. */
export interface Route {
  readonly board: BoardState;
  readonly driverId: number | undefined;
}

export function decideBoard(
  { board, driverId }: Route,
  command: BoardChange & { by?: number | undefined },
): Recorded[] {
  const { by } = command;
  switch (command.do) {
    case 'post': {
      const { posting } = command;
      mustNotRun(board);
      if (driverId !== undefined || board.held) throw new DomainError('ROUTE_CLAIMED');
      if (isDeepStrictEqual(board.posting, JSON.parse(JSON.stringify(posting)))) return [];
      return [newEvent(RoutePosted, { ...posting, posted_by: by })];
    }
    case 'unpost':
      if (!board.posting) return [];
      if (board.holder !== undefined || board.held) throw new DomainError('ROUTE_CLAIMED');
      return [newEvent(RouteUnposted, { why: 'office', by })];
    case 'claim':
      return claim({ board, driverId }, command);
    case 'standby':
      return join({ board, driverId }, command);
    case 'confirm': {
      const { held, holder } = board;
      if (holder === command.driverId) return [];
      mustNotRun(board);
      if (held?.driverId !== command.driverId || command.now >= held.until) throw new DomainError('STANDBY_HOLD_OVER');
      return taken(command.driverId, true);
    }
    case 'withdraw':
      return withdraw(board, command);
    case 'lose': {
      const { driverId: driver_id, why } = command;
      if (board.holder !== driver_id || board.started) return [];
      const then = next(board, command);
      return [
        newEvent(RouteClaimLost, { driver_id, why, next: promotedBy(then) }),
        newEvent(RouteDriverAssigned, {}),
        ...then,
      ];
    }
    case 'expire':
      return expire(board, command);
    case 'start':
      if (driverId === undefined) throw new DomainError('ROUTE_WITHOUT_DRIVER');
      if (command.driverId !== undefined && command.driverId !== driverId) throw new DomainError('ROUTE_NOT_FOUND');
      return board.started ? [] : [newEvent(RouteStarted, { at: new Date(command.now).toISOString(), by })];
    case 'finish':
      if (command.driverId !== undefined && command.driverId !== driverId) throw new DomainError('ROUTE_NOT_FOUND');
      if (!board.started) throw new DomainError('ROUTE_NOT_STARTED');
      return board.finished ? [] : [newEvent(RouteFinished, { at: new Date(command.now).toISOString(), by })];
  }
}

function mustNotRun({ started }: BoardState): void {
  if (started) throw new DomainError('ROUTE_STARTED');
}

/** Throws ROUTE_NOT_FOUND if the route is not posted. */
function postingOf({ posting }: BoardState): Posting {
  if (!posting) throw new DomainError('ROUTE_NOT_FOUND');
  return posting;
}

const taken = (driver_id: number, from_standby: boolean): Recorded[] => [
  newEvent(RouteClaimed, { driver_id, from_standby }),
  newEvent(RouteDriverAssigned, { driver_id, assigned_by: driver_id }),
];

function claim({ board, driverId }: Route, { driverId: wanted, now }: { driverId: number; now: number }): Recorded[] {
  if (board.holder === wanted) return [];
  const { opens_at, closes_at, standby_limit } = postingOf(board);
  mustNotRun(board);
  if (driverId !== undefined || board.held)
    throw new DomainError('ROUTE_CLAIMED', { standby_open: board.queue.length < standby_limit ? 1 : 0 });
  if (now < Date.parse(opens_at)) throw new DomainError('NOT_CLAIMABLE', { why: 'NOT_OPEN' });
  if (now >= Date.parse(closes_at)) throw new DomainError('NOT_CLAIMABLE', { why: 'CLOSED' });
  return taken(wanted, false);
}

function join({ board, driverId }: Route, { driverId: wanted }: { driverId: number }): Recorded[] {
  const { standby_limit } = postingOf(board);
  mustNotRun(board);
  if (board.queue.includes(wanted) || board.held?.driverId === wanted) return [];
  if (board.holder === wanted) throw new DomainError('ROUTE_CLAIMED', { standby_open: 0 });
  if (driverId === undefined && !board.held) throw new DomainError('ROUTE_FREE');
  if (board.queue.length >= standby_limit) throw new DomainError('STANDBY_FULL', { most: standby_limit });
  return [newEvent(StandbyJoined, { driver_id: wanted })];
}

/**
 * The driver's position in the queue, from 1; for other drivers, the position that they would get. Null: the route is
 * reserved for the driver.
 */
export function placeOf({ held, queue }: BoardState, driverId: number): number | null {
  if (held?.driverId === driverId) return null;
  const place = queue.indexOf(driverId);
  return (place < 0 ? queue.length : place) + 1;
}

/** If the driver neither holds the route nor waits for it, nothing changes. */
function withdraw(
  board: BoardState,
  { driverId: driver_id, reason, ...promoting }: Promoting & { driverId: number; reason?: string | undefined },
): Recorded[] {
  if (board.holder === driver_id) {
    mustNotRun(board);
    const late = promoting.now > Date.parse(postingOf(board).withdraw_until);
    const then = next(board, promoting);
    const withdrawn = newEvent(RouteClaimWithdrawn, { driver_id, late, reason, next: promotedBy(then) });
    return [{ ...withdrawn, subject: accountSubject(driver_id) }, newEvent(RouteDriverAssigned, {}), ...then];
  }
  if (board.held?.driverId === driver_id) return lapsed(board, driver_id, 'declined', promoting);
  return board.queue.includes(driver_id) ? [newEvent(StandbyLeft, { driver_id, why: 'self' })] : [];
}

function expire(board: BoardState, { name, ...promoting }: Promoting & { name: string }): Recorded[] {
  const { posting, held, holder, started } = board;
  if (name === HOLD_TIMER && held && promoting.now >= held.until && !started)
    return lapsed(board, held.driverId, 'lapsed', promoting);
  if (
    name === CLOSE_TIMER &&
    posting &&
    holder === undefined &&
    !held &&
    promoting.now >= Date.parse(posting.closes_at)
  )
    return [newEvent(RouteUnposted, { why: 'expired' })];
  return [];
}

function lapsed(board: BoardState, driver_id: number, why: 'declined' | 'lapsed', promoting: Promoting): Recorded[] {
  const then = next(board, promoting);
  return [newEvent(StandbyHoldLapsed, { driver_id, why, next: promotedBy(then) }), ...then];
}

/** The driver for whom the route is reserved next. */
const promotedBy = (then: readonly Recorded[]): number | undefined =>
  (then.find(({ type }) => type === StandbyPromoted)?.data as { readonly driver_id: number } | undefined)?.driver_id;

/**
 * Reserves the route for the first eligible driver in the queue. Without one, the route is free again, or its posting
 * ends.
 */
export function next({ posting, queue, closed }: BoardState, { now, eligible }: Promoting): Recorded[] {
  if (!posting) return [];
  if (closed) return [newEvent(RouteUnposted, { why: 'closed' })];
  const driver_id = queue.find((one) => eligible.has(one));
  if (driver_id === undefined)
    return now >= Date.parse(posting.closes_at) ? [newEvent(RouteUnposted, { why: 'expired' })] : [];
  const near = Date.parse(posting.start_at) - now < NEAR_MS;
  const hold_until = new Date(now + (near ? SHORT_HOLD_MS : HOLD_MS)).toISOString();
  return [newEvent(StandbyPromoted, { driver_id, hold_until })];
}

/** The office assigns the route to a driver, which ends the posting, or removes its holder. */
export function reassigned({ board }: Route, driverId: number | undefined, promoting: Promoting): Recorded[] {
  if (!board.posting || board.started) return [];
  if (driverId === undefined) return board.holder === undefined ? [] : next(board, promoting);
  const waiting = [...(board.held ? [board.held.driverId] : []), ...board.queue].filter((one) => one !== driverId);
  return [
    ...waiting.map((driver_id) => newEvent(StandbyLeft, { driver_id, why: 'assigned' })),
    newEvent(RouteUnposted, { why: 'assigned' }),
  ];
}

/**
 * Events of the board when the route is closed. Its driver keeps it, waiting drivers leave the queue, and a route
 * without a driver leaves the board.
 */
export function closed({ board, driverId }: Route): Recorded[] {
  const { posting, held, queue } = board;
  if (!posting) return [];
  return [
    ...[...(held ? [held.driverId] : []), ...queue].map((driver_id) =>
      newEvent(StandbyLeft, { driver_id, why: 'closed' }),
    ),
    ...(driverId === undefined ? [newEvent(RouteUnposted, { why: 'closed' })] : []),
  ];
}
