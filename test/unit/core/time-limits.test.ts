/** Time limits keep their order at every scale: leases last longer than renewals, claims longer than responses. */
import { expect } from 'chai';
import { readConfig } from '../../../src/config.js';
import { MIN_LEASE_SECONDS, MAX_LEASE_SECONDS, timeLimits } from '../../../src/events/core/time-limits.js';

/** The value in src/api/areas/jobs/worker.ts and src/projections/core/work-under-lease.ts. */
const RENEW_SECONDS = 0.5;

describe('time limits', () => {
  it('are the documented limits by default', () =>
    expect(timeLimits()).to.deep.equal({
      leaseSeconds: 30,
      readerLeaseSeconds: 8,
      timerLeaseSeconds: 4,
      timerEveryMs: 1_000,
      webhookLeaseMs: 10_000,
      responseMs: 15_000,
      engineMs: 5_000,
      silenceMs: 2_000,
      repairAfterMs: 10_000,
      repairEveryMs: 5_000,
      reservedAfterMs: 20_000,
      effectClaimMs: 120_000,
      effectCallMs: 30_000,
      effectActMs: 40_000,
      effectInlineMs: 12_000,
      effectGraceMs: 2_000,
      effectPollMs: 500,
      effectRetryMs: 1_000,
      effectMaxRetryMs: 900_000,
      effectGiveUpMs: 86_400_000,
      effectCircuitMs: 30_000,
      paymentReadMs: 2_500,
      paymentFirstReadMs: 10_000,
      paymentSecondReadMs: 60_000,
      paymentThirdReadMs: 300_000,
      paymentReadEveryMs: 3_600_000,
      paymentReadsEndMs: 259_200_000,
      refundReadEveryMs: 86_400_000,
      refundReadsEndMs: 3_888_000_000,
      paymentPollMs: 1_000,
      erasureSweepMs: 30_000,
      expiryMs: 60_000,
      brokerSessionMs: 10_000,
      brokerLookMs: 5_000,
      orphanSeconds: 60,
      streamBeatMs: 15_000,
      streamSilentSeconds: 60,
    }));

  it('follow from the setting', () => {
    expect(timeLimits(60)).to.include({ leaseSeconds: 60, readerLeaseSeconds: 16, responseMs: 30_000 });
    expect(timeLimits(10)).to.include({ leaseSeconds: 10, responseMs: 5_000, repairEveryMs: 1_667 });
    expect(timeLimits(readConfig({ LEASE_SECONDS: '12' }).leaseSeconds)).to.deep.equal(timeLimits(12));
    expect(timeLimits(readConfig({}).leaseSeconds)).to.deep.equal(timeLimits());
  });

  for (const seconds of [MIN_LEASE_SECONDS, 4, 7, 10, 30, MAX_LEASE_SECONDS])
    it(`keep their order with LEASE_SECONDS=${seconds}`, () => {
      const limits = timeLimits(seconds);
      const { leaseSeconds, readerLeaseSeconds, timerLeaseSeconds, responseMs } = limits;
      expect(leaseSeconds, 'a job is renewed').to.be.at.least(4 * RENEW_SECONDS);
      expect(readerLeaseSeconds / 3, 'a reader is renewed').to.be.at.least(RENEW_SECONDS);
      expect(timerLeaseSeconds * 1_000, 'timers are renewed').to.be.at.least(2 * limits.timerEveryMs);
      expect(leaseSeconds * 1_000, 'a claim').to.be.above(responseMs);
      expect(limits.engineMs, 'a connection').to.be.at.most(responseMs);
      expect(limits.reservedAfterMs, 'reserved time').to.be.above(responseMs);
      expect(limits.effectInlineMs, 'an effect in a request').to.be.below(responseMs);
      expect(limits.effectActMs, 'an action in a claim').to.be.above(limits.effectCallMs);
      expect(limits.effectClaimMs - limits.effectActMs, 'calls before it').to.be.above(2 * limits.effectCallMs);
      expect(limits.streamSilentSeconds * 1_000, 'a stream').to.be.above(2 * limits.streamBeatMs);
    });

  for (const value of ['2', '0', '-5', '301', '1.5', 'long'])
    it(`LEASE_SECONDS=${value} is rejected with the allowed values`, () =>
      expect(() => readConfig({ LEASE_SECONDS: value })).to.throw(
        'LEASE_SECONDS: must be a whole number from 3 to 300.',
      ));
});
