/** The leases of a process: renewed together, and none prevents the renewal of another. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { acquire } from '../../../src/projections/core/checkpoints.js';
import { Heartbeat, heartbeatOf } from '../../../src/projections/core/heartbeat.js';
import { openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { leaseHolder } from '../../../src/events/core/time-limits.js';

describe('the heartbeat of a process', () => {
  let core: TestCore;
  let heartbeat: Heartbeat;
  let lost: string[];
  const owner = leaseHolder(randomUUID());
  beforeEach(async () => {
    core = await openTestCore();
    heartbeat = new Heartbeat(core.engines.pool, owner);
    lost = [];
    for (const name of ['one', 'other']) {
      await acquire(core.engines.pool, { name, version: 1 }, owner);
    }
  });
  afterEach(() => core?.close());

  const hold = (name: string): (() => void) => heartbeat.hold({ name, version: 1 }, () => lost.push(name));
  let aged: string;
  /** Shortens the leases to one second, as when most of their time is over. */
  const age = async () => {
    const { rows } = await core.engines.pool.query<{ aged: string }>(
      "update projections.checkpoints set lease_until = now() + interval '1 second' where owner = $1 returning lease_until::text as aged",
      [owner.id],
    );
    aged = rows[0]!.aged;
  };
  /** Whether its lease is longer than `age` made it. */
  async function isRenewed(name: string): Promise<boolean> {
    const { rows } = await core.engines.pool.query<{ renewed: boolean }>(
      'select lease_until > $2::timestamptz as renewed from projections.checkpoints where name = $1',
      [name, aged],
    );
    return rows[0]!.renewed;
  }

  it('renews every held lease, and no other', async () => {
    const releases = [hold('one'), hold('other')];
    releases.pop()!();
    await age();
    await heartbeat.beat();
    expect(await isRenewed('one')).to.equal(true);
    expect(await isRenewed('other')).to.equal(false);
    releases[0]!();
    expect(lost).to.deep.equal([]);
  });

  it('reports a lease that was lost to another process, and keeps the others', async () => {
    const releases = [hold('one'), hold('other')];
    await core.engines.pool.query("update projections.checkpoints set owner = $1 where name = 'one'", [randomUUID()]);
    await age();
    await heartbeat.beat();
    expect(lost).to.deep.equal(['one']);
    expect(await isRenewed('other')).to.equal(true);
    for (const one of releases) one();
  });

  it('does not wait for a lease whose batch is being written, and does not consider it lost', async () => {
    const releases = [hold('one'), hold('other')];
    await age();
    const batch = new pg.Client({ connectionString: core.url });
    await batch.connect();
    await batch.query("begin; update projections.checkpoints set position = position where name = 'one'");
    await heartbeat.beat();
    expect(await isRenewed('other')).to.equal(true);
    await batch.end();
    expect(lost).to.deep.equal([]);
    for (const one of releases) one();
  });

  it('gives up all leases if the database does not respond', async () => {
    const releases = [hold('one'), hold('other')];
    await core.engines.pool.query('alter table projections.checkpoints rename to gone');
    await heartbeat.beat();
    expect(lost).to.deep.equal(['one', 'other']);
    await core.engines.pool.query('alter table projections.gone rename to checkpoints');
    for (const one of releases) one();
  });

  it('is one for all leases of a process in a database', () => {
    expect(heartbeatOf(core.engines.pool, owner)).to.equal(heartbeatOf(core.engines.pool, owner));
    expect(heartbeatOf(core.engines.pool, owner)).not.to.equal(
      heartbeatOf(core.engines.pool, leaseHolder(randomUUID())),
    );
  });
});
