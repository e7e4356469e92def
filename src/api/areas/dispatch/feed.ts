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
import { VIEWERS } from './dispatch-access.js';
import { BOARD_PREFIXES, dispatchChangesIn } from './dispatch-changes.js';
import { BoardWatch, watchKey, type BoardWatchOptions } from './board-watch.js';

const TICK_MS = 5_000;

const feedItemSchema = z
  .object({ id: z.string(), kind: z.string(), severity: z.int(), version: z.string() })
  .meta({ id: 'DispatchStanding' });
const dispatchEventSchema = z
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
    items: z.array(feedItemSchema).optional().describe('Current items of the order and its route, or of the route.'),
    tick: z.boolean().optional().describe('True if no event caused the change.'),
  })
  .meta({ id: 'DispatchEvent' });
type DispatchFeedEvent = z.infer<typeof dispatchEventSchema>;

export interface DispatchFeedOptions extends BoardWatchOptions, Parts<'log' | 'progress'> {}

/** State shared by subscribers with the same view. */
interface SharedWatch {
  readonly watch: BoardWatch;
  readonly ticker: NodeJS.Timeout;
  subscribers: number;
}

export function dispatchFeed(options: DispatchFeedOptions): Feed {
  const { boards, log, progress, now } = options;
  const sharedWatches = new Map<string, SharedWatch>();
  const logFeed = createLogFeed<readonly FeedEvent<DispatchFeedEvent>[]>({
    log,
    now,
    prefixes: BOARD_PREFIXES,
    async resolve(events, position, keys, isMissed) {
      await Promise.all(BOARD_READS.map((name) => progress.waitFor(name, position, MAX_LAG_MS)));
      const watches = [...keys].flatMap((key) => {
        const watch = sharedWatches.get(key)?.watch;
        return watch ? [{ key, watch }] : [];
      });
      const found = await dispatchChangesIn(events, new Set(watches.map(({ watch }) => watch.business)), boards);
      const changesByKey = watches.map(async ({ key, watch }) => {
        const businessChanges = found.get(watch.business);
        const changes = businessChanges ? await watch.changesFrom(businessChanges, isMissed) : [];
        return [key, changes.map(({ position, ...change }) => toFeedEvent(position, change))] as const;
      });
      return new Map((await Promise.all(changesByKey)).filter(([, changes]) => changes.length > 0));
    },
  });

  /** Shares one watch among all subscribers with the same view, until the last subscriber leaves. */
  function join(key: string, caller: Caller, date: string | undefined, signal: AbortSignal): BoardWatch {
    const entry = sharedWatches.get(key) ?? open(key, new BoardWatch(caller, date, options));
    entry.subscribers += 1;
    const leave = () => {
      if ((entry.subscribers -= 1) > 0) return;
      clearTimeout(entry.ticker);
      sharedWatches.delete(key);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return entry.watch;
  }

  function open(key: string, watch: BoardWatch): SharedWatch {
    const entry: SharedWatch = { watch, ticker: setTimeout(() => void tick(key, entry), TICK_MS), subscribers: 0 };
    sharedWatches.set(key, entry);
    return entry;
  }

  async function tick(key: string, entry: SharedWatch): Promise<void> {
    // If the database fails, the next tick reports the changes.
    const changes = await entry.watch.detectChanges().catch(() => undefined);
    if (changes) await logFeed.publish(key, (position) => changes().map((change) => toFeedEvent(position, change)));
    if (entry.subscribers > 0) entry.ticker.refresh();
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
    output: dispatchEventSchema,
    async subscribe({ schedule_date: date, after }, { caller, signal }) {
      expectCursor(log, after);
      const key = watchKey(caller, date);
      const watch = join(key, caller, date, signal);
      const listening = await logFeed.listen(key, signal, after);
      await watch.load();
      // Subscribers with the same view receive the same array.
      return toSubscription(listening, now, (changes) => changes);
    },
  });
}

/** Renames `item` and `by` of events to the members of the API. */
const toFeedEvent = (
  cursor: Position,
  { item, by, ...change }: Omit<DispatchFeedEvent, 'cursor'> & { readonly item?: string; readonly by?: number },
): FeedEvent<DispatchFeedEvent> =>
  changeEvent({
    ...change,
    ...(item !== undefined && { item_id: item }),
    ...(by !== undefined && { changed_by: by }),
    cursor,
  });
