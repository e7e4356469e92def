/** Sends push notifications to users: through the push gateway, or into the outbox if no gateway is configured. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PushTokens } from '../postgres/push-tokens.js';
import type { Outbox } from './outbox.js';
import type { Parts } from '../../events/core/parts.js';

export interface Push {
  /** UUID. The gateway may deliver a message twice, and the app detects the duplicate by the id. */
  readonly id: string;
  readonly business: number;
  /** User id; all devices of the user are notified. */
  readonly to: number;
  /** Message type, for which the app has a text: `board_posted`. */
  readonly type: string;
  /** Ids and small values. No personal data, because the message passes third-party servers. */
  readonly data: Readonly<Record<string, string>>;
}

export interface Delivery {
  readonly delivered: boolean;
  /** The message was stored in the outbox instead. */
  readonly outbox?: true;
  /** Neither a gateway nor an outbox is configured. */
  readonly configured?: false;
}

export type Messenger = ReturnType<typeof createMessenger>;

export interface MessengerOptions extends Parts<'now'> {
  readonly tokens: Pick<PushTokens, 'of'>;
  readonly gateway: { readonly url: string; readonly token: string } | undefined;
  readonly outbox: Outbox | undefined;
  readonly onError: (error: unknown, message: Pick<Push, 'id' | 'type'>) => void;
  /** Delays before the second and third attempt, in milliseconds. */
  readonly pauses?: readonly number[];
}

const TIMEOUT_MS = 10_000;

export function createMessenger({ tokens, gateway, outbox, now, onError, pauses = [500, 5_000] }: MessengerOptions) {
  async function send({ id, type, data }: Push, token: string): Promise<void> {
    const answer = await fetch(gateway!.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway!.token}`, 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ type, token, data }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the push gateway returned ${answer.status}`);
  }

  async function sendWithRetries(message: Push, token: string): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await send(message, token);
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
    /** Never throws. If the message cannot be delivered, the feed of the area still contains the information. */
    async push(message: Push): Promise<Delivery> {
      try {
        if (gateway) {
          const results = await Promise.all(
            (await tokens.of(message.to)).map((token) => sendWithRetries(message, token)),
          );
          return { delivered: results.includes(true) };
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
