/** Transfers between warehouses whose process is killed in the middle. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ParcelTransferred } from '../../src/events/orders/warehousing.js';
import { orderStream } from '../../src/events/orders/events.js';
import { TransferPackageMoved, TransferPackageRolledBack, transferStream } from '../../src/events/transfers/events.js';
import { expectSameReplay } from '../support/checks/replay.js';
import { call, type Answer } from '../support/clients/http.js';
import { killedAt } from '../support/processes/killed-at.js';
import { SHORT_LEASES } from '../support/processes/service-process.js';
import { openScanners, type Parcel, type Scanners } from '../support/worlds/scanners.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { signIns } from '../support/worlds/users.js';

const PARCELS = 20;

describe('transfers with processes', () => {
  let t: TestService;
  let s: Scanners;
  let key: string;
  before(async () => {
    t = await startTestService({ env: SHORT_LEASES });
    s = openScanners(t);
    key = await signIns(t)('employee');
  });
  after(() => t.stop());

  const typesIn = async (stream: string, type: string): Promise<number> => {
    let count = 0;
    for await (const event of t.service.engines.log.read(stream)) if (event.type === type) count += 1;
    return count;
  };
  /** How often each parcel was moved, forward or back, according to its order. */
  const moves = (parcels: readonly Parcel[]): Promise<number[]> =>
    Promise.all(parcels.map(({ order_id }) => typesIn(orderStream(order_id), ParcelTransferred.type)));
  const read = async (id: number) => (await s.as('auditor', `/warehouse-transfers/${id}`)).json.transfer;
  /** The killed process had started the request, so another process takes it over after a while. */
  async function answered(ask: (url: string) => Promise<Answer>): Promise<Answer> {
    let answer = await ask(t.url);
    for (let tries = 0; answer.status >= 400 && tries < 600; tries++) {
      await sleep(100);
      answer = await ask(t.url);
    }
    return answer;
  }
  async function startTransfer() {
    const [from, to] = [await s.warehouse(), await s.warehouse()];
    const parcels = await s.parcels(PARCELS, { warehouse_id: to });
    const scan = s.device('dock', from);
    await s.sendAll(
      'dock',
      parcels.map(({ number }) => scan('receive', number)),
    );
    return { from, to, parcels };
  }
  const create = ({ from, to, parcels }: Awaited<ReturnType<typeof startTransfer>>) => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = {
      from_warehouse_id: from,
      to_warehouse_id: to,
      tracking_numbers: parcels.map(({ number }) => number),
      reason_code: 'mis_received',
    };
    return (url: string) => call(`${url}/api/v1/warehouse-transfers`, { key, headers, body });
  };

  for (const [where, type, done] of [
    ['before the first parcel', ParcelTransferred.type, 0],
    ['between the parcels and the record', TransferPackageMoved.type, 1],
  ] as const)
    it(`warehouse 4: killed ${where}, repeated with the key: one transfer, each parcel once`, async () => {
      const night = await startTransfer();
      const ask = create(night);
      await killedAt(type, t, ask);
      expect(await moves(night.parcels), 'done when it died').to.deep.equal(Array(PARCELS).fill(done));
      const { json, text } = await answered(ask);
      expect(json, text).to.containSubset({ moved: PARCELS, skipped: 0, transfer: { status: 'moved' } });
      expect(await moves(night.parcels)).to.deep.equal(Array(PARCELS).fill(1));
      expect(await typesIn(transferStream(json.transfer.id), TransferPackageMoved.type)).to.equal(PARCELS);
    });

  it('warehouse 4: killed in the middle of a rollback without a repeated request: a worker ends it once', async () => {
    const night = await startTransfer();
    const id = (await create(night)(t.url)).json.transfer.id as number;
    await killedAt(TransferPackageRolledBack.type, t, (url) =>
      call(`${url}/api/v1/warehouse-transfers/${id}/rollback`, { key, body: { reason: 'wrong night' } }),
    );
    expect((await read(id)).status).to.equal('rolling_back');
    for (let tries = 0; (await read(id)).status !== 'rolled_back' && tries < 300; tries++) await sleep(100);
    expect((await read(id)).status).to.equal('rolled_back');
    expect(await moves(night.parcels)).to.deep.equal(Array(PARCELS).fill(2));
    expect(await typesIn(transferStream(id), TransferPackageRolledBack.type)).to.equal(PARCELS);
  });

  it('have the same rows after a replay', () => expectSameReplay(t, ['transfers', 'packages_at', 'orders']));
});
