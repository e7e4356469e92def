/**
 * Tells streams that a time of theirs has come. In any number of processes: each range of streams is one's, and should
 * two do the same, the ids of their commands are the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable, type Position } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import type { DueTimer, Expire } from '../../events/core/timers.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Cause, Handle } from '../core/handle.js';

/** How a family of streams is notified; see `Streams.expires`. */
export type Expiring = Handle<Expire, unknown>;

/** Which timers have come; who works on them. */
export interface TimerQueue {
  /** The ranges of streams that `owner` has now. */
  takeRanges(owner: string): Promise<readonly number[]>;
  releaseRanges(owner: string): Promise<void>;
  due(range: number, now: number, limit: number): Promise<readonly DueTimer[]>;
  /** These come no more. */
  ignore(timers: readonly DueTimer[]): Promise<void>;
  /** These come again later. */
  retry(timers: readonly DueTimer[], now: number): Promise<void>;
}

export interface TimerRunnerOptions extends Parts<'now'> {
  readonly queries: TimerQueue;
  /** By the first word of the streams. */
  readonly expiring: ReadonlyMap<string, Expiring>;
  /** UUID of this process. */
  readonly owner: string;
  /** Milliseconds between the beginnings of two rounds. */
  readonly every: number;
  /** Waits, for some time, until the read model of timers holds what is in the log up to here. */
  readonly settled: (position: Position) => Promise<unknown>;
  readonly onError: (error: unknown, timer?: DueTimer) => void;
}

/** At once, of each range. */
const AT_ONCE = 500;

export type TimerRunner = ReturnType<typeof startTimers>;

export function startTimers({ queries, expiring, owner, every, now, settled, onError }: TimerRunnerOptions) {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const began = performance.now();
      const full = await turn().catch((error: unknown) => void onError(error));
      if (full) continue;
      const pause = Math.max(0, every - (performance.now() - began));
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await queries.releaseRanges(owner).catch(() => undefined);
  }

  /** Whether there may be more that has come already. */
  async function turn(): Promise<boolean> {
    const ranges = await queries.takeRanges(owner);
    const taken = await Promise.all(ranges.map(round));
    return taken.some((count) => count === AT_ONCE);
  }

  async function round(range: number): Promise<number> {
    const due = await queries.due(range, now(), AT_ONCE);
    const ignored: DueTimer[] = [];
    const failed: DueTimer[] = [];
    let last: Position | undefined;
    await Promise.all(
      due.map(async (timer) => {
        try {
          const { changed, position } = await expire(timer);
          if (!changed) ignored.push(timer);
          else if (position !== undefined && position > (last ?? '')) last = position;
        } catch (error) {
          // A log that is away is so for all of them, and soon back.
          if (!(error instanceof LogUnavailable)) failed.push(timer);
          onError(error, timer);
        }
      }),
    );
    await queries.ignore(ignored);
    await queries.retry(failed, now());
    if (last !== undefined) await settled(last);
    return due.length;
  }

  async function expire({ stream, name, at }: DueTimer) {
    const send = expiring.get(stream.slice(0, stream.indexOf('-') + 1));
    if (!send) throw new Error(`Nothing is to be done about timers of ${stream}.`);
    const commandId = derivedId('timer', stream, name, at);
    const cause: Cause = { correlationId: commandId, actor: { kind: 'system', id: 'timers' }, channel: 'system' };
    return send(stream, { do: 'expire', commandId, stream, name, at, now: now() }, cause);
  }

  const running = run();
  return {
    /** Ends the round under way. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
