/**
 * Live updates: polls while the page is visible, polls at once when it becomes visible again, and polls less often
 * after failures.
 */
import { Problem } from './api.js';

const EVERY_MS = 4_000;
const SLOWEST_MS = 60_000;

export interface Polling {
  /** Polls now; settles when the page displays the response. */
  readonly now: () => Promise<void>;
  readonly stop: () => void;
}

/** `onFailure` is called with undefined after the first success that follows a failure. */
export function poll(task: () => Promise<void>, onFailure: (problem: Problem | undefined) => void): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let stopped = false;
  let running = Promise.resolve();
  let waiting: Promise<void> | undefined;

  /**
   * Runs polls one after the other, so that an older response never replaces a newer one. A call during a queued poll
   * returns that poll.
   */
  function now(): Promise<void> {
    return (waiting ??= running.then(() => {
      waiting = undefined;
      return (running = once());
    }));
  }

  async function once(): Promise<void> {
    clearTimeout(timer);
    if (stopped) return;
    let least = 0;
    try {
      await task();
      if (failures > 0 && !stopped) onFailure(undefined);
      failures = 0;
    } catch (thrown) {
      if (stopped) return;
      failures += 1;
      // A bug of the page itself: it is reported to the console, and polling continues.
      if (!(thrown instanceof Problem))
        return void setTimeout(() => {
          throw thrown;
        });
      least = thrown.retryAfterMs;
      onFailure(thrown);
    } finally {
      if (!stopped && !document.hidden)
        timer = setTimeout(() => void now(), Math.max(least, Math.min(EVERY_MS * 2 ** failures, SLOWEST_MS)));
    }
  }

  const seen = () => (document.hidden ? clearTimeout(timer) : void now());
  document.addEventListener('visibilitychange', seen);
  return {
    now,
    stop() {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    },
  };
}
