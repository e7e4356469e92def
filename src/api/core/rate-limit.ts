/**
 * So many requests a second for each client, in this process: memory is bounded by the clients of one second. What is
 * left is told as draft-ietf-httpapi-ratelimit-headers says.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../engines/network-of.js';
import { ApiError } from './errors.js';

export interface RateLimitOptions {
  /** Requests per second and client. */
  readonly read: number;
  readonly write: number;
}

/** Counts one request of a client; gives the headers that tell what is left, throws RATE_LIMITED with them. */
export type Limit = (kind: keyof RateLimitOptions, client: string) => Promise<Readonly<Record<string, string>>>;

const WINDOW_S = 1;

export function createRateLimit(quotas: RateLimitOptions): Limit {
  const limiters = {
    read: new RateLimiterMemory({ points: quotas.read, duration: WINDOW_S }),
    write: new RateLimiterMemory({ points: quotas.write, duration: WINDOW_S }),
  };
  return async (kind, client) => {
    try {
      return headersOf(kind, quotas[kind], await limiters[kind].consume(client));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = secondsLeft(refusal);
      throw new ApiError('RATE_LIMITED', {
        params: { seconds },
        headers: { ...headersOf(kind, quotas[kind], refusal), 'Retry-After': String(seconds) },
      });
    }
  };
}

/**
 * So many of what a stranger may do, for each network in this process: what each of them leaves behind stays for long.
 * Takes the address; throws RATE_LIMITED.
 */
export function createAllowance(quota: { readonly points: number; readonly duration: number }) {
  const limiter = new RateLimiterMemory(quota);
  return async (address: string): Promise<void> => {
    try {
      await limiter.consume(networkOf(address));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = secondsLeft(refusal);
      throw new ApiError('RATE_LIMITED', { params: { seconds }, headers: { 'Retry-After': String(seconds) } });
    }
  };
}

const secondsLeft = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1_000));

const headersOf = (kind: string, quota: number, counted: RateLimiterRes): Record<string, string> => ({
  'RateLimit-Policy': `"${kind}";q=${quota};w=${WINDOW_S}`,
  RateLimit: `"${kind}";r=${counted.remainingPoints};t=${secondsLeft(counted)}`,
});
