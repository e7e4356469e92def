/**
 * Handles queued events in rounds that are fair between businesses: each round takes the oldest events of many
 * businesses, and handles their orders in alternation. Events of one order are handled one after the other, events of
 * different orders are handled in parallel.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** An item of the queue. */
export interface Queued {
  readonly business: number;
  readonly order_id: number;
}

export interface FairRoundsOptions<Item extends Queued> {
  /**
   * Returns the oldest items of the next businesses after `after`, in ascending order of the businesses. At most
   * `businesses` businesses, each with at most `share` items in their order, and without the orders `except`. `last`:
   * the last one of these businesses, also if all its items were left out; undefined if there is none after `after`.
   */
  readonly next: (share: {
    readonly after: number;
    readonly businesses: number;
    readonly share: number;
    readonly except: readonly number[];
  }) => Promise<{ readonly items: readonly Item[]; readonly last: number | undefined }>;
  /** Handles items of one order, in their order. Repeating it changes nothing. */
  readonly handle: (items: readonly Item[]) => Promise<void>;
  /** Removes handled items. After a crash before it, they are handled again. */
  readonly remove: (items: readonly Item[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** First pause after an error, in milliseconds. */
  readonly pauseMs?: number;
}

/** Maximum number of businesses in one round. The next round continues after the last one. */
const BUSINESSES = 20;
/** Aim for the number of items in one round. */
const ITEMS = 100;
/** Number of orders that are handled at the same time. */
const PARALLEL = 16;
const PAUSE_MS = 1_000;
/** Items of a failed order are left out of the rounds for this many pauses, while items of others can be handled. */
const FAILED_PAUSES = 10;
/** Smaller than the number of any business. */
const FIRST = -1;

export type FairRounds = ReturnType<typeof createFairRounds>;

export function createFairRounds<Item extends Queued>({
  next,
  handle,
  remove,
  onError,
  now = Date.now,
  pauseMs = PAUSE_MS,
}: FairRoundsOptions<Item>) {
  let after = FIRST;
  let sharers = 1;
  /** Whether there were items since the rounds began with the first business again. */
  let hadItems = false;
  /** Orders whose items failed, with the time until which they are left out. */
  const failed = new Map<number, number>();
  let isAwake = false;
  let onWake: () => void = () => undefined;

  /** Handles one round. Returns whether another one should follow immediately. */
  async function round(): Promise<boolean> {
    for (const [order, until] of failed) if (until <= now()) failed.delete(order);
    if (after === FIRST) hadItems = false;
    const share = Math.ceil(ITEMS / sharers);
    const { items, last } = await next({ after, businesses: BUSINESSES, share, except: [...failed.keys()] });
    after = last ?? FIRST;
    if (last === undefined) return hadItems;
    if (items.length === 0) return true;
    hadItems = true;
    sharers = new Set(items.map(({ business }) => business)).size;
    const done: Item[] = [];
    const errors: { readonly order: number; readonly error: unknown }[] = [];
    const waiting = inTurn(items, Math.ceil(ITEMS / sharers));
    const workers = Array.from({ length: PARALLEL }, async () => {
      for (let group = waiting.shift(); group; group = waiting.shift())
        try {
          await handle(group);
          done.push(...group);
        } catch (error) {
          errors.push({ order: group[0]!.order_id, error });
        }
    });
    await Promise.all(workers);
    for (const { order } of errors) failed.set(order, now() + FAILED_PAUSES * pauseMs);
    // If everything fails, the cause is probably an engine and not an order, so the next round comes after a pause.
    if (done.length === 0) throw errors[0]!.error;
    await remove(done);
    if (errors.length > 0) onError(errors[0]!.error);
    return true;
  }

  /** Waits until `wake` is called. While orders are left out, also ends after a pause. */
  async function rest(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const woken = new Promise<void>((resolve) => (onWake = resolve));
    const ended = AbortSignal.any([signal, over.signal]);
    const pause =
      failed.size > 0
        ? sleep(pauseMs, undefined, { signal: ended }).catch(() => undefined)
        : new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve(), { once: true }));
    if (!isAwake && !signal.aborted) await Promise.race([woken, pause]);
    over.abort();
  }

  return {
    /** Called when the queue has new items. */
    wake(): void {
      isAwake = true;
      onWake();
    },
    /** Runs rounds until the signal aborts, and finishes the current one. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        isAwake = false;
        try {
          while (!signal.aborted && (await round()));
          await rest(signal);
        } catch (error) {
          onError(error);
          await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}

/**
 * Groups the first `share` items of each business by order: the first order of each business, then the second of each,
 * and so on.
 */
function inTurn<Item extends Queued>(items: readonly Item[], share: number): Item[][] {
  const byBusiness = new Map<number, Map<number, Item[]>>();
  const counts = new Map<number, number>();
  for (const item of items) {
    const count = (counts.get(item.business) ?? 0) + 1;
    counts.set(item.business, count);
    if (count > share) continue;
    const orders = byBusiness.get(item.business) ?? new Map<number, Item[]>();
    byBusiness.set(item.business, orders);
    orders.set(item.order_id, [...(orders.get(item.order_id) ?? []), item]);
  }
  const lists = [...byBusiness.values()].map((orders) => [...orders.values()]);
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => (list[turn] ? [list[turn]] : []))).flat();
}
