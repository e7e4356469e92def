/** Operations of scanners, where several processes receive the same operation at once. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createWmsOpStore, type SentOp } from '../../../src/engines/postgres/wms-ops.js';
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
