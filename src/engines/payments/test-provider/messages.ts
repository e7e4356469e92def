/**
 * Sends the signed messages of the test provider, as an unkind provider does: each twice, and not in their order. A
 * message that fails is sent again.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointItem } from './objects.js';
import type { Item, Store } from './store.js';

/** Messages are collected for this time, and then sent in the reverse order. */
const COLLECT_MS = 100;
const TIMEOUT_MS = 5_000;
const RETRIES_MS = [500, 2_000, 10_000, 60_000];

/** A message that was not delivered to all endpoints yet. */
interface EventItem extends Item {
  readonly isSent?: boolean;
}

export interface MessagesOptions {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type Messages = ReturnType<typeof createMessages>;

export function createMessages({ store, now }: MessagesOptions) {
  const stopping = new AbortController();
  const collected: { account: string; event: EventItem }[] = [];
  const sending = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function add(account: string, event: EventItem): void {
    store.put('event', account, event);
    collected.push({ account, event });
    timer ??= setTimeout(send, COLLECT_MS).unref();
  }

  function send(): void {
    timer = undefined;
    for (const { account, event } of collected.splice(0).reverse()) {
      const delivery = deliver(account, event).finally(() => sending.delete(delivery));
      sending.add(delivery);
    }
  }

  async function deliver(account: string, event: EventItem): Promise<void> {
    const endpoints = store.list<EndpointItem>('webhook_endpoint', account);
    // One after the other, so that the second one is a repetition.
    for (const endpoint of endpoints)
      for (let copy = 0; copy < 2; copy += 1) if (!(await reach(endpoint, event))) return;
    if (!stopping.signal.aborted) store.put('event', account, { ...event, isSent: true });
  }

  /** Whether the endpoint has accepted it, after at most five attempts. */
  async function reach({ url, secret }: EndpointItem, { isSent: _isSent, ...event }: EventItem): Promise<boolean> {
    for (const delayMs of [...RETRIES_MS, undefined]) {
      if (stopping.signal.aborted) return false;
      if (await post(url, secret, JSON.stringify(event))) return true;
      if (delayMs !== undefined)
        await sleep(delayMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
    return false;
  }

  async function post(url: string, secret: string, body: string): Promise<boolean> {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureOf(body, secret, now()),
      },
    }).catch(() => undefined);
    await response?.body?.cancel();
    return response !== undefined && response.status >= 200 && response.status < 300;
  }

  // Messages of a provider that ended before they were sent.
  for (const { account, item } of store.all<EventItem>('event'))
    if (!item.isSent) collected.push({ account, event: item });
  if (collected.length > 0) timer = setTimeout(send, COLLECT_MS).unref();

  return {
    add,
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await Promise.all(sending);
    },
  };
}

/** The header `Stripe-Signature`. `now`: milliseconds since 1970. */
export function signatureOf(body: string, secret: string, now: number): string {
  const time = Math.floor(now / 1_000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
