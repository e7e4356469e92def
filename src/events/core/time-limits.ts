/**
 * Leases, claims, time limits of calls and intervals of repairs. Each is a fixed multiple of one setting,
 * `LEASE_SECONDS`, so that their order stays at every scale: a lease outlasts its renewals, a claim outlasts the longest
 * response, and a repair begins later than the work that it repairs.
 */

export const DEFAULT_LEASE_SECONDS = 30;
/** A shorter lease is lost whenever a process is busy for a second. */
export const LEAST_LEASE_SECONDS = 3;
export const MOST_LEASE_SECONDS = 300;

/** At the default. */
const VALUES = {
  /**
   * Lease of a job or of a batch of orders, and claim on an Idempotency-Key or on the subject of a decision. Of a process
   * that is killed they end after this. Jobs are renewed each half second.
   */
  leaseSeconds: DEFAULT_LEASE_SECONDS,
  /** Lease of a reader of the log (read model, relay, collector of webhooks). Renewed three times in its life. */
  readerLeaseSeconds: 8,
  /** Lease of a range of timers. Renewed each `timerEveryMs`. */
  timerLeaseSeconds: 4,
  timerEveryMs: 1_000,
  /** Added to the time of an attempt to send a webhook: reading, writing and a slow moment. */
  webhookLeaseMs: 10_000,
  /** Longest wait of a caller for a response. Also of one statement of a request, and of a transaction without one. */
  responseMs: 15_000,
  /** Longest wait for an engine: a new connection to the database, or one response of EventStoreDB. */
  engineMs: 5_000,
  /** A statement that the server should have cancelled this long ago: the server is silent. */
  silenceMs: 2_000,
  /** Unfinished work that is older is repaired, and the interval of the look for it. */
  repairAfterMs: 10_000,
  repairEveryMs: 5_000,
  /** The same for time of a driver that was reserved and that no route claimed: longer than `responseMs`. */
  reservedAfterMs: 20_000,
  /** Interval of the look for keys that an erasure has missed. */
  erasureSweepMs: 30_000,
  /** Longest delay of the event that records the end of a proposal's time. */
  expiryMs: 60_000,
  /**
   * Session of a member of a consumer group: of a process that is killed the partitions are free after this. Heartbeats
   * come five times in it.
   */
  brokerSessionMs: 10_000,
  /** Interval of the look for new providers and their topics. */
  brokerLookMs: 5_000,
  /** An e-mail address that was claimed for an account which was never created is free after this. */
  orphanSeconds: 60,
  /** Interval of signs of life on a stream of MCP's old transport; a stream without them is forgotten after the other. */
  streamBeatMs: 15_000,
  streamSilentSeconds: 60,
} as const;

export type TimeLimits = { readonly [Name in keyof typeof VALUES]: number };

/** The least at any scale: a machine is busy for seconds now and then, however short the leases are. */
const LEAST: Partial<TimeLimits> = {
  readerLeaseSeconds: 2,
  timerLeaseSeconds: 2,
  timerEveryMs: 500,
  webhookLeaseMs: 2_000,
  responseMs: 2_000,
  engineMs: 2_000,
  silenceMs: 500,
  // The least that a broker takes where nothing else is configured.
  brokerSessionMs: 6_000,
  brokerLookMs: 500,
  reservedAfterMs: 2_500,
};

export function timeLimits(leaseSeconds = DEFAULT_LEASE_SECONDS): TimeLimits {
  const scale = leaseSeconds / DEFAULT_LEASE_SECONDS;
  const names = Object.keys(VALUES) as (keyof TimeLimits)[];
  const scaled = names.map((name) => {
    const value = Math.max(LEAST[name] ?? 0, VALUES[name] * scale);
    return [name, name.endsWith('Ms') ? Math.round(value) : value] as const;
  });
  return Object.freeze(Object.fromEntries(scaled) as Record<keyof TimeLimits, number>);
}

/** Who holds leases as a reader of the log. */
export interface LeaseHolder {
  /** UUID of the process. */
  readonly id: string;
  /** A lease that is not renewed ends after this. */
  readonly seconds: number;
}

export const leaseHolder = (id: string, { readerLeaseSeconds } = timeLimits()): LeaseHolder => ({
  id,
  seconds: readerLeaseSeconds,
});
