/** A start does not depend on how much was erased or decided before (scale 1), and destroys revived keys completely. */
import { expect } from 'chai';
import { repeatErasures } from '../../../src/areas/wiring/erasure.js';
import { atDepth } from '../../support/depth.js';
import { readCountsOf, type ReadCounts } from '../../support/checks/rows-read.js';
import { plantErasures } from '../../support/worlds/planted-erasures.js';
import { query } from '../../support/worlds/database.js';
import { erasureOf } from '../../support/worlds/erasure.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/** More than all rows that a start reads, and far fewer than all erased keys. */
const MAX_ROWS = 2_500;

describe('scale 1: a start with many erased keys and decided proposals', () => {
  let t: TestService;
  before(async () => void (t = await startTestService({ env: { ROLES: 'api' } })));
  after(() => t.stop());

  const alive = async () =>
    (
      await query<{ n: number }>(
        t.databaseUrl,
        'select count(*)::int as n from erasures.erasures e cross join unnest(e.keys) key join vault.subject_keys v on v.subject = key where v.destroyed_at is null',
      )
    )[0]!.n;
  const revive = (where: string) =>
    query(
      t.databaseUrl,
      `update vault.subject_keys set destroyed_at = null, wrapped = '\\x00' where subject in (select unnest(keys) from erasures.erasures where ${where})`,
    );
  const start = () => repeatErasures(t.service.engines, erasureOf(t));

  it('scale 1: sends the same statements, and reads the same rows, however much was erased and decided', async () => {
    const { pool, projectionPool } = t.service.engines;
    const counts: ReadCounts[] = [];
    const sizes = [atDepth(20_000, 2_000), atDepth(80_000, 8_000)];
    for (const size of sizes) {
      await query(t.databaseUrl, 'truncate erasures.erasures, approvals.proposals, vault.subject_keys');
      await plantErasures(pool, { business: 1, erasures: size, proposals: size / 4 });
      counts.push(await readCountsOf([pool, projectionPool], start));
    }
    const [small, large] = counts as [ReadCounts, ReadCounts];
    expect(large.statements).to.equal(small.statements);
    expect(small.statements).to.be.above(2);
    for (const { rows } of counts) expect(rows).to.be.within(1, MAX_ROWS);
    expect(large.rows, `${small.rows} rows before`).to.be.at.most(small.rows * 1.2);
  });

  it('scale 1: the whole service starts, and is ready', async () => {
    const again = await startTestService({ databaseUrl: t.databaseUrl, seed: false });
    const { status } = await fetch(`${again.url}/health/live`);
    expect(status).to.equal(200);
    await again.stop();
  });

  it('destroys all keys of an older copy again, also those far from the newest', async () => {
    await revive('true');
    expect(await alive()).to.be.above(MAX_ROWS);
    await start();
    expect(await alive()).to.equal(0);
  });

  it('finds a copy that lacks only the newest erasures, and one that lost their rows', async () => {
    await revive(`subject in (select subject from erasures.erasures order by erased_at desc limit 30)`);
    expect(await alive()).to.equal(90);
    await start();
    expect(await alive()).to.equal(0);
    await query(
      t.databaseUrl,
      'delete from vault.subject_keys where subject in (select unnest(keys) from erasures.erasures order by erased_at desc limit 30)',
    );
    await start();
    const [{ missing }] = (await query(
      t.databaseUrl,
      'select count(*)::int as missing from erasures.erasures e cross join unnest(e.keys) key left join vault.subject_keys v on v.subject = key where v.subject is null',
    )) as [{ missing: number }];
    expect(missing).to.equal(0);
  });

  it('continues after a start that ended in the middle', async () => {
    await revive('true');
    const { engines } = t.service;
    let calls = 0;
    const failing = {
      ...t,
      service: {
        ...t.service,
        engines: {
          ...engines,
          keyRing: {
            ...engines.keyRing,
            destroy: (keys: readonly string[]) =>
              ++calls > 5 ? Promise.reject(new Error('killed')) : engines.keyRing.destroy(keys),
          },
        },
      },
    } as TestService;
    await repeatErasures(engines, erasureOf(failing)).then(
      () => expect.fail('it was not interrupted'),
      (error: Error) => expect(error.message).to.equal('killed'),
    );
    expect(await alive()).to.be.above(0);
    await start();
    expect(await alive()).to.equal(0);
  });

  it('destroys the keys of an erasure that was interrupted, and leaves its end to the repair', async () => {
    await query(
      t.databaseUrl,
      `update erasures.erasures set finished_at = null where subject = (select subject from erasures.erasures order by erased_at limit 1)`,
    );
    await revive('finished_at is null');
    expect(await alive()).to.equal(3);
    await start();
    expect(await alive()).to.equal(0);
    expect(await query(t.databaseUrl, 'select from erasures.erasures where finished_at is null')).to.have.length(1);
  });
});
