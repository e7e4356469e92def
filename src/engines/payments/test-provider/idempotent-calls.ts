/**
 * Idempotency keys of the test provider: the first request with a key acts, and its response is stored for 24 hours,
 * also a failure. Requests that are not valid are not stored.
 */
import { createHash } from 'node:crypto';
import { failed, SERVER_ERROR, type Reply } from './errors.js';
import type { Form } from './form.js';
import type { Item, Store } from './store.js';

export interface ProviderCall {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly form: Form;
}

/** Runs around something. */
export type CallHook = (call: ProviderCall, run: () => Promise<Reply>) => Promise<Reply>;

/** A stored response; its id is the key. */
interface ResponseItem extends Item {
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
  readonly reply: Reply;
}

const KEPT_MS = 24 * 3_600_000;

export interface IdempotentCallsOptions {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly around: CallHook;
}

export function createIdempotentCalls({ store, now, around }: IdempotentCallsOptions) {
  const active = new Set<string>();

  return async (
    call: ProviderCall,
    { account, body }: { readonly account: string; readonly body: string },
    act: () => Reply,
  ): Promise<Reply> => {
    const { key, path } = call;
    if (key === undefined) return around(call, () => Promise.resolve(act())).catch(() => SERVER_ERROR);
    const fingerprint = createHash('sha256').update(`${path}\n${body}`).digest('hex');
    const stored = store.get<ResponseItem>('response', account, key);
    if (stored && now() - stored.storedAt < KEPT_MS) {
      if (stored.fingerprint !== fingerprint)
        return failed(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters.',
        });
      return { ...stored.reply, headers: { 'idempotency-key': key, 'idempotent-replayed': 'true' } };
    }
    const running = `${account} ${key}`;
    if (active.has(running))
      return failed(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: 'There is currently another in-progress request using this idempotency key.',
      });
    active.add(running);
    const keep = (reply: Reply): Reply => {
      if (!reply.isInvalid) store.put('response', account, { id: key, fingerprint, storedAt: now(), reply });
      return reply;
    };
    try {
      // What happened and its response are stored together: a provider that is killed in between would act again.
      let acted: Reply | undefined;
      const actAndKeep = () => Promise.resolve((acted = store.atomically(() => keep(act()))));
      const reply = await around(call, actAndKeep).catch(() => SERVER_ERROR);
      if (reply !== acted) keep(reply);
      return { ...reply, headers: { 'idempotency-key': key } };
    } finally {
      active.delete(running);
    }
  };
}
