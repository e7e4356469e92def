/**
 * Limits the concurrency across all callers: a fixed number of tasks runs concurrently, and the others are queued for a
 * limited time.
 */
import { LogUnavailable } from '../../events/core/log.js';

export class Slots {
  readonly #size: number;
  readonly #timeout: number;
  /** Queued tasks, in order of arrival. */
  readonly #line = new Set<() => void>();
  #free: number;

  /**
   * `queueTimeout`: milliseconds after which a queued task is rejected with LogUnavailable, so that the queue stays
   * bounded if the server stalls.
   */
  constructor(size: number, queueTimeout: number) {
    this.#size = size;
    this.#timeout = queueTimeout;
    this.#free = size;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    try {
      return await task();
    } finally {
      const [next] = this.#line;
      if (next) next();
      else this.#free += 1;
    }
  }

  /**
   * Runs `task` for every item and returns the results in the order of the items. After a failure, no other item is
   * started. The first error is thrown when all running tasks have ended, so that no task runs after this call.
   */
  async map<I, O>(items: readonly I[], task: (item: I) => Promise<O>): Promise<O[]> {
    const results: O[] = [];
    const errors: unknown[] = [];
    const rest = items.entries();
    const worker = async (): Promise<void> => {
      for (const [index, item] of rest) {
        try {
          results[index] = await this.run(() => task(item));
        } catch (error) {
          errors.push(error);
        }
        if (errors.length > 0) return;
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#size, items.length) }, worker));
    if (errors.length > 0) throw errors[0];
    return results;
  }

  /** Resolves when this caller gets a slot. */
  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        this.#line.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#line.delete(enter);
        reject(new LogUnavailable(`No free slot for a call to EventStoreDB within ${this.#timeout} ms.`));
      }, this.#timeout);
      this.#line.add(enter);
    });
  }
}
