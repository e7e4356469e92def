/** One delivery attempt: creates, signs and sends the body, and handles the response. */
import type { Attempt, Claimed, Settled } from '../engines/postgres/webhook-delivery.js';
import type { WebhookQueue } from '../engines/postgres/webhook-queue.js';
import type { WebhookSecrets } from '../engines/postgres/webhook-secrets.js';
import type { PostResult, Post } from '../engines/webhooks/post.js';
import { retryAfterMs } from '../engines/retry-after.js';
import type { WebhookEndpoint } from '../events/webhooks/events.js';
import type { OpenDestination, WebhookQueries } from '../projections/webhooks/queries.js';
import type { Bodies, Body } from './bodies.js';
import { exampleBody } from './examples.js';
import { signatureHeaders } from './signature.js';

/** Maximum number of retries after the first attempt, and the factor by which the delay grows with each retry. */
export const RETRIES = 5;
const FACTOR = 8;
/** An endpoint is paused after this many consecutive deliveries that used all their attempts. */
const PAUSED_AFTER = 3;
const GONE = 410;

export type Outcome = 'delivered' | 'retried' | 'failed' | 'skipped';

export interface AttemptsOptions {
  readonly queue: Pick<WebhookQueue, 'settle' | 'givenUpInARow' | 'skipPending'>;
  readonly queries: Pick<WebhookQueries, 'settings'>;
  readonly secrets: Pick<WebhookSecrets, 'live'>;
  readonly bodies: Pick<Bodies, 'of'>;
  readonly post: Post;
  /** Stops later deliveries until the endpoint is set again. */
  readonly pause: (
    business: number,
    endpoint: WebhookEndpoint,
    endpointId: string,
    reason: 'failing' | 'gone',
  ) => Promise<void>;
  /** Delay before the first retry in milliseconds. */
  readonly retryMs: number;
  readonly now: () => number;
}

export type Attempts = ReturnType<typeof createAttempts>;

export interface AttemptResult {
  readonly outcome: Outcome;
  /** Absent if no attempt was made. */
  readonly attempt?: Attempt;
  /** Milliseconds until the next attempt, if there is one. */
  readonly retry?: number;
  /** Milliseconds for which the endpoint asked for no more requests. */
  readonly requested?: number;
}

/**
 * Returns the delay in milliseconds before the retry that follows `failed` attempts of this round: 1, 8, 64, ... times
 * `retryMs`, varied by up to a quarter.
 */
export const retryDelay = (failed: number, retryMs: number, random = Math.random): number =>
  Math.round(retryMs * FACTOR ** (failed - 1) * (0.75 + random() / 2));

/** The longest delay in milliseconds that an endpoint can request by `Retry-After`: that of the last retry. */
export const maxRequestedDelay = (retryMs: number): number => retryMs * FACTOR ** (RETRIES - 1);

export function createAttempts({ queue, queries, secrets, bodies, post, pause, retryMs, now }: AttemptsOptions) {
  async function skip(delivery: Claimed, error: string): Promise<AttemptResult> {
    await queue.settle(delivery, { state: 'skipped', error });
    return { outcome: 'skipped' };
  }

  async function make(delivery: Claimed): Promise<AttemptResult> {
    const { id, business, kind } = delivery;
    const [{ destinations, flags }, live] = await Promise.all([queries.settings(business), secrets.live(business)]);
    const destination = destinations.get(kind);
    const url = delivery.target ?? destination?.url;
    if (url === undefined || (delivery.event && !flags.webhooks_enabled)) return skip(delivery, 'switched_off');
    if (live.length === 0) return skip(delivery, 'no_secret');
    const body = delivery.event ? await bodies.of(kind, delivery.event, flags) : exampleBody(kind, delivery.recordedAt);
    const at = now();
    const answered = await post(url, body.bytes, signatureHeaders(id, at, body.bytes, live));
    const attempt = attemptOf(answered, url, at, body);
    const requested = requestedBy(answered);
    const settled = settledBy(delivery, answered, requested);
    await queue.settle(delivery, settled, attempt);
    if (delivery.event && destination) await maybePause(business, destination, answered, settled);
    return {
      ...('retry' in settled ? { outcome: 'retried', retry: settled.retry } : { outcome: settled.state }),
      attempt,
      ...(requested > 0 && { requested }),
    };
  }

  /** Returns the delay that a failed attempt's response requests, at most the delay of the last retry; 0: none. */
  function requestedBy({ error, retryAfter }: PostResult): number {
    if (error === undefined) return 0;
    return Math.min(retryAfterMs(retryAfter, now()) ?? 0, maxRequestedDelay(retryMs));
  }

  function settledBy({ event, attempts, most }: Claimed, { status, error }: PostResult, requested: number): Settled {
    if (error === undefined) return { state: 'delivered' };
    if (attempts >= most || status === GONE) return { state: 'failed', error };
    // A replay starts a new round of attempts.
    const failed = event ? attempts - Math.max(0, most - RETRIES - 1) : attempts;
    return { retry: Math.max(retryDelay(failed, retryMs), requested), error };
  }

  async function maybePause(
    business: number,
    { endpoint, id, set_at, paused }: OpenDestination,
    { status }: PostResult,
    settled: Settled,
  ): Promise<void> {
    if (paused || 'retry' in settled || settled.state !== 'failed') return;
    const gone = status === GONE;
    if (!gone && (await queue.givenUpInARow(business, endpoint, set_at)) < PAUSED_AFTER) return;
    await pause(business, endpoint, id, gone ? 'gone' : 'failing');
    await queue.skipPending(business, endpoint, 'paused');
  }

  return { make };
}

/** A response to personal data can repeat that data, so its text is not stored. */
function attemptOf({ status, error, text, ms }: PostResult, url: string, at: number, { personal }: Body): Attempt {
  return {
    at: new Date(at),
    ms,
    url,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(text && !personal && { answer: text }),
  };
}
