/**
 * The feed of the board: what happened to an order, a route or an item, and which items are there now. What changes
 * with the clock alone is polled every few seconds, and marked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { EventLog, Position } from '../../../events/core/log.js';
import { dispatchStream } from '../../../events/dispatch/events.js';
import { orderStream } from '../../../events/orders/events.js';
import { JOB_PREFIX, jobStream } from '../../../events/jobs/events.js';
import { planStream } from '../../../events/plans/events.js';
import { routeStream } from '../../../events/routes/events.js';
import type { Progress } from '../../../projections/core/progress.js';
import { seenOf, type Board, type BoardQueries } from '../../../projections/dispatch/board.js';
import type { BoardView, ItemRow } from '../../../projections/dispatch/sources/source.js';
import type { Caller } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';
import { feed, type Feed, type Told } from '../../core/feed.js';
import { deskOf, VIEWERS, type Desk } from './desk.js';
import { createNews, type Change, type News } from './news.js';

const TICK_MS = 5_000;

const standing = z.object({ item: z.string(), kind: z.string(), severity: z.int(), seen: z.string() });
const told = z
  .object({
    cursor: z.string().describe('For `after`, where a connection was lost.'),
    type: z.string().describe('Of the event; `clock`: time passed; `reset`: too much was missed, read the board anew.'),
    at: z.string(),
    order_id: z.int().optional(),
    route_id: z.int().optional(),
    plan_id: z.int().optional(),
    job_id: z.string().optional(),
    item: z.string().optional().describe('That was taken, returned, decided or reopened.'),
    by: z.int().optional(),
    took_over_from: z.int().optional(),
    items: z.array(standing).optional().describe('What stands now of the order and its route, or of the route.'),
    tick: z.boolean().optional().describe('It follows from no event.'),
  })
  .meta({ id: 'DispatchEvent' });
type ToldChange = z.infer<typeof told>;

export interface DispatchFeedOptions {
  readonly boards: BoardQueries;
  readonly desk: Pick<Desk, 'viewOf'>;
  readonly log: EventLog;
  readonly progress: Progress;
  readonly now: () => number;
}

export function dispatchFeed({ boards, desk, log, progress, now }: DispatchFeedOptions): Feed {
  const news = createNews({ boards, log, progress, now });
  const shared = new Map<string, { readonly since: number; readonly board: Promise<Board> }>();

  /** Offices see the same board: one look is for all of them. */
  function look(view: BoardView, isOffice: boolean): { readonly since: number; readonly board: Promise<Board> } {
    const since = performance.now();
    if (!isOffice) return { since, board: boards.board(view) };
    const key = dispatchStream(view.business, view.date);
    const known = shared.get(key);
    if (known && since - known.since < TICK_MS - 1_000) return known;
    const fresh = { since, board: boards.board(view) };
    shared.set(key, fresh);
    void fresh.board
      .catch(() => undefined)
      .then(() => sleep(TICK_MS, undefined, { ref: false }))
      .then(() => shared.get(key) === fresh && shared.delete(key));
    return fresh;
  }

  return feed({
    name: 'dispatchEvents',
    tag: 'Dispatch',
    summary: 'What changes on the board of a day, as it happens',
    description:
      'Read the board first, then follow behind its `X-Event-Position`, or from now on. Over server-sent events: `Accept: text/event-stream`.',
    path: '/v1/dispatch/events',
    callers: VIEWERS,
    scopes: ['routes:read', 'orders:read'],
    input: z.object({
      date: z.iso.date().optional().describe('Absent: today in the timezone of the business.'),
      after: z.string().max(100).optional().describe('A cursor that was told: what lies behind it comes first.'),
    }),
    output: told,
    async follow({ date, after }, { caller, signal }) {
      if (after !== undefined && !log.isPosition(after)) throw fieldError('INVALID_POSITION', 'after');
      const first = await desk.viewOf(caller, date);
      const { position, news: heard } = await news.listen(String(first.business), signal, after);
      const follower = new Follower(caller, boards, now);
      await follower.begin(look(first, deskOf(caller) === 0));
      return { cursor: position, events: events(follower, heard, position, caller, date, signal) };
    },
  });

  async function* events(
    follower: Follower,
    heard: AsyncIterable<{ readonly position: Position; readonly news: News } | 'reset'>,
    begin: Position,
    caller: Caller,
    date: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Told<ToldChange>> {
    let cursor = begin;
    const iterator = heard[Symbol.asyncIterator]();
    let next = iterator.next();
    while (!signal.aborted) {
      const timer = new AbortController();
      const tick = sleep(TICK_MS, 'tick' as const, { signal: timer.signal }).catch(() => 'tick' as const);
      const one = await Promise.race([next, tick]);
      timer.abort();
      const view = await desk.viewOf(caller, date);
      if (one === 'tick') {
        for (const change of await follower.clock(look(view, deskOf(caller) === 0)))
          yield { cursor, event: 'change', data: { ...change, cursor } };
        continue;
      }
      if (one.done) return;
      if (one.value === 'reset') {
        yield { cursor, event: 'reset', data: { cursor, type: 'reset', at: new Date(now()).toISOString() } };
        return;
      }
      for (const { position, ...change } of await follower.hear(one.value.news, view)) {
        cursor = position;
        yield { cursor, event: 'change', data: { ...change, cursor } };
      }
      next = iterator.next();
    }
  }
}

/** The stream of what an item is about. */
function aboutOf({ order_id, route_id, plan_id, job_id }: ItemRow): string {
  if (job_id !== null) return jobStream(job_id);
  if (plan_id !== null) return planStream(plan_id);
  return order_id === null ? routeStream(route_id!) : orderStream(order_id);
}

/** The items last sent to one subscriber, so that changes by the clock can be found. */
class Follower {
  /** Items by the stream of what they are about. */
  #known = new Map<string, Map<string, ItemRow>>();
  /** When something was last told of a stream. */
  readonly #changed = new Map<string, number>();

  constructor(
    readonly caller: Caller,
    readonly boards: BoardQueries,
    readonly now: () => number,
  ) {}

  async begin({ board }: { readonly board: Promise<Board> }): Promise<void> {
    this.#known = byStream((await board).items);
  }

  /** What the subscriber may see of it, with the current items. */
  async hear({ changes, orders, routes, office }: News, view: BoardView) {
    const own = deskOf(this.caller);
    const narrowed = { ...view, orders, routes };
    const [board, touched] =
      own === 0
        ? [await office(narrowed), undefined]
        : await Promise.all([this.boards.board(narrowed), this.boards.touching(narrowed)]);
    const visible = touched && new Set(touched);
    const now = byStream(board.items);
    const heard = changes.filter(({ stream, desk }) =>
      desk === undefined ? !visible || visible.has(stream) || this.#known.has(stream) : own === 0 || desk === own,
    );
    const since = performance.now();
    for (const { stream } of changes.filter(({ desk }) => desk === undefined)) {
      this.#changed.set(stream, since);
      const items = now.get(stream);
      if (items) this.#known.set(stream, items);
      else this.#known.delete(stream);
    }
    return heard.map((change) => toldOf(change, now));
  }

  /** Items that differ from what was sent, though no event happened to them. */
  async clock({ since, board }: { readonly since: number; readonly board: Promise<Board> }) {
    const now = byStream((await board).items);
    const streams = [...new Set([...now.keys(), ...this.#known.keys()])].filter(
      (stream) => (this.#changed.get(stream) ?? 0) < since && idsOf(now.get(stream)) !== idsOf(this.#known.get(stream)),
    );
    const at = new Date(this.now()).toISOString();
    return streams.map((stream) => {
      const items = now.get(stream);
      if (items) this.#known.set(stream, items);
      else this.#known.delete(stream);
      return { type: 'clock', at, ...subjectOf(stream), items: [...(items?.values() ?? [])].map(shown), tick: true };
    });
  }
}

const idsOf = (items: ReadonlyMap<string, ItemRow> | undefined): string => [...(items?.keys() ?? [])].sort().join(' ');

const shown = (row: ItemRow): z.infer<typeof standing> => ({
  item: row.item,
  kind: row.kind,
  severity: row.severity,
  seen: seenOf(row),
});

function subjectOf(stream: string): { order_id?: number; route_id?: number; plan_id?: number; job_id?: string } {
  if (stream.startsWith(JOB_PREFIX)) return { job_id: stream.slice(JOB_PREFIX.length) };
  const [kind, id] = stream.split('-');
  return { [`${kind}_id`]: Number(id) };
}

function byStream(rows: readonly ItemRow[]): Map<string, Map<string, ItemRow>> {
  const found = new Map<string, Map<string, ItemRow>>();
  for (const row of rows) {
    const stream = aboutOf(row);
    found.set(stream, (found.get(stream) ?? new Map<string, ItemRow>()).set(row.item, row));
  }
  return found;
}

function toldOf({ stream, desk, route, ...change }: Change, now: ReadonlyMap<string, ReadonlyMap<string, ItemRow>>) {
  if (desk !== undefined) return change;
  const rows = [stream, ...(route === undefined || routeStream(route) === stream ? [] : [routeStream(route)])].flatMap(
    (one) => [...(now.get(one)?.values() ?? [])],
  );
  return { ...change, ...subjectOf(stream), items: rows.map(shown) };
}
