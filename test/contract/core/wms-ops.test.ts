/** Operations of scanners, where several processes receive the same operation at once. */
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '../../../src/engines/postgres/migrate.js';
import { packageRoot } from '../../../src/engines/package-root.js';
import { createWmsOpStore, type SentOp } from '../../../src/engines/postgres/wms-ops.js';
import { freshDatabase } from '../../support/worlds/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const ROUNDS = 20;
const OPS = 200;

describe('operations of scanners', () => {
  let t: TestService;
  before(async () => void (t = await startTestService({ seed: false })));
  after(() => t.stop());

  it('end once, if several processes executed them at once', async () => {
    const store = createWmsOpStore<SentOp, { outcome: 'applied'; by: number }>(
      t.service.engines.pool,
      t.service.engines.limits,
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const device = { business: 1, user_id: 1, device_id: `device-${round}` };
      const ops = Array.from({ length: OPS }, (_, seq) => ({ op_id: randomUUID(), seq: seq + 1, warehouse_id: 1 }));
      await store.begin(device, ops);
      const results = (by: number) => ops.map(({ op_id }) => [op_id, { outcome: 'applied', by }] as const);
      const [first, second] = [new Map(results(1)), new Map(results(2).reverse())];
      await Promise.all([store.end(device, first), store.end(device, second)]);
      const ended = [...(await store.find(device, ops)).values()].map(({ result }) => result?.by);
      expect(ended).to.have.length(OPS);
      expect(new Set(ended).size, 'all by the one that came first').to.equal(1);
      expect(await store.nextSeq(device)).to.equal(OPS + 1);
    }
  });
});

describe('operations of scanners from before devices belonged to users', () => {
  type Result = { outcome: 'applied'; by: number };
  const op = (seq: number): SentOp => ({ op_id: randomUUID(), seq, warehouse_id: 1 });
  const MIGRATIONS = join(packageRoot, 'src/engines/migrations');

  it('keep the rule of their command ids, and devices keep their numbers although their operations were deleted', async () => {
    const database = await freshDatabase();
    const former = await mkdtemp(join(tmpdir(), 'migrations-'));
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    try {
      for (const name of await readdir(MIGRATIONS))
        if (name < '0165') await cp(join(MIGRATIONS, name), join(former, name));
      await migrate(pool, former);
      const pending = op(70);
      await pool.query(
        `insert into access.wms_ops (business, device_id, op_id, seq, user_id, warehouse_id, body) values (1, 'busy', $1, 70, 5, 1, $2)`,
        [pending.op_id, JSON.stringify(pending)],
      );
      await pool.query(
        `insert into access.wms_devices (business, device_id, next_seq) values (1, 'busy', 70), (1, 'idle', 500)`,
      );
      await migrate(pool);
      const store = createWmsOpStore<SentOp, Result>(pool, { leaseSeconds: 10 });
      const deviceOf = (user_id: number, device_id: string) => ({ business: 1, user_id, device_id });
      const receive = async (user: number, device_id: string, ops: readonly SentOp[]) => {
        const device = deviceOf(user, device_id);
        const earlier = await store.begin(device, ops);
        await store.end(device, new Map(ops.map(({ op_id }) => [op_id, { outcome: 'applied', by: user }])));
        return { earlier, next: await store.nextSeq(device) };
      };
      const busy = await receive(5, 'busy', [pending, op(71)]);
      expect(busy.earlier.get(pending.op_id)).to.deep.equal({ same: true, result: undefined, rule: 1 });
      expect(busy.next).to.equal(72);
      const later = op(72);
      await store.begin(deviceOf(5, 'busy'), [later]);
      expect((await store.find(deviceOf(5, 'busy'), [later])).get(later.op_id)!.rule).to.equal(2);
      expect((await receive(6, 'idle', [op(501)])).next, '500 is missing').to.equal(500);
      expect((await receive(6, 'idle', [op(500)])).next).to.equal(502);
      expect((await receive(7, 'idle', [op(1)])).next, 'a new device with the same id').to.equal(2);
    } finally {
      await pool.end();
      await database.drop();
      await rm(former, { recursive: true });
    }
  });
});
