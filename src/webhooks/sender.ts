/** Claims due deliveries and sends them in parallel; any number of processes can do so. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claimed } from '../engines/postgres/webhook-delivery.js';
import type { WebhookQueue } from '../engines/postgres/webhook-queue.js';
import type { Parts } from '../projections/core/parts.js';
import type { Attempts, Outcome } from './attempts.js';
import { createCircuits, USUAL_SLOTS } from './circuits.js';

/** Maximum number of parallel attempts in one process. */
const MAX_CONCURRENT = 512;
const POLL_MS = 500;
/** A retry with a longer delay has no timer; polling finds it. */
const MAX_TIMER_MS = 120_000;
/** Deliveries that end within this interval cause only one query to the database. */
const GATHER_MS = 5;
const ERROR_PAUSE_MS = 1_000;

export interface SenderOptions extends Parts<'now' | 'onError'> {
  readonly queue: Pick<WebhookQueue, 'claim'>;
  readonly attempts: Attempts;
  /** Longer than any attempt takes, in milliseconds. A delivery that is not settled by then is sent again. */
  readonly leaseMs: number;
  /** First pause of a failing endpoint, in milliseconds. */
  readonly pauseMs: number;
  readonly onOutcome: (outcome: Outcome) => void;
}

export type Sender = ReturnType<typeof startSender>;

export function startSender({ queue, attempts, leaseMs, pauseMs, now, onOutcome, onError }: SenderOptions) {
  const stopping = new AbortController();
  const circuits = createCircuits({ pauseMs, now });
  const active = new Set<Promise<void>>();
  let woken: () => void = () => undefined;
  let awake = false;

  /** Called when a delivery is due. */
  function wake(): void {
    awake = true;
    woken();
  }

  async function send(delivery: Claimed): Promise<void> {
    const { business, endpoint } = delivery;
    let ok: boolean | undefined;
    let requested: number | undefined;
    circuits.begin(business, endpoint);
    try {
      const result = await attempts.make(delivery);
      const { outcome, retry } = result;
      requested = result.requested;
      if (retry !== undefined && retry < MAX_TIMER_MS) setTimeout(wake, retry).unref();
      ok = outcome === 'skipped' ? undefined : outcome === 'delivered';
      onOutcome(outcome);
    } catch (error) {
      // The delivery is due again when its lease ends.
      onError(error);
    } finally {
      circuits.end(business, endpoint, ok, requested);
    }
  }

  async function round(): Promise<number> {
    const limit = MAX_CONCURRENT - active.size;
    const claimed = limit > 0 ? await queue.claim({ limit, usual: USUAL_SLOTS, slots: circuits.slots(), leaseMs }) : [];
    for (const delivery of claimed) {
      const sending: Promise<void> = send(delivery).finally(() => {
        active.delete(sending);
        wake();
      });
      active.add(sending);
    }
    return claimed.length;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      awake = false;
      try {
        await round();
      } catch (error) {
        onError(error);
        await sleep(ERROR_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
      if (!awake) await rest();
      await sleep(GATHER_MS);
    }
    await Promise.all(active);
  }

  /** Waits until `wake` is called or the poll interval ends. */
  async function rest(): Promise<void> {
    const over = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => (woken = resolve)),
      sleep(POLL_MS, undefined, { signal: AbortSignal.any([over.signal, stopping.signal]) }).catch(() => undefined),
    ]);
    over.abort();
  }

  const running = run();
  return {
    wake,
    /** Claims no more deliveries and waits for the current attempts. */
    async stop(): Promise<void> {
      stopping.abort();
      wake();
      await running;
    },
  };
}
