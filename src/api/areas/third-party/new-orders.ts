/** Waits until a provider gets another order: a long poll. All waiting requests share one reader of the log. */
import type { StoredEvent } from '../../../events/core/log.js';
import { ORDER_PREFIX, ThirdPartyOffered, ThirdPartyTookOrder } from '../../../events/orders/events.js';
import { ApiError } from '../../core/errors.js';
import { createLogFeed } from '../../core/log-feed.js';
import { MAX_LAG_MS } from '../../core/log-feed-events.js';
import type { Parts } from '../../core/parts.js';

/** Maximum number of seconds that a provider may wait. */
export const MAX_WAIT_S = 25;
/** Maximum number of waiting requests of one provider, and in total. */
const MAX_PER_PROVIDER = 10;
const MAX_TOTAL = 1_000;
/** `Retry-After` in seconds for a provider over the limit. */
const RETRY_SECONDS = 10;

/**
 * Reads again after each order that the provider gets, until `read` finds something or the time is over. Returns the
 * last result.
 */
export type WaitForOrders = <T>(
  provider: string,
  seconds: number,
  read: () => Promise<T>,
  isEmpty: (found: T) => boolean,
) => Promise<T>;

export function createWaitForOrders({ log, progress, now }: Parts<'log' | 'progress' | 'now'>): WaitForOrders {
  const feed = createLogFeed<true>({
    log,
    now,
    prefixes: [ORDER_PREFIX],
    async resolve(events, position, wanted) {
      const providers = new Set(events.flatMap(providersOf).filter((provider) => wanted.has(provider)));
      if (providers.size > 0)
        await Promise.all(
          (['orders', 'third_party_offers'] as const).map((model) => progress.waitFor(model, position, MAX_LAG_MS)),
        );
      return new Map([...providers].map((provider) => [provider, true]));
    },
  });
  const waiting = new Map<string, number>();
  let total = 0;

  /** Counts a waiting request; throws RATE_LIMITED. */
  function enter(provider: string): () => void {
    const own = waiting.get(provider) ?? 0;
    if (own >= MAX_PER_PROVIDER || total >= MAX_TOTAL)
      throw new ApiError('RATE_LIMITED', {
        params: { seconds: RETRY_SECONDS },
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      });
    waiting.set(provider, own + 1);
    total += 1;
    return () => {
      total -= 1;
      const left = waiting.get(provider)! - 1;
      if (left > 0) waiting.set(provider, left);
      else waiting.delete(provider);
    };
  }

  return async (provider, seconds, read, isEmpty) => {
    if (seconds === 0) return read();
    const leave = enter(provider);
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), seconds * 1_000).unref();
    try {
      // The feed begins before the first read, so no order is missed between the two.
      const { news } = await feed.listen(provider, stop.signal);
      let found = await read();
      if (!isEmpty(found)) return found;
      for await (const _item of news) {
        found = await read();
        if (!isEmpty(found)) break;
      }
      return found;
    } finally {
      clearTimeout(timer);
      stop.abort();
      leave();
    }
  };
}

/** The providers that get an order by the event. */
function providersOf({ type, data }: StoredEvent): readonly string[] {
  if (type === ThirdPartyOffered.type) return data['providers'] as readonly string[];
  return type === ThirdPartyTookOrder.type ? [data['provider'] as string] : [];
}
