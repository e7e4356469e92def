/**
 * Handles a delivery of pushes: appends the events and sends the responses. Only then the broker may discard the
 * pushes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Message, Received } from '../../events/core/broker.js';
import type { ProviderCaller } from '../core/callers.js';
import { handleMessage, type MessageResult, type HandleMessageOptions } from './handle-message.js';
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
const TEMPORARY_ERRORS: readonly (string | undefined)[] = ['UNAVAILABLE', 'RATE_LIMITED'];

export interface IngestDeliveryOptions extends HandleMessageOptions {
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
  const results = new Map<Received, MessageResult>();
  await runLanes(
    intoLanes(messages, ({ key }) => key?.toString('latin1')),
    WIDTH,
    async (message) => {
      results.set(message, await handleWithRetries(message, caller, signal, options));
    },
  );
  const topics = ingestTopics(options.prefix, provider);
  await sendWithRetries(
    messages.flatMap((message) => messagesFor(message, results.get(message)!, topics)),
    signal,
    options,
  );
}

/** Retries sending: a new partition leader is found within a second, which is no reason to process the pushes again. */
async function sendWithRetries(
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
async function handleWithRetries(
  message: Received,
  caller: ProviderCaller,
  signal: AbortSignal,
  options: IngestDeliveryOptions,
): Promise<MessageResult> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const result = await handleMessage(message, caller, options);
    const isTemporary =
      TEMPORARY_ERRORS.includes(result.refused) || (result.refused === 'INTERNAL' && attempt < ATTEMPTS);
    if (result.status >= 500) options.onFailure(result.cause, message);
    if (!isTemporary) return result;
    await pause(attempt, signal);
  }
}

const pause = (attempt: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2), undefined, { signal });
