/** Shared parts of feeds of the log: the cursor to continue from, batches with their cursors, and the reset. */
import { z } from 'zod';
import type { EventLog, Position } from '../../events/core/log.js';
import { fieldError } from './errors.js';
import type { FeedSubscription, FeedEvent } from './feed.js';
import type { LogFeed } from './log-feed.js';

/**
 * Maximum delay of read models behind the log before subscribers receive the state that the models have. Milliseconds.
 */
export const MAX_LAG_MS = 5_000;

/** The member `after` of a feed's input. */
export const afterCursor = z
  .string()
  .max(100)
  .optional()
  .describe('Cursor of the last event that you received. The stream begins with the events after it.');

/** Throws INVALID_POSITION if `after` is not a cursor of the log. */
export function expectCursor(log: Pick<EventLog, 'isPosition'>, after: string | undefined): void {
  if (after !== undefined && !log.isPosition(after)) throw fieldError('INVALID_POSITION', 'after');
}

/** Reports that the subscriber missed too many events and must reload the resource. */
interface Reset {
  readonly cursor: Position;
  readonly type: string;
  readonly at: string;
}

/**
 * Follows the news of a log feed batch by batch; ends after a reset. `toEvents` returns the events of a batch for this
 * subscriber, or undefined if the subscriber has lost its permission.
 */
export function toSubscription<N, D>(
  { position, news }: Awaited<ReturnType<LogFeed<N>['listen']>>,
  now: () => number,
  toEvents: (news: N) => readonly FeedEvent<D>[] | undefined | Promise<readonly FeedEvent<D>[] | undefined>,
): FeedSubscription<D | Reset> {
  async function* events(): AsyncGenerator<readonly FeedEvent<D | Reset>[]> {
    let cursor = position;
    for await (const item of news) {
      if (item === 'reset') {
        const data = { cursor, type: 'reset', at: new Date(now()).toISOString() };
        return yield [{ cursor, event: 'reset', data }];
      }
      const batch = await toEvents(item.news);
      if (!batch) return;
      cursor = item.position;
      yield batch;
    }
  }
  return { cursor: position, events: events() };
}

/** A change event with the cursor from which a subscriber continues. */
export const changeEvent = <D extends { readonly cursor: Position }>(data: D): FeedEvent<D> => ({
  cursor: data.cursor,
  event: 'change',
  data,
});
