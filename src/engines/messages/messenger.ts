/** Tells people something on their phones: by the push gateway, or into the outbox where there is none. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PushTokens } from '../postgres/push-tokens.js';
import type { Outbox } from './outbox.js';
import type { Parts } from '../../events/core/parts.js';

export interface Push {
  /** UUID: the gateway may tell the same message twice, and the app can see that it is one. */
  readonly id: string;
  readonly business: number;
  /** User id; all devices of the user are notified. */
  readonly to: number;
  /** What the app makes words of: `board_posted`. */
  readonly type: string;
  /** Ids and small values, nothing personal: it passes through others' servers. */
  readonly data: Readonly<Record<string, string>>;
}

export interface Delivery {
  readonly delivered: boolean;
  /** It lies in the outbox instead. */
  readonly outbox?: true;
  /** There is neither gateway nor outbox. */
  readonly configured?: false;
}

export type Messenger = ReturnType<typeof createMessenger>;

export interface MessengerOptions extends Parts<'now'> {
  readonly tokens: Pick<PushTokens, 'of'>;
  readonly gateway: { readonly url: string; readonly token: string } | undefined;
  readonly outbox: Outbox | undefined;
  readonly onError: (error: unknown, message: Pick<Push, 'id' | 'type'>) => void;
  /** Before the second and third try, in milliseconds. */
  readonly pauses?: readonly number[];
}

const TIMEOUT_MS = 10_000;

export function createMessenger({ tokens, gateway, outbox, now, onError, pauses = [500, 5_000] }: MessengerOptions) {
  async function tell({ id, type, data }: Push, token: string): Promise<void> {
    const answer = await fetch(gateway!.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway!.token}`, 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ type, token, data }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the push gateway answered ${answer.status}`);
  }

  async function tellInTime(message: Push, token: string): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await tell(message, token);
        return true;
      } catch (error) {
        const pause = pauses[attempt];
        if (pause === undefined) {
          onError(error, { id: message.id, type: message.type });
          return false;
        }
        await sleep(pause);
      }
    }
  }

  return {
    /** Never throws: the area's feed reports what cannot be delivered. */
    async push(message: Push): Promise<Delivery> {
      try {
        if (gateway) {
          const told = await Promise.all((await tokens.of(message.to)).map((token) => tellInTime(message, token)));
          return { delivered: told.includes(true) };
        }
        if (!outbox) return { delivered: false, configured: false };
        await outbox.put({ ...message, channel: 'push', at: new Date(now()).toISOString() });
        return { delivered: false, outbox: true };
      } catch (error) {
        onError(error, { id: message.id, type: message.type });
        return { delivered: false };
      }
    },
  };
}
