/** N8: scans count against the rate limit, and a driver can leave only a limited number of scans to the office. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createOpenOps } from '../../../src/engines/postgres/open-ops.js';
import { MAX_OPEN_SCANS, MAX_OPEN_SCANS_OF_DRIVER, OPEN_SCAN_DAYS } from '../../../src/api/core/open-scans.js';
import type { Answer } from '../../support/clients/http.js';
import { openScanners, type Scanners } from '../../support/worlds/scanners.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const PER_REQUEST = 200;

interface Result {
  readonly outcome: string;
  readonly code?: string;
}

describe('N8: scans of a driver', () => {
  let t: TestService;
  let s: Scanners;
  let warehouse_id: number;
  before(async () => {
    t = await startTestService();
    s = openScanners(t);
    warehouse_id = await s.warehouse();
  });
  after(() => t?.stop());

  let sent = 0;
  const junk = (count: number) =>
    Array.from({ length: count }, () => ({
      op_id: randomUUID(),
      seq: ++sent,
      at: new Date(t.now()).toISOString(),
      do: 'receive',
      code: `JUNK${sent}`,
      warehouse_id,
    }));
  const push = (user: 'driver' | 'employee', ops: readonly object[]) =>
    s.as(user, '/wms/mobile/ops', { body: { device_id: `${user}-gun`, ops } });
  /** Sends again until the rate limit, which the first test uses up, has room. */
  async function beyondRateLimit(send: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await send();
      if (answer.status !== 429) return answer;
      await sleep(250);
    }
  }
  const open = async () => {
    const { rows } = await t.service.engines.pool.query<{ count: number }>(
      `select count(*)::int as count from access.wms_ops where outcome is null or settled_at is null and outcome <> 'applied'`,
    );
    return rows[0]!.count;
  };

  it('of unknown codes are refused beyond a quarter of those of the business, also in parallel', async () => {
    const pushed = await Promise.all(Array.from({ length: 20 }, () => push('driver', junk(PER_REQUEST))));
    for (const { status, json, headers } of pushed)
      if (status !== 200) {
        expect([status, json.code]).to.deep.equal([429, 'RATE_LIMITED']);
        expect(Number(headers.get('retry-after'))).to.be.at.least(1);
      }
    expect(await open()).to.be.at.most(MAX_OPEN_SCANS_OF_DRIVER);
  });

  it('get a message that says what to do, and are stored once there is room', async () => {
    const { pool } = t.service.engines;
    while ((await open()) < MAX_OPEN_SCANS_OF_DRIVER)
      await push('driver', junk(Math.min(PER_REQUEST, MAX_OPEN_SCANS_OF_DRIVER - (await open()))));
    const ops = junk(1);
    const { status, json } = await beyondRateLimit(() => push('driver', ops));
    expect([status, json.result, json.results[0].outcome]).to.deep.equal([200, false, 'rejected']);
    expect(json.results[0].code).to.equal('TOO_MANY_OPEN_SCANS');
    expect(json.results[0].message).to.include('The office must settle scans').and.include('500');
    expect(await open(), 'nothing is stored').to.equal(MAX_OPEN_SCANS_OF_DRIVER);
    await pool.query(
      `update access.wms_ops set settled_at = now() where op_id = (select op_id from access.wms_ops where settled_at is null limit 1)`,
    );
    const again = await beyondRateLimit(() => push('driver', ops));
    expect([again.status, again.json.results[0].code], again.text).to.deep.equal([200, 'CODE_UNKNOWN']);
  });

  it('that apply are not limited, also next to refused ones', async () => {
    const parcels = await s.parcels(2);
    await s.route(parcels);
    const valid = parcels.map(({ number }) => ({ ...junk(1)[0]!, code: number }));
    const ops = [valid[0]!, ...junk(2), valid[1]!].map((op, index) => ({ ...op, seq: index + 1 }));
    const body = { device_id: 'another-gun', ops };
    const pushed = await beyondRateLimit(() => s.as('driver', '/wms/mobile/ops', { body }));
    const full = 'TOO_MANY_OPEN_SCANS';
    expect(
      pushed.json.results?.map(({ outcome, code }: Result) => code ?? outcome),
      pushed.text,
    ).to.deep.equal(['applied', full, full, 'applied']);
    expect(pushed.json.next_seq, 'the device sends the refused one again').to.equal(2);
    const repeated = await beyondRateLimit(() => s.as('driver', '/wms/mobile/ops', { body }));
    expect(
      repeated.json.results?.map(({ outcome }: Result) => outcome),
      repeated.text,
    ).to.deep.equal(['duplicate', 'rejected', 'rejected', 'duplicate']);
    expect(await open()).to.equal(MAX_OPEN_SCANS_OF_DRIVER);
  });

  it('do not limit staff', async () => {
    const { status } = await push('employee', junk(3));
    expect(status).to.equal(200);
  });

  it('are counted for the driver, and of the business those of drivers in the last days', async () => {
    const { pool } = t.service.engines;
    const { rows } = await pool.query<{ business: number }>('select distinct business from access.wms_ops');
    const count = (user: number) => createOpenOps(pool).count(rows[0]!.business, user, OPEN_SCAN_DAYS);
    const own = (await open()) - 3;
    expect(own).to.equal(MAX_OPEN_SCANS_OF_DRIVER);
    const driver = t.demo.users.driver.id;
    expect(await count(driver), 'without the three of staff').to.deep.equal({ own, all: own });
    expect(await count(0)).to.deep.equal({ own: 0, all: own });
    await pool.query(`update access.wms_ops set received_at = received_at - make_interval(days => $1)`, [
      OPEN_SCAN_DAYS,
    ]);
    expect(await count(driver)).to.deep.equal({ own, all: 0 });
    expect(MAX_OPEN_SCANS_OF_DRIVER).to.equal(MAX_OPEN_SCANS / 4);
  });
});

describe('N8: the rate limit of scans', () => {
  const WRITES = 50;
  let t: TestService;
  let s: Scanners;
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: String(WRITES) } });
    s = openScanners(t);
  });
  after(() => t?.stop());

  it('counts each scan of a request, and accepts a request with more scans than the limit', async () => {
    const warehouse_id = await s.warehouse();
    const push = (count: number) =>
      s.as('driver', '/wms/mobile/ops', {
        body: {
          device_id: 'gun',
          ops: Array.from({ length: count }, (_, index) => ({
            op_id: randomUUID(),
            seq: index + 1,
            at: new Date(t.now()).toISOString(),
            do: 'receive',
            code: 'JUNK',
            warehouse_id,
          })),
        },
      });
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await push(20)).status));
    // A slow machine needs more than one second, so it grants the quota more than once.
    expect(statuses, String(statuses)).to.include(429);
    expect(statuses, String(statuses)).to.include(200);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await push(100)).status).to.equal(200);
  });
});
