/** The id of a scanner belongs to the user who scans with it: another user cannot answer or settle its scans. */
import { expect } from 'chai';
import { openScanners, type Scanners } from '../../support/worlds/scanners.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('scanners of different users with the same id', () => {
  let t: TestService;
  let s: Scanners;
  before(async () => {
    t = await startTestService();
    s = openScanners(t);
  });
  after(() => t.stop());

  it("N11: scans of one user do not move the other user's next_seq", async () => {
    const id = await s.warehouse();
    const parcels = await s.parcels(3, { warehouse_id: id });
    const scan = s.device('gun-1', id);
    const ops = parcels.map(({ number }) => scan('receive', number));
    expect((await s.send('gun-1', [ops[0]!])).json.next_seq).to.equal(2);
    // Junk with the same device id, and with the numbers that the office's scanner sends next.
    const junk = s.device('gun-1', id);
    const flood = Array.from({ length: 50 }, () => junk('receive', 'NO-SUCH-CODE'));
    expect((await s.send('gun-1', flood, 'driver')).json.next_seq).to.equal(51);
    const { json } = await s.send('gun-1', [ops[2]!]);
    expect(json.next_seq, 'the second scan of the office is missing').to.equal(2);
    expect((await s.send('gun-1', [ops[1]!])).json.next_seq).to.equal(4);
  });

  it('N11: the same op_id of another user is another scan, with its own result', async () => {
    const id = await s.warehouse();
    const { number } = await s.parcel({ warehouse_id: id });
    const op = s.device('gun-2', id)('receive', number);
    const theirs = await s.send('gun-2', [{ ...op, code: 'NO-SUCH-CODE' }], 'driver');
    expect(theirs.json.results[0].outcome).to.not.equal('applied');
    const ours = await s.send('gun-2', [op]);
    expect(ours.json.results[0], ours.text).to.include({ outcome: 'applied' });
    expect((await s.send('gun-2', [op])).json.results[0]).to.include({ outcome: 'duplicate' });
  });

  it('N11: a refused scan is settled for its sender alone', async () => {
    const id = await s.warehouse();
    const op = s.device('gun-3', id)('receive', 'NO-SUCH-CODE');
    await s.send('gun-3', [op], 'driver');
    await s.send('gun-3', [op]);
    const mine = async () => {
      const { conflicts } = (await s.as('employee', `/wms/mobile/conflicts?warehouse_id=${id}`)).json;
      return conflicts.map(({ scanned_by }: { scanned_by: number }) => scanned_by);
    };
    const { driver, employee } = t.demo.users;
    expect(await mine()).to.have.members([driver.id, employee.id]);
    const settle = (more: object) =>
      s.as('employee', `/wms/mobile/conflicts/${String(op['op_id'])}/settle`, {
        body: { device_id: 'gun-3', decision: 'discard', reason: 'a mistake', ...more },
      });
    expect((await settle({ scanned_by: employee.id })).status).to.equal(200);
    expect(await mine()).to.deep.equal([driver.id]);
    expect((await settle({ scanned_by: employee.id })).json.code).to.equal('SCAN_NOT_FOUND');
    // Without the sender: the one that is still open.
    expect((await settle({})).status).to.equal(200);
    expect(await mine()).to.deep.equal([]);
  });

  it('a scan that a crash interrupted before devices belonged to users keeps its command id', async () => {
    const warehouse_id = await s.warehouse();
    const stocked = { warehouse_id, sku: 'RIVET', location: 'A-1', quantity: '9', barcodes: ['4006381333948'] };
    await s.as('employee', '/wms/stock/receive', { body: stocked });
    const op = s.device('gun-4', warehouse_id)('stock_out', 'RIVET', { location: 'A-1', quantity: '1' });
    const sendAfterCrash = async (rule: number): Promise<string> => {
      await t.service.engines.pool.query(
        `update access.wms_ops set outcome = null, result = null, rule = $1 where device_id = 'gun-4'`,
        [rule],
      );
      await s.sendAll('gun-4', [op]);
      return (await s.as('employee', '/wms/inventory', { body: { sku: 'RIVET' } })).json.inventory[0].on_hand;
    };
    // The first call stores the scan; its id has the user.
    expect(await sendAfterCrash(2)).to.equal('8');
    expect(await sendAfterCrash(1), 'the former id is another one').to.equal('7');
    expect(await sendAfterCrash(1), 'and is used once').to.equal('7');
    expect(await sendAfterCrash(2)).to.equal('7');
  });
});
