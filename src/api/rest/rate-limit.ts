/** So many requests a second for each client, in this process: memory is bounded by the clients of one second. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../core/errors.js';

export interface RateLimitOptions {
  /** Requests per second and client. */
  readonly read: number;
  readonly write: number;
}

/** Counts one request of a client; throws RATE_LIMITED with the seconds to wait. */
export function createRateLimit({
  read,
  write,
}: RateLimitOptions): (kind: 'read' | 'write', client: string) => Promise<void> {
  const limiters = {
    read: new RateLimiterMemory({ points: read, duration: 1 }),
    write: new RateLimiterMemory({ points: write, duration: 1 }),
  };
  return async (kind, client) => {
    try {
      await limiters[kind].consume(client);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      throw new ApiError('RATE_LIMITED', { params: { seconds }, headers: { 'Retry-After': String(seconds) } });
    }
  };
}
