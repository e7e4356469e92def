/**
 * The feed of the dispatch board: events of orders, routes and items, each with the current items. Changes caused only
 * by the passage of time are detected every few seconds and marked with `tick`.
 */
import { z } from 'zod';
import type { Position } from '../../../events/core/log.js';
import { BOARD_READS } from '../../../projections/dispatch/sources/index.js';
import type { Caller } from '../../core/callers.js';
import { feed, type Feed, type FeedEvent } from '../../core/feed.js';
import { createLogFeed } from '../../core/log-feed.js';
import { afterCursor, MAX_LAG_MS, changeEvent, toSubscription, expectCursor } from '../../core/log-feed-events.js';
import type { Parts } from '../../core/parts.js';
import { VIEWERS } from './desk.js';
import { BOARD_PREFIXES, newsIn } from './news.js';
import { Watch, watchKey, type WatchOptions } from './watch.js';

const TICK_MS = 5_000;

const standing = z
  .object({ id: z.string(), kind: z.string(), severity: z.int(), version: z.string() })
  .meta({ id: 'DispatchStanding' });
const told = z
  .object({
    cursor: z.string().describe('Cursor to pass as `after` when you reconnect.'),
    type: z
      .string()
      .describe(
        'Type of the event. `clock`: only time has passed. `reset`: too many events were missed; read the board again.',
      ),
    at: z.string(),
    order_id: z.int().optional(),
    route_id: z.int().optional(),
    plan_id: z.int().optional(),
    job_id: z.string().optional(),
    item_id: z.string().optional().describe('Item that was taken, returned, decided or reopened.'),
    changed_by: z.int().optional(),
    took_over_from: z.int().optional(),
    items: z.array(standing).optional().describe('Current items of the order and its route, or of the route.'),
    tick: z.boolean().optional().describe('True if no event caused the change.'),
  })
  .meta({ id: 'DispatchEvent' });
type ToldChange = z.infer<typeof told>;

export interface DispatchFeedOptions extends WatchOptions, Parts<'log' | 'progress'> {}

/** State shared by subscribers with the same view. */
interface Shared {
  readonly watch: Watch;
  readonly ticker: NodeJS.Timeout;
  followers: number;
}

export function dispatchFeed(options: DispatchFeedOptions): Feed {
  const { boards, log, progress, now } = options;
  const shared = new Map<string, Shared>();
  const news = createLogFeed<readonly FeedEvent<ToldChange>[]>({
    log,
    now,
    prefixes: BOARD_PREFIXES,
    async resolve(events, position, keys, isMissed) {
      await Promise.all(BOARD_READS.map((name) => progress.waitFor(name, position, MAX_LAG_MS)));
      const watches = [...keys].flatMap((key) => {
        const watch = shared.get(key)?.watch;
        return watch ? [{ key, watch }] : [];
      });
      const found = await newsIn(events, new Set(watches.map(({ watch }) => watch.business)), boards);
      const told = watches.map(async ({ key, watch }) => {
        const mine = found.get(watch.business);
        const changes = mine ? await watch.hear(mine, isMissed) : [];
        return [key, changes.map(({ position, ...change }) => toldAt(position, change))] as const;
      });
      return new Map((await Promise.all(told)).filter(([, changes]) => changes.length > 0));
    },
  });

  /** Shares one watch among all subscribers with the same view, until the last one leaves. */
  function join(key: string, caller: Caller, date: string | undefined, signal: AbortSignal): Watch {
    const own = shared.get(key) ?? open(key, new Watch(caller, date, options));
    own.followers += 1;
    const leave = () => {
      if ((own.followers -= 1) > 0) return;
      clearTimeout(own.ticker);
      shared.delete(key);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return own.watch;
  }

  function open(key: string, watch: Watch): Shared {
    const own: Shared = { watch, ticker: setTimeout(() => void tick(key, own), TICK_MS), followers: 0 };
    shared.set(key, own);
    return own;
  }

  async function tick(key: string, own: Shared): Promise<void> {
    // If the database fails, the next tick reports the changes.
    const changes = await own.watch.look().catch(() => undefined);
    if (changes) await news.publish(key, (position) => changes().map((change) => toldAt(position, change)));
    if (own.followers > 0) own.ticker.refresh();
  }

  return feed({
    name: 'dispatchEvents',
    area: 'Dispatch',
    summary: 'Follow changes of the dispatch board',
    description:
      'Streams changes of the dispatch board. Read the board first and pass its `X-Event-Position` as `after`; without `after`, the stream starts now. For server-sent events, send `Accept: text/event-stream`.',
    path: '/v1/dispatch/events',
    callers: VIEWERS,
    scopes: ['routes:read', 'orders:read'],
    input: z.object({
      schedule_date: z.iso
        .date()
        .optional()
        .describe('Day of the board. Default: today in the time zone of the business.'),
      after: afterCursor,
    }),
    output: told,
    async subscribe({ schedule_date: date, after }, { caller, signal }) {
      expectCursor(log, after);
      const key = watchKey(caller, date);
      const watch = join(key, caller, date, signal);
      const listening = await news.listen(key, signal, after);
      await watch.begin();
      // Subscribers with the same view receive the same array.
      return toSubscription(listening, now, (changes) => changes);
    },
  });
}

/** Renames `item` and `by` of events to the members of the API. */
const toldAt = (
  cursor: Position,
  { item, by, ...change }: Omit<ToldChange, 'cursor'> & { readonly item?: string; readonly by?: number },
): FeedEvent<ToldChange> =>
  changeEvent({
    ...change,
    ...(item !== undefined && { item_id: item }),
    ...(by !== undefined && { changed_by: by }),
    cursor,
  });
