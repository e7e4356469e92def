/**
 * Sends an `expire` command to streams whose timers are due. Any number of processes share this work: each range of
 * streams belongs to one process. If two processes handle the same timer, their commands have the same id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable, type Position } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import type { DueTimer, Expire } from '../../events/core/timers.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Cause, Handle } from '../core/handle.js';

/** Sends the command to the streams with one prefix; see `Streams.expires`. */
export type Expiring = Handle<Expire, unknown>;

/** The queue of due timers, and the processes that handle them. */
export interface TimerQueue {
  /** Takes ranges of streams for `owner` and returns all ranges that it holds. */
  takeRanges(owner: string): Promise<readonly number[]>;
  releaseRanges(owner: string): Promise<void>;
  due(range: number, now: number, limit: number): Promise<readonly DueTimer[]>;
  /** Removes these timers from the queue. */
  ignore(timers: readonly DueTimer[]): Promise<void>;
  /** Makes these timers due again later. */
  retry(timers: readonly DueTimer[], now: number): Promise<void>;
}

export interface TimerRunnerOptions extends Parts<'now'> {
  readonly queries: TimerQueue;
  /** Keyed by stream prefix. */
  readonly expiring: ReadonlyMap<string, Expiring>;
  /** UUID of this process. */
  readonly owner: string;
  /** Interval between the starts of two rounds, in milliseconds. */
  readonly every: number;
  /** Waits for a limited time until the read model of timers contains all events up to this position. */
  readonly settled: (position: Position) => Promise<unknown>;
  readonly onError: (error: unknown, timer?: DueTimer) => void;
}

/** Maximum number of timers per range and round. */
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

  /** Returns whether more timers may be due already. */
  async function turn(): Promise<boolean> {
    const ranges = await queries.takeRanges(owner);
    const counts = await Promise.all(ranges.map(round));
    return counts.some((count) => count === AT_ONCE);
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
          // An unavailable log affects all timers and usually recovers soon, so these timers are not postponed.
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
    if (!send) throw new Error(`No handler for timers of ${stream}.`);
    const commandId = derivedId('timer', stream, name, at);
    const cause: Cause = { correlationId: commandId, actor: { kind: 'system', id: 'timers' }, channel: 'system' };
    return send(stream, { do: 'expire', commandId, stream, name, at, now: now() }, cause);
  }

  const running = run();
  return {
    /** Finishes the current round. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
