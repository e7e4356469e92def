/** What the log says that concerns boards: found out once for all who follow a business. */
import type { EventLog, Position, StoredEvent } from '../../../events/core/log.js';
import { DISPATCH_PREFIX } from '../../../events/dispatch/events.js';
import { ORDER_PREFIX } from '../../../events/orders/events.js';
import { ROUTE_PREFIX } from '../../../events/routes/events.js';
import type { Progress } from '../../../projections/core/progress.js';
import type { Board, BoardQueries } from '../../../projections/dispatch/board.js';
import { BOARD_READS } from '../../../projections/dispatch/sources/index.js';
import type { BoardView } from '../../../projections/dispatch/sources/source.js';
import { createLogFeed, type LogFeed } from '../../core/log-feed.js';

export interface Change {
  readonly position: Position;
  readonly stream: string;
  readonly type: string;
  readonly at: string;
  /** The route that the order is on. */
  readonly route?: number;
  /** Of what happened on a board; 0: that of the business. */
  readonly desk?: number;
  readonly item?: string;
  readonly by?: number;
  readonly took_over_from?: number;
}

export interface News {
  readonly changes: readonly Change[];
  /** That something happened to, and the routes of these orders. */
  readonly orders: readonly number[];
  readonly routes: readonly number[];
  /** The items of these, as an office sees them: read once per day that somebody follows. */
  readonly office: (view: BoardView) => Promise<Board>;
}

/** How long read models may be behind the log before the board is told as they have it. */
const READ_MODEL_MS = 5_000;

export interface NewsOptions {
  readonly boards: BoardQueries;
  readonly log: EventLog;
  readonly progress: Progress;
  readonly now: () => number;
}

/** By the id of the business. */
export function createNews({ boards, log, progress, now }: NewsOptions): LogFeed<News> {
  return createLogFeed<News>({ log, now, prefixes: [ORDER_PREFIX, ROUTE_PREFIX, DISPATCH_PREFIX], resolve });

  async function resolve(
    events: readonly StoredEvent[],
    position: Position,
    wanted: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, News>> {
    await Promise.all(BOARD_READS.map((name) => progress.waitFor(name, position, READ_MODEL_MS)));
    const owners = new Map(
      (await boards.ownersOf(idsIn(events, ORDER_PREFIX), idsIn(events, ROUTE_PREFIX))).map((owner) => [
        owner.stream,
        owner,
      ]),
    );
    const found = new Map<string, Change[]>();
    for (const event of events) {
      const owner = owners.get(event.stream);
      const business = owner ? String(owner.business) : event.stream.split('-')[1]!;
      if (!wanted.has(business) || (!owner && !event.stream.startsWith(DISPATCH_PREFIX))) continue;
      const change = { ...common(event), ...(owner?.route_id != null && { route: owner.route_id }), ...onBoard(event) };
      found.set(business, [...(found.get(business) ?? []), change]);
    }
    return new Map([...found].map(([business, changes]) => [business, newsOf(changes)]));
  }

  function newsOf(changes: readonly Change[]): News {
    const looked = new Map<string, Promise<Board>>();
    return {
      changes,
      orders: idsIn(changes, ORDER_PREFIX),
      routes: [...new Set(changes.flatMap(({ route }) => route ?? []))],
      office(view) {
        const known = looked.get(view.date) ?? boards.board(view);
        looked.set(view.date, known);
        return known;
      },
    };
  }
}

const idsIn = (named: readonly { readonly stream: string }[], prefix: string): number[] => [
  ...new Set(
    named.filter(({ stream }) => stream.startsWith(prefix)).map(({ stream }) => Number(stream.slice(prefix.length))),
  ),
];

const common = ({ position, stream, type, metadata }: StoredEvent): Change => ({
  position,
  stream,
  type,
  at: metadata['recorded_at'] as string,
});

function onBoard({ stream, data }: StoredEvent): Partial<Change> {
  if (!stream.startsWith(DISPATCH_PREFIX)) return {};
  const { item, by, desk = 0, took_over_from } = data as unknown as Required<Pick<Change, 'item' | 'by'>> & Change;
  return { item, by, desk, ...(took_over_from !== undefined && { took_over_from }) };
}
