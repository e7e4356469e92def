/**
 * Background work of card payments: a follower of the log continues what a process left when it ended, and payments are
 * read at the provider at intervals, because a message may be lost.
 */
import { DomainError } from '../../commands/core/domain-error.js';
import { CARD_BOOKINGS, type BookCard } from '../../commands/wallet/booking-cards.js';
import type { Parts } from '../../api/core/parts.js';
import { startLoop } from '../../effects/wakeable-loop.js';
import type { Engines } from '../../engines/open.js';
import type { ClaimedRead, PaymentReads } from '../../engines/postgres/payment-reads.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { CARD_PAYMENT, CARD_REFUND } from '../../events/wallet/card-payments.js';
import { TOP_UP_PREFIX, TopUpExpired } from '../../events/wallet/top-ups.js';
import { startFollower } from '../../projections/core/follower.js';
import type { CardPayments, Expectation } from './card-payments.js';

/** Its row in the checkpoint table. */
export const CARD_WORK = { name: 'card_payments', version: 1, prefixes: [TOP_UP_PREFIX] } as const;

/** Maximum number of payments that a process reads at the same time. */
const MAX_CONCURRENT = 16;

/** After these events, the provider may soon report something else. */
const EXPECTING: ReadonlySet<string> = new Set([CARD_PAYMENT.done.type, CARD_REFUND.done.type]);

export interface CardWorkOptions extends Parts<'progress' | 'logger'> {
  readonly engines: Pick<Engines, 'log' | 'projectionPool' | 'holder' | 'limits'>;
  readonly book: BookCard;
  readonly reads: PaymentReads;
  readonly payments: Pick<CardPayments, 'refresh'>;
}

export function startCardWork({
  engines: { log, projectionPool: pool, holder: owner, limits },
  book,
  reads,
  payments,
  progress,
  logger,
}: CardWorkOptions) {
  const follower = startFollower({
    reader: CARD_WORK,
    log,
    pool,
    owner,
    progress,
    background: true,
    onError: (error) => logger.error({ err: error }, 'card payments are not booked yet, trying again'),
    async take({ events }, commit) {
      const booked = new Set(events.filter(({ type }) => CARD_BOOKINGS.has(type)).map(({ stream }) => stream));
      for (const stream of booked) await bookUnlessRefused(stream);
      const expecting = events.filter(({ type }) => EXPECTING.has(type)).map(toPayment);
      const expired = events.filter(({ type }) => type === TopUpExpired.type).map(toPayment);
      if (expecting.length + expired.length === 0) return;
      await commit(async (db) => {
        if (expecting.length > 0) await reads.add(db, expecting, limits.paymentFirstReadMs);
        // The payment is ended at the provider.
        if (expired.length > 0) await reads.add(db, expired, 0);
      });
    },
  });

  /** A wallet that refuses a booking must not delay the top-ups of others. */
  async function bookUnlessRefused(stream: string): Promise<void> {
    try {
      await book(stream);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      logger.error({ stream, code: error.code }, 'the wallet refuses a booking of a card payment');
    }
  }

  async function round(): Promise<boolean> {
    const claimed = await reads.claimDue(owner.id, MAX_CONCURRENT, limits.effectClaimMs);
    await Promise.all(claimed.map(readOne));
    return claimed.length === MAX_CONCURRENT;
  }

  async function readOne(payment: ClaimedRead): Promise<void> {
    const { topUpId, stream } = payment;
    let expected: Expectation = 'refund';
    try {
      expected = await payments.refresh(stream);
    } catch (error) {
      logger.warn({ err: error, stream }, 'a card payment could not be read, trying again');
    }
    await reads.ended(topUpId, owner.id, nextReadIn(payment, expected, limits, Date.now()));
  }

  const loop = startLoop({
    round,
    everyMs: limits.paymentPollMs,
    onError: (error) => logger.error({ err: error }, 'card payments could not be read, trying again'),
  });
  return {
    async stop(): Promise<void> {
      await Promise.all([follower.stop(), loop.stop()]);
    },
  };
}

/**
 * Milliseconds until the next read; undefined: none. A pending refund is read daily after the time of a payment. `now`:
 * milliseconds since 1970.
 */
export function nextReadIn(
  { reads, begunAt }: Pick<ClaimedRead, 'reads' | 'begunAt'>,
  expected: Expectation,
  limits: TimeLimits,
  now: number,
): number | undefined {
  if (expected === undefined) return undefined;
  const age = now - begunAt.getTime();
  if (age < limits.paymentReadsEndMs)
    return [limits.paymentSecondReadMs, limits.paymentThirdReadMs][reads] ?? limits.paymentReadEveryMs;
  return expected === 'refund' && age < limits.refundReadsEndMs ? limits.refundReadEveryMs : undefined;
}

const toPayment = ({ stream }: StoredEvent) => ({ topUpId: Number(stream.slice(TOP_UP_PREFIX.length)), stream });
