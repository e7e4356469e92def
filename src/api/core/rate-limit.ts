/**
 * Limits the requests per second of a client across all processes of a database. Each process counts in memory, which
 * is bounded by the number of clients of one second. It learns the counts of the other processes within a tenth of a
 * second. Response headers report the remaining limit as draft-ietf-httpapi-ratelimit-headers defines.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../engines/network-of.js';
import type { SharedCounts } from '../../engines/postgres/shared-counts.js';
import { ApiError } from './errors.js';

export interface RateLimitOptions {
  /** Requests per second and client. */
  readonly read: number;
  readonly write: number;
}

/**
 * Counts one request of a client, or `points` parts of a request. Returns the headers with the remaining limit; throws
 * RATE_LIMITED with these headers. Parts beyond the limit of a second do not count, or a request with more parts than
 * that could never be sent.
 */
export type Limit = (
  kind: keyof RateLimitOptions,
  client: string,
  points?: number,
) => Promise<Readonly<Record<string, string>>>;

/** Takes points from a client's quota of the second. Returns the remaining points; throws RATE_LIMITED. */
export type Quota = (client: string, points?: number) => Promise<RateLimiterRes>;

const WINDOW_S = 1;

export function createRateLimit(quotas: RateLimitOptions, counts: SharedCounts): Limit {
  const limitHeaders = (kind: keyof RateLimitOptions) => (counted: RateLimiterRes) =>
    headersOf(kind, quotas[kind], counted);
  const take = {
    read: createQuota('read', quotas.read, counts, limitHeaders('read')),
    write: createQuota('write', quotas.write, counts, limitHeaders('write')),
  };
  return async (kind, client, points = 1) =>
    headersOf(kind, quotas[kind], await take[kind](client, Math.min(points, Math.max(1, quotas[kind] - 1))));
}

/** `name`: the same in every process. `headers`: headers of RATE_LIMITED in addition to `Retry-After`. */
export function createQuota(
  name: string,
  points: number,
  counts: SharedCounts,
  headers: (counted: RateLimiterRes) => Record<string, string> = () => ({}),
): Quota {
  const limiter = new RateLimiterMemory({ points, duration: WINDOW_S });
  const count = counts.join(name, points, (client, otherCount) => void limiter.penalty(client, otherCount));
  return async (caller, taken = 1) => {
    // An IPv6 subscriber has too many addresses to count each one, so the network is counted. Names of callers stay
    // unchanged.
    const client = networkOf(caller);
    try {
      const counted = await limiter.consume(client, taken);
      count(client, taken);
      return counted;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = secondsLeft(refusal);
      throw new ApiError('RATE_LIMITED', {
        params: { seconds },
        headers: { ...headers(refusal), 'Retry-After': String(seconds) },
      });
    }
  };
}

/** Counts a request by the address of an anonymous client; throws RATE_LIMITED. */
export type Allowance = (address: string) => Promise<void>;

/** Allows `points` in `duration` seconds per network, across all processes. `name`: the same in each process. */
export type MakeAllowance = (name: string, quota: { readonly points: number; readonly duration: number }) => Allowance;

/** Limits actions of anonymous clients whose effects are stored for a long time. */
export const createAllowances =
  (counts: SharedCounts): MakeAllowance =>
  (name, quota) => {
    const limiter = new RateLimiterMemory(quota);
    const perSecond = quota.points / quota.duration;
    const count = counts.join(name, perSecond, (network, otherCount) => void limiter.penalty(network, otherCount));
    return async (address) => {
      const network = networkOf(address);
      try {
        await limiter.consume(network);
        count(network, 1);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const seconds = secondsLeft(refusal);
        throw new ApiError('RATE_LIMITED', { params: { seconds }, headers: { 'Retry-After': String(seconds) } });
      }
    };
  };

const secondsLeft = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1_000));

const headersOf = (kind: string, quota: number, counted: RateLimiterRes): Record<string, string> => ({
  'RateLimit-Policy': `"${kind}";q=${quota};w=${WINDOW_S}`,
  RateLimit: `"${kind}";r=${counted.remainingPoints};t=${secondsLeft(counted)}`,
});
