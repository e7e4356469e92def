/** Repeats a round of work, immediately while there is work or after a call of `wake`, otherwise at intervals. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause after an error, in milliseconds. */
const ERROR_PAUSE_MS = 1_000;

export interface LoopOptions {
  /** Returns whether there was work. */
  readonly round: () => Promise<boolean>;
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

export function startLoop({ round, everyMs, onError }: LoopOptions) {
  const stopping = new AbortController();
  let isWoken = false;
  let wakeUp: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false;
      const worked = await round().catch(async (error: unknown) => {
        onError(error);
        await sleep(ERROR_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
        return false;
      });
      if (!worked && !isWoken) await rest();
    }
  }

  async function rest(): Promise<void> {
    const over = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => (wakeUp = resolve)),
      sleep(everyMs, undefined, { signal: AbortSignal.any([over.signal, stopping.signal]) }).catch(() => undefined),
    ]);
    over.abort();
  }

  const running = run();
  return {
    /** Starts the next round without a delay. */
    wake(): void {
      isWoken = true;
      wakeUp();
    },
    /** Waits for the end of the current round. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
