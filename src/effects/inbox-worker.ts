/**
 * Processes the messages of the inbox. The messages of one account are processed in the order in which they were
 * received.
 */
import type { ClaimedMessage, Inbox } from '../engines/postgres/inbox.js';
import { withTimeout } from '../engines/timeouts.js';
import type { TimeLimits } from '../events/core/time-limits.js';
import type { InboundAdapter } from './inbound.js';
import { startLoop } from './wakeable-loop.js';

/** Maximum number of accounts whose messages a process handles at the same time. */
const MAX_ACCOUNTS = 16;

export interface InboxWorkerOptions {
  readonly inbox: Pick<Inbox, 'claim' | 'done' | 'failed'>;
  readonly adapters: () => ReadonlyMap<string, InboundAdapter>;
  readonly limits: TimeLimits;
  /** UUID of this process. */
  readonly worker: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** `messageId`: absent for an error that concerns no single message. */
  readonly onError: (error: unknown, messageId?: string) => void;
}

export type InboxWorker = ReturnType<typeof startInboxWorker>;

export function startInboxWorker({ inbox, adapters, limits, worker, now, onError }: InboxWorkerOptions) {
  async function round(): Promise<boolean> {
    const endsAt = now() + limits.effectClaimMs;
    const accounts = await inbox.claim(worker, MAX_ACCOUNTS, limits.effectClaimMs);
    await Promise.all(accounts.map((messages) => processAll(messages, endsAt)));
    return accounts.length > 0;
  }

  /** Messages that the claim does not outlast are due again when it ends. */
  async function processAll(messages: readonly ClaimedMessage[], endsAt: number): Promise<void> {
    for (const message of messages) {
      if (endsAt - now() < limits.effectActMs) return;
      await processOne(message).catch((error: unknown) => onError(error, message.id));
    }
  }

  async function processOne(message: ClaimedMessage): Promise<void> {
    try {
      const adapter = adapters().get(message.adapter);
      if (!adapter) throw new Error(`No area has the inbound adapter ${message.adapter}.`);
      await withTimeout(adapter.process(message), limits.effectCallMs, () => new ProcessingTimeout());
    } catch (error) {
      onError(error, message.id);
      const delay = Math.min(limits.effectRetryMs * 4 ** message.attempts, limits.effectMaxRetryMs);
      await inbox.failed(message.id, worker, reasonOf(error), delay);
      return;
    }
    await inbox.done(message.id, worker);
  }

  const loop = startLoop({ round, everyMs: limits.effectPollMs, onError });
  return { wake: loop.wake, stop: loop.stop };
}

class ProcessingTimeout extends Error {
  override readonly name = 'timeout';
}

/** A code: the text of an error may contain data of the message. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(typeof code === 'string' ? code : (name ?? 'error')).slice(0, 100);
}
