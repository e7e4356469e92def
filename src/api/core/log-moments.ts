/** What feeds of the log have in common: the cursor where one begins again, moments with theirs, and the reset. */
import { z } from 'zod';
import type { EventLog, Position } from '../../events/core/log.js';
import { fieldError } from './errors.js';
import type { Followed, Told } from './feed.js';
import type { LogFeed } from './log-feed.js';

/** How long read models may be behind the log before followers are told as they have it. */
export const BEHIND_MS = 5_000;

/** The member `after` of a feed's input. */
export const afterCursor = z
  .string()
  .max(100)
  .optional()
  .describe('A cursor that was told: what lies behind it comes first.');

/** Throws INVALID_POSITION where `after` is no cursor of the log. */
export function mustBeCursor(log: Pick<EventLog, 'isPosition'>, after: string | undefined): void {
  if (after !== undefined && !log.isPosition(after)) throw fieldError('INVALID_POSITION', 'after');
}

/** Says that too much was missed: the follower reads anew. */
interface Reset {
  readonly cursor: Position;
  readonly type: string;
  readonly at: string;
}

/**
 * Follows the news that a reader of the log found, each batch as one moment; ends after a reset. `moment` says what
 * this follower is told of a batch; undefined: the follower may follow no more.
 */
export function followedBy<N, D>(
  { position, news }: Awaited<ReturnType<LogFeed<N>['listen']>>,
  now: () => number,
  moment: (news: N) => readonly Told<D>[] | undefined | Promise<readonly Told<D>[] | undefined>,
): Followed<D | Reset> {
  async function* events(): AsyncGenerator<readonly Told<D | Reset>[]> {
    let cursor = position;
    for await (const one of news) {
      if (one === 'reset') {
        const data = { cursor, type: 'reset', at: new Date(now()).toISOString() };
        return yield [{ cursor, event: 'reset', data }];
      }
      const told = await moment(one.news);
      if (!told) return;
      cursor = one.position;
      yield told;
    }
  }
  return { cursor: position, events: events() };
}

/** A change with the cursor behind which a follower goes on. */
export const changeAt = <D extends { readonly cursor: Position }>(data: D): Told<D> => ({
  cursor: data.cursor,
  event: 'change',
  data,
});
