/** Handles a delivery of pushes: append, answer, and only then may the broker forget them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Message, Received } from '../../events/core/broker.js';
import type { ProviderCaller } from '../core/callers.js';
import { answerMessage, type Answered, type AnswerOptions } from './answer.js';
import { intoLanes, runLanes } from './lanes.js';
import { messagesFor } from './outbox.js';
import { ingestTopics } from './topics.js';

/** Pushes of one partition under way at a time, each of another key. */
const WIDTH = 64;
const RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;
/** So often a push that breaks us is tried before it becomes a dead letter: one bug must not stop everybody. */
const ATTEMPTS = 5;
const SEND_ATTEMPTS = 4;
/** Refusals that end on their own. */
const WAITING: readonly (string | undefined)[] = ['UNAVAILABLE', 'RATE_LIMITED'];

export interface IngestDeliveryOptions extends AnswerOptions {
  readonly prefix: string;
  /** The provider of an id as a caller; throws when there is none. */
  readonly callerOf: (provider: string) => Promise<ProviderCaller>;
  readonly send: (messages: readonly Message[]) => Promise<void>;
  /** The log was away, or a push broke us: what HTTP would answer 5xx. */
  readonly onFailure: (error: unknown, message: Received) => void;
}

/**
 * Returns once every push of the delivery is durable or refused, and its answer acknowledged. Throws on abort, and when
 * the broker does not take the answers; the same pushes then come again and are duplicates.
 */
export async function ingestDelivery(
  { messages }: Delivery,
  provider: string,
  signal: AbortSignal,
  options: IngestDeliveryOptions,
): Promise<void> {
  const caller = await options.callerOf(provider);
  const answers = new Map<Received, Answered>();
  await runLanes(
    intoLanes(messages, ({ key }) => key?.toString('latin1')),
    WIDTH,
    async (message) => {
      answers.set(message, await answerPatiently(message, caller, signal, options));
    },
  );
  const topics = ingestTopics(options.prefix, provider);
  await sendPatiently(
    messages.flatMap((message) => messagesFor(message, answers.get(message)!, topics)),
    signal,
    options,
  );
}

/** A leader that moved is found again within the second: no reason to take the pushes in again. */
async function sendPatiently(
  messages: readonly Message[],
  signal: AbortSignal,
  { send }: IngestDeliveryOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(messages);
    } catch (error) {
      if (attempt === SEND_ATTEMPTS || signal.aborted) throw error;
      await pause(attempt, signal);
    }
  }
}

/**
 * While the log is away the push waits: it is no fault of the push. So does one above the provider's rate limit: a
 * topic needs no refusal to slow down.
 */
async function answerPatiently(
  message: Received,
  caller: ProviderCaller,
  signal: AbortSignal,
  options: IngestDeliveryOptions,
): Promise<Answered> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const answered = await answerMessage(message, caller, options);
    const again = WAITING.includes(answered.refused) || (answered.refused === 'INTERNAL' && attempt < ATTEMPTS);
    if (answered.status >= 500) options.onFailure(answered.cause, message);
    if (!again) return answered;
    await pause(attempt, signal);
  }
}

const pause = (attempt: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2), undefined, { signal });
