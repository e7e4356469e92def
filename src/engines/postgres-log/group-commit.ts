/**
 * Group commit: appends that arrive while one is being written go together in the next call, one round trip and one
 * fsync for all. A stream may occur in a call once, so a second append to it waits for the next. One call at a time:
 * that keeps the positions of a process without gaps, and waiting appends make the next call larger.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { AppendOutcome } from '../../events/core/log.js';
import { Pressure } from './pressure.js';

/** As much of an append as it needs to know. */
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
   * Most events in a call: in a larger one the database works while this process waits, and then the other way round.
   */
  readonly maxEvents?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

export interface GroupCommit<A> {
  /** `inOrder`: it is written after all that came before it. */
  commit(append: A, options?: { readonly inOrder: boolean }): Promise<AppendOutcome>;
  /** Whether appends come in a burst by now: for most of the time one call follows the other. */
  isPressed(): boolean;
}

export function createGroupCommit<A extends Grouped>({
  write,
  maxEvents = 500,
  now,
}: GroupCommitOptions<A>): GroupCommit<A> {
  let queue: Waiting<A>[] = [];
  let isDraining = false;
  const pressure = new Pressure(now);

  /**
   * The longest prefix of what waits that fits into one call. By name, unless somebody relies on the order: two
   * processes that write the same streams at the same time would wait for each other in a circle.
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
      // A caller answered just now may have more: a turn later that is queued.
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
        // A turn later, so that all appends of this turn of the event loop go together.
        setImmediate(() => void drain());
      }),
    isPressed: () => pressure.isHigh,
  };
}

const byStream = (a: Waiting<Grouped>, b: Waiting<Grouped>): number => (a.append.stream < b.append.stream ? -1 : 1);
