/** Random scans of several devices, sent in random batches, several times and late, against a plain model. */
import { expect } from 'chai';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { randomOf, type Random } from '../../support/fuzz/random.js';
import { openScanners, type Parcel, type Scanners, type ScanOperation } from '../../support/worlds/scanners.js';
import { SEED } from '../../support/worlds/seed.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { atDepth } from '../../support/depth.js';

const DEVICES = 5;
/** The number of scans of each device. */
const SCANS = atDepth(400, 120);
const PARCELS = 8;
/** The service waits 2 s for missing numbers. Scans that took longer may be processed after later ones. */
const WAITED_MS = 1_500;
/** Enough that no scan is rejected, in whatever order scans arrive. */
const STOCK = 1_000_000;

/** The expected state, as a person would note it on paper. */
interface Slip {
  state: string;
  location?: string | undefined;
  received: number;
}

describe('random scans of several devices', () => {
  let t: TestService;
  let s: Scanners;
  let warehouse: number;
  const slips = new Map<string, Slip>();
  /** Codes whose last scan is unknown. */
  const uncertain = new Set<unknown>();
  const stock = { 'A-1': 0, 'A-2': 0 };
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    s = openScanners(t);
  });
  // A repeated attempt begins with a new warehouse, new parcels and new devices.
  let tries = 0;
  beforeEach(async () => {
    tries += 1;
    slips.clear();
    uncertain.clear();
    Object.assign(stock, { 'A-1': STOCK, 'A-2': STOCK });
    warehouse = await s.warehouse();
    for (const location of Object.keys(stock)) {
      const body = { warehouse_id: warehouse, sku: 'NUT', location, quantity: String(STOCK) };
      expect((await s.as('employee', '/wms/stock/receive', { body })).status).to.equal(200);
    }
  });
  after(() => t.stop());

  /** The next scan of a device; updates the expected state. */
  function next(dice: Random, scan: ReturnType<Scanners['device']>, parcels: readonly Parcel[]): ScanOperation {
    if (dice.oneIn(4)) {
      const quantity = 1 + dice.below(9);
      const [from, to] = dice.oneIn(2) ? (['A-1', 'A-2'] as const) : (['A-2', 'A-1'] as const);
      const what = dice.pick(['receive', 'move', 'stock_out'] as const);
      if (what === 'receive') stock[to] += quantity;
      else stock[from] -= quantity;
      if (what === 'move') stock[to] += quantity;
      const where = {
        receive: { location: to },
        move: { from_location: from, location: to },
        stock_out: { location: from },
      };
      return scan(what, 'NUT', { ...where[what], quantity: String(quantity) });
    }
    const { number } = dice.pick(parcels);
    const slip = slips.get(number)!;
    const what = dice.pick(['receive', 'put_away', 'move', 'quarantine'] as const);
    const location = what === 'quarantine' ? 'Q-1' : dice.pick(['A-1', 'A-2']);
    if (what === 'receive') {
      Object.assign(slip, { state: 'received', location: undefined, received: slip.received + 1 });
      return scan(what, number);
    }
    Object.assign(slip, { state: what === 'quarantine' ? what : 'put_away', location });
    return scan(what, number, { location, ...(what === 'quarantine' && { reason: 'damaged' }) });
  }

  /** Batches of any size; some are sent twice, some overtake the previous one. */
  async function send(dice: Random, device: string, scans: readonly ScanOperation[]): Promise<void> {
    const pieces: ScanOperation[][] = [];
    for (let at = 0; at < scans.length; at += pieces.at(-1)!.length)
      pieces.push(scans.slice(at, at + 1 + dice.below(60)));
    const put = async (piece: readonly ScanOperation[]) => {
      const began = performance.now();
      const { status, text } = await s.send(device, piece);
      expect(status, text).to.equal(200);
      return performance.now() - began;
    };
    let took = await put(pieces[0]!);
    for (let at = 1; at < pieces.length; at += 1) {
      const [piece, following] = [pieces[at]!, pieces[at + 1]];
      // On a slow machine an overtaken batch would take longer than the service waits.
      if (following && dice.oneIn(4) && took < WAITED_MS / 2) {
        [, took] = await Promise.all([put(following), put(piece)]);
        if (took > WAITED_MS) for (const { code } of piece) uncertain.add(code);
        at += 1;
      } else if (dice.oneIn(3)) [took] = await Promise.all([put(piece), put(piece)]);
      else took = await put(piece);
      if (dice.oneIn(5)) await put(pieces[dice.below(at + 1)]!);
    }
  }

  it(`warehouse 3: ${DEVICES * SCANS} scans of ${DEVICES} devices in random batches, twice and late: parcels and stock as expected`, async () => {
    const devices = await Promise.all(
      Array.from({ length: DEVICES }, async (_, index) => {
        const parcels = await s.parcels(PARCELS, { warehouse_id: warehouse });
        for (const { number } of parcels) slips.set(number, { state: 'expected', received: 0 });
        const dice = randomOf(SEED, index);
        const name = `random-${tries}-${index}`;
        const scan = s.device(name, warehouse);
        return { name, dice, parcels, scans: Array.from({ length: SCANS }, () => next(dice, scan, parcels)) };
      }),
    );
    await Promise.all(devices.map(({ name, dice, scans }) => send(dice, name, scans)));
    for (const { name, scans } of devices)
      for (let at = 0; at < SCANS; at += 200) {
        const { json } = await s.send(name, scans.slice(at, at + 200));
        const odd = json.results.filter(
          ({ outcome, first }: { outcome: string; first: string }) => outcome !== 'duplicate' || first !== 'applied',
        );
        expect(odd, `SEED=${SEED} ${name}`).to.deep.equal([]);
        expect(json.next_seq, `SEED=${SEED} ${name}`).to.equal(SCANS + 1);
      }
    // Reads without a position may return an earlier state, so the test waits for the read models.
    const head = await t.service.engines.log.head();
    for (const name of ['packages_at', 'stock'] as const)
      expect(await t.service.progress.waitFor(name, head, WAIT_LIMIT_MS), name).to.equal(true);
    const body = { kind: 'packages', warehouse_id: warehouse, per_page: 200 };
    const { packages } = (await s.as('auditor', '/wms/inventory', { body })).json;
    const found = new Map(
      packages.map(({ tracking_number, status: state, location }: ScanOperation) => [
        tracking_number,
        { state, location: location ?? undefined },
      ]),
    );
    for (const [number, { state, location }] of slips)
      if (state !== 'expected' && !uncertain.has(number))
        expect(found.get(number), `SEED=${SEED} ${number}`).to.deep.equal({ state, location });
    expect(uncertain.size, 'the rest is worth something').to.be.below(slips.size);
    const inventory = { warehouse_id: warehouse, sku: 'NUT', group_by: 'location' };
    const rows = (await s.as('auditor', '/wms/inventory', { body: inventory })).json.inventory;
    expect(
      Object.fromEntries(rows.map(({ location, on_hand }: ScanOperation) => [location, Number(on_hand)])),
    ).to.deep.equal(stock);
    for (const { parcels } of devices)
      for (const { order_id, number } of parcels) {
        let received = 0;
        for await (const { type } of t.service.engines.log.read(`order-${order_id}`))
          if (type === 'PackageScanned') received += 1;
        expect(received, `SEED=${SEED} ${number}`).to.equal(slips.get(number)!.received);
      }
  });
});
