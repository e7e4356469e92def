/**
 * Live updates: asks again while somebody can see the page, at once when they come back, and less often while it fails.
 */
import { Problem } from './api.js';

const EVERY_MS = 4_000;
const SLOWEST_MS = 60_000;

export interface Polling {
  /** Asks now; settles when the page shows the answer. */
  readonly now: () => Promise<void>;
  readonly stop: () => void;
}

/** `onFailure` gets undefined once it works again. */
export function poll(task: () => Promise<void>, onFailure: (problem: Problem | undefined) => void): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let stopped = false;
  let running = Promise.resolve();
  let waiting: Promise<void> | undefined;

  /**
   * One after the other, so that no older answer comes after a newer one; whoever asks while one waits gets that one.
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
      // A mistake of the page itself: for the console, and the next round.
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
