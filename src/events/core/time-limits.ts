/**
 * Leases, claims, timeouts and repair intervals. Each is a fixed multiple of one setting, `LEASE_SECONDS`, so that
 * their order stays the same at every scale. A lease outlasts its renewals, a claim outlasts the longest response, and
 * a repair begins later than the work that it repairs.
 */

export const DEFAULT_LEASE_SECONDS = 30;
/** A shorter lease would be lost whenever a process is busy for a second. */
export const MIN_LEASE_SECONDS = 3;
export const MAX_LEASE_SECONDS = 300;

/** Values at the default of `LEASE_SECONDS`. */
const VALUES = {
  /**
   * Lease of a job or of a batch of orders, and claim on an Idempotency-Key or on the subject of a decision. Leases and
   * claims of a killed process end after this time. Leases of jobs are renewed every half second.
   */
  leaseSeconds: DEFAULT_LEASE_SECONDS,
  /** Lease of a reader of the log (read model, relay, collector of webhooks). Renewed three times within this time. */
  readerLeaseSeconds: 8,
  /** Lease of a range of timers. Renewed every `timerEveryMs`. */
  timerLeaseSeconds: 4,
  timerEveryMs: 1_000,
  /** Added to the timeout of a webhook attempt, for reading, writing and delays. */
  webhookLeaseMs: 10_000,
  /** Response timeout of a caller. Also the timeout of a statement in a request, and of an idle transaction. */
  responseMs: 15_000,
  /** Timeout of an engine: a new connection to the database, or one response of EventStoreDB. */
  engineMs: 5_000,
  /** Delay after the statement timeout until the server counts as unresponsive. */
  silenceMs: 2_000,
  /** Age from which unfinished work is repaired, and the interval of that check. */
  repairAfterMs: 10_000,
  repairEveryMs: 5_000,
  /** Age from which the reserved time of a driver is repaired if no route has claimed it. Longer than `responseMs`. */
  reservedAfterMs: 20_000,
  /** Claim of a worker on an effect or on a message of the inbox. */
  effectClaimMs: 120_000,
  /** Timeout of a call to an external system. */
  effectCallMs: 30_000,
  /** An action starts only while at least this much of the claim is left. */
  effectActMs: 40_000,
  /** Time for which a request waits for the effect that it began. Shorter than `responseMs`. */
  effectInlineMs: 12_000,
  /** Delay after which another worker may claim an effect that a request has just started. */
  effectGraceMs: 2_000,
  /** Interval of the check for due effects and messages. */
  effectPollMs: 500,
  /** First delay of a retry; each additional delay is four times as long, at most `effectMaxRetryMs`. */
  effectRetryMs: 1_000,
  effectMaxRetryMs: 900_000,
  /** Age from which an effect with an unknown result is left open. */
  effectGiveUpMs: 86_400_000,
  /** Time for which no call is made to an account of an external system that fails. */
  effectCircuitMs: 30_000,
  /** Timeout of a read at the payment provider within a request. */
  paymentReadMs: 2_500,
  /** Delays before the reads of a card payment for which no message has arrived; then at the last interval. */
  paymentFirstReadMs: 10_000,
  paymentSecondReadMs: 60_000,
  paymentThirdReadMs: 300_000,
  paymentReadEveryMs: 3_600_000,
  /** Time for which a payment is read, and time for which a pending refund is then read daily. */
  paymentReadsEndMs: 259_200_000,
  refundReadEveryMs: 86_400_000,
  refundReadsEndMs: 3_888_000_000,
  /** Interval of the check for payments that are due. */
  paymentPollMs: 1_000,
  /** Interval of the check for keys that an erasure has missed. */
  erasureSweepMs: 30_000,
  /** Maximum delay of the event that records the expiry of a proposal. */
  expiryMs: 60_000,
  /**
   * Session timeout in a consumer group: the partitions of a killed process are reassigned after this. Five heartbeats
   * are sent within it.
   */
  brokerSessionMs: 10_000,
  /** Interval of the check for new providers and their topics. */
  brokerLookMs: 5_000,
  /** An e-mail address that was claimed for an account which was never created becomes free after this time. */
  orphanSeconds: 60,
  /**
   * Heartbeat interval of a stream of MCP's old transport, and the time without heartbeats after which a stream is
   * deleted.
   */
  streamBeatMs: 15_000,
  streamSilentSeconds: 60,
} as const;

export type TimeLimits = { readonly [Name in keyof typeof VALUES]: number };

/** Minimum values at any scale: a machine is sometimes busy for seconds, however short the leases are. */
const MIN_VALUES: Partial<TimeLimits> = {
  readerLeaseSeconds: 2,
  timerLeaseSeconds: 2,
  timerEveryMs: 500,
  webhookLeaseMs: 2_000,
  responseMs: 2_000,
  engineMs: 2_000,
  silenceMs: 500,
  // The minimum that a broker accepts by default.
  brokerSessionMs: 6_000,
  brokerLookMs: 500,
  reservedAfterMs: 2_500,
  effectInlineMs: 1_200,
  effectGraceMs: 500,
  effectPollMs: 100,
  paymentReadMs: 500,
  paymentPollMs: 200,
};

export function timeLimits(leaseSeconds = DEFAULT_LEASE_SECONDS): TimeLimits {
  const scale = leaseSeconds / DEFAULT_LEASE_SECONDS;
  const names = Object.keys(VALUES) as (keyof TimeLimits)[];
  const scaled = names.map((name) => {
    const value = Math.max(MIN_VALUES[name] ?? 0, VALUES[name] * scale);
    return [name, name.endsWith('Ms') ? Math.round(value) : value] as const;
  });
  return Object.freeze(Object.fromEntries(scaled) as Record<keyof TimeLimits, number>);
}

/** A process that holds leases as a reader of the log. */
export interface LeaseHolder {
  /** UUID of the process. */
  readonly id: string;
  /** Duration of a lease without renewal. */
  readonly seconds: number;
}

export const leaseHolder = (id: string, { readerLeaseSeconds } = timeLimits()): LeaseHolder => ({
  id,
  seconds: readerLeaseSeconds,
});
