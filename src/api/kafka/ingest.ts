/**
 * Handles a delivery of pushes: appends the events and sends the responses. Only then the broker may discard the
 * pushes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Message, Received } from '../../events/core/broker.js';
import type { ProviderCaller } from '../core/callers.js';
import { answerMessage, type Answered, type AnswerOptions } from './answer.js';
import { intoLanes, runLanes } from './lanes.js';
import { messagesFor } from './outbox.js';
import { ingestTopics } from './topics.js';

/** Maximum number of pushes of one partition that are processed at a time, each with a different key. */
const WIDTH = 64;
const RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;
/**
 * Attempts before a push that causes an internal error becomes a dead letter, so that one bug does not block all
 * pushes.
 */
const ATTEMPTS = 5;
const SEND_ATTEMPTS = 4;
/** Temporary errors. */
const WAITING: readonly (string | undefined)[] = ['UNAVAILABLE', 'RATE_LIMITED'];

export interface IngestDeliveryOptions extends AnswerOptions {
  readonly prefix: string;
  /** The provider with this id as a caller; throws if it does not exist. */
  readonly callerOf: (provider: string) => Promise<ProviderCaller>;
  readonly send: (messages: readonly Message[]) => Promise<void>;
  /** Called if the log is unavailable or a push causes an internal error: for responses 5xx of HTTP. */
  readonly onFailure: (error: unknown, message: Received) => void;
}

/**
 * Returns once every push of the delivery is stored or rejected, and the broker has acknowledged its response. Throws
 * on abort, and if the broker does not accept the responses. The same pushes are then delivered again and are
 * duplicates.
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

/** Retries sending: a new partition leader is found within a second, which is no reason to process the pushes again. */
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
 * Retries while the log is unavailable or the provider is over its rate limit. Waiting slows the topic down, so no
 * error is needed.
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
