/** The setting affects all leases and claims; the test reads their ends from the database. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createIdempotency } from '../../../src/api/core/idempotency.js';
import { createJobStore } from '../../../src/engines/postgres/jobs.js';
import { timeLimits } from '../../../src/events/core/time-limits.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const LEASE_SECONDS = 3;

describe('LEASE_SECONDS', () => {
  let t: TestService;
  before(
    async () =>
      void (t = await startTestService({ env: { LEASE_SECONDS: String(LEASE_SECONDS), ROLES: 'api,projector' } })),
  );
  after(() => t?.stop());

  const seconds = async (sql: string): Promise<number[]> => {
    const { rows } = await t.service.engines.pool.query<{ seconds: number }>(sql);
    return rows.map(({ seconds }) => seconds);
  };

  it('determines the limits of a process', () =>
    expect(t.service.engines.limits).to.deep.equal(timeLimits(LEASE_SECONDS)));

  it('sets the length of a claim on an Idempotency-Key, and of the lease of a job', async () => {
    const { pool, vault, jobVault, limits } = t.service.engines;
    await createIdempotency(pool, vault, limits).claim('user:1', 'key', Buffer.alloc(0));
    expect(
      await seconds('select extract(epoch from busy_until - claimed_at)::float8 as seconds from access.idempotency'),
    ).to.deep.equal([LEASE_SECONDS]);
    const id = randomUUID();
    const jobs = createJobStore(pool, jobVault, limits);
    await jobs.queue({ id, kind: 'none', business: 1, owner: 1, work: {} });
    await jobs.claim(randomUUID());
    const [left] = await seconds('select extract(epoch from lease_until - now())::float8 as seconds from access.jobs');
    expect(left).to.be.at.most(LEASE_SECONDS);
  });

  it('scales the leases of read models and timers', async () => {
    const { readerLeaseSeconds, timerLeaseSeconds } = timeLimits(LEASE_SECONDS);
    const left = (table: string) =>
      seconds(
        `select extract(epoch from lease_until - now())::float8 as seconds from ${table} where owner is not null`,
      );
    const readers = await left('projections.checkpoints');
    expect(readers).to.have.length.above(20);
    expect(Math.max(...readers)).to.be.at.most(readerLeaseSeconds);
    let timers: number[] = [];
    while (timers.length < 4) timers = await left('access.timer_ranges');
    expect(Math.max(...timers)).to.be.at.most(timerLeaseSeconds);
  });
});
