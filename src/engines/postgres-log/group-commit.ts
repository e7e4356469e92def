/**
 * Group commit. Appends that arrive during a write are written together in the next call, with one round trip and one
 * fsync. A stream may occur once in a call, so a second append to it waits for the next call. Only one call runs at a
 * time: the positions of a process then have no gaps, and waiting appends make the next call larger.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { AppendOutcome } from '../../events/core/log.js';
import { BurstDetector } from './burst-detector.js';

/** The part of an append that group commit needs. */
export interface Grouped {
  readonly stream: string;
  /** Number of its events. */
  readonly length: number;
}

interface Waiting<A> {
  readonly append: A;
  readonly inOrder: boolean;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommitOptions<A> {
  readonly write: (appends: readonly A[]) => Promise<readonly AppendOutcome[]>;
  /**
   * Maximum number of events in a call. With larger calls, the database and this process would wait for each other
   * alternately.
   */
  readonly maxEvents?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

export interface GroupCommit<A> {
  /** `inOrder`: the append is written after all earlier ones. */
  commit(append: A, options?: { readonly inOrder: boolean }): Promise<AppendOutcome>;
  /** Whether appends currently arrive in a burst: most of the time, calls follow each other without a pause. */
  isPressed(): boolean;
}

export function createGroupCommit<A extends Grouped>({
  write,
  maxEvents = 500,
  now,
}: GroupCommitOptions<A>): GroupCommit<A> {
  let queue: Waiting<A>[] = [];
  let isDraining = false;
  const pressure = new BurstDetector(now);

  /**
   * Takes the waiting appends that fit into one call. Sorts them by stream name unless a caller relies on their order,
   * because two processes that write the same streams would otherwise deadlock.
   */
  function take(): Waiting<A>[] {
    const group: Waiting<A>[] = [];
    const rest: Waiting<A>[] = [];
    const held = new Set<string>();
    let events = 0;
    for (const waiting of queue) {
      const { stream, length } = waiting.append;
      const fits = !held.has(stream) && (group.length === 0 || events + length <= maxEvents);
      (fits ? group : rest).push(waiting);
      held.add(stream);
      if (fits) events += length;
    }
    queue = rest;
    return group.some(({ inOrder }) => inOrder) ? group : group.sort(byStream);
  }

  async function drain(): Promise<void> {
    pressure.load = 'one call';
    while (queue.length > 0) {
      const group = take();
      try {
        const outcomes = await write(group.map(({ append }) => append));
        group.forEach(({ resolve }, index) => resolve(outcomes[index]!));
      } catch (error) {
        group.forEach(({ reject }) => reject(error));
      }
      pressure.load = 'one call behind the other';
      // A caller whose append was just written may send more; after one turn of the event loop, that append is queued.
      if (queue.length === 0) await turn();
    }
    pressure.load = 'nothing';
    isDraining = false;
  }

  return {
    commit: (append, { inOrder } = { inOrder: false }) =>
      new Promise((resolve, reject) => {
        queue.push({ append, inOrder, resolve, reject });
        if (isDraining) return;
        isDraining = true;
        // Starts one turn later, so that all appends of this turn of the event loop are written together.
        setImmediate(() => void drain());
      }),
    isPressed: () => pressure.isHigh,
  };
}

const byStream = (a: Waiting<Grouped>, b: Waiting<Grouped>): number => (a.append.stream < b.append.stream ? -1 : 1);
