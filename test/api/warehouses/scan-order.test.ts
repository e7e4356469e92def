/** The order in which scans are processed, missing scans, and scans that count once: over real HTTP. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openScanners, type Scanners } from '../../support/worlds/scanners.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('order of scans', () => {
  let t: TestService;
  let s: Scanners;
  before(async () => {
    t = await startTestService();
    s = openScanners(t);
  });
  after(() => t.stop());

  const stateOf = async (number: string) =>
    (await s.as('employee', `/wms/mobile/lookup?code=${number}`)).json.choices[0].parcel.status;
  const onHand = async (sku: string) =>
    (await s.as('auditor', '/wms/inventory', { body: { sku } })).json.inventory[0].on_hand;
  const stocked = async (sku: string, quantity: string, barcodes: string[] = []) => {
    const id = await s.warehouse();
    const body = { warehouse_id: id, sku, location: 'A-1', quantity, barcodes };
    expect((await s.as('employee', '/wms/stock/receive', { body })).status).to.equal(200);
    return id;
  };

  /** How often the service looks for missing numbers. */
  async function countQueries(work: () => Promise<unknown>): Promise<number> {
    const { pool } = t.service.engines;
    const { query } = pool;
    let count = 0;
    pool.query = function (this: typeof pool, ...args: unknown[]) {
      if (String(args[0]).includes('as awaited')) count += 1;
      return Reflect.apply(query, this, args) as unknown;
    } as typeof query;
    try {
      await work();
    } finally {
      pool.query = query;
    }
    return count;
  }

  it('warehouse R3: the next number is the first missing number, however many later numbers arrived', async () => {
    const id = await s.warehouse();
    const { number } = await s.parcel({ warehouse_id: id });
    const scan = s.device('gap', id);
    const [first, second, third, fourth] = ['A-1', 'A-2', 'A-1', 'A-2'].map((location) =>
      scan('put_away', number, { location }),
    ) as [object, object, object, object];
    const send = async (...ops: object[]) => (await s.send('gap', ops as never)).json.next_seq;
    expect(await send(first)).to.equal(2);
    expect(await countQueries(async () => expect(await send(third)).to.equal(2))).to.be.above(1);
    expect(await countQueries(async () => expect(await send(fourth)).to.equal(2)), 'a gap is waited for once').to.equal(
      1,
    );
    expect(await send(second)).to.equal(5);
    expect(await send(first)).to.equal(5);
  });

  it('warehouse R3: numbers begin with 1', async () => {
    const id = await s.warehouse();
    const { number } = await s.parcel({ warehouse_id: id });
    const scan = s.device('begin', id);
    const [first, second] = [scan('receive', number), scan('put_away', number, { location: 'A-1' })];
    expect((await s.send('begin', [second])).json.next_seq).to.equal(1);
    expect((await s.send('begin', [first])).json.next_seq).to.equal(3);
  });

  it('warehouse R2: the service waits for a gap inside a request, too', async () => {
    const id = await s.warehouse();
    const { number } = await s.parcel({ warehouse_id: id });
    const scan = s.device('inside', id);
    const [first, second, third] = [
      scan('receive', number),
      scan('put_away', number, { location: 'A-1' }),
      scan('quarantine', number, { location: 'Q-1', reason: 'damaged' }),
    ];
    const early = s.send('inside', [first, third]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await s.sendAll('inside', [second]);
    expect((await early).json).to.include({ result: true, next_seq: 4 });
    expect(await stateOf(number)).to.equal('quarantine');
  });

  it('warehouse R2: scans of one parcel by several of its identifiers follow their sequence numbers', async () => {
    const id = await s.warehouse();
    for (let round = 0; round < 3; round += 1) {
      const external = `EXT-${id}-${round}`;
      const parcel = await s.parcel({
        warehouse_id: id,
        packages: [{ weight_kg: 1, external_tracking_number: external }],
      });
      const route_id = await s.route([parcel]);
      const scan = s.device(`codes-${round}`, id);
      await s.sendAll(`codes-${round}`, [
        scan('receive', parcel.number),
        scan('put_away', parcel.number, { location: 'A-1' }),
        scan('sort', external, { route_id }),
      ]);
      expect(await stateOf(parcel.number)).to.equal('sorted');
    }
  });

  it('warehouse R2: scans of one SKU by its name and its barcode follow their sequence numbers', async () => {
    const id = await stocked('BOLT', '1', ['4006381333948']);
    const scan = s.device('barcodes', id);
    await s.sendAll('barcodes', [
      scan('receive', 'BOLT', { location: 'A-1', quantity: '5' }),
      scan('move', 'BOLT', { from_location: 'A-1', location: 'A-2', quantity: '6' }),
      scan('stock_out', '4006381333948', { location: 'A-2', quantity: '6' }),
    ]);
    expect(await onHand('BOLT')).to.equal('0');
  });

  it('warehouse R4: two stock scans of one step within three seconds count as one', async () => {
    const id = await stocked('CUP', '1');
    const scan = s.device('twice', id);
    const first = scan('receive', 'CUP', { location: 'A-1', quantity: '5' });
    const after = (ms: number, members: object = {}) => ({
      ...scan('receive', 'CUP', { location: 'A-1', quantity: '5', ...members }),
      at: new Date(Date.parse(first['at'] as string) + ms).toISOString(),
    });
    const [one, two] = await s.sendAll('twice', [first, after(1_000)]);
    expect(one.say.color).to.equal('green');
    expect(two.say).to.deep.equal({ color: 'amber', sound: 'again', lines: ['Already scanned.'] });
    expect(await onHand('CUP')).to.equal('6');
    // In a separate request, too.
    const [three] = await s.sendAll('twice', [after(2_900)]);
    expect(three.say.color).to.equal('amber');
    expect(await onHand('CUP')).to.equal('6');
    // Another quantity, another place, or a later time makes another scan.
    const others = [after(1_000, { quantity: '2' }), after(1_000, { location: 'A-2' }), after(3_000)];
    for (const { say } of await s.sendAll('twice', others)) expect(say.color).to.equal('green');
    expect(await onHand('CUP')).to.equal('18');
  });

  it('warehouse R4: a rejected scan does not count as the first', async () => {
    const id = await stocked('LID', '1');
    const scan = s.device('refused', id);
    const out = scan('stock_out', 'LID', { location: 'A-1', quantity: '3' });
    expect((await s.send('refused', [out])).json.results[0].code).to.equal('NEGATIVE_STOCK');
    const body = { warehouse_id: id, sku: 'LID', location: 'A-1', quantity: '2' };
    await s.as('employee', '/wms/stock/receive', { body });
    const again = { ...scan('stock_out', 'LID', { location: 'A-1', quantity: '3' }), at: out['at'] };
    expect((await s.sendAll('refused', [again]))[0].say.color).to.equal('green');
    expect(await onHand('LID')).to.equal('0');
  });

  it('have the same rows after a replay', () => expectSameReplay(t, ['packages_at', 'stock']));
});
