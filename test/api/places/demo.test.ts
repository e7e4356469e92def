/** Places of the demo business: streets that are found, points of interest, stock in both warehouses. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { seedDemo, type Demo } from '../../../src/compose/demo/demo.js';
import { STREETS } from '../../../src/compose/demo/streets.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('demo data', () => {
  let t: TestService;
  let demo: Demo;
  let dataDir: string;
  let key: string;
  before(async () => {
    t = await startTestService({ seed: false });
    dataDir = await mkdtemp(join(tmpdir(), 'transport-demo-'));
    demo = await seedDemo(t.service, dataDir);
    const { email, password } = demo.users.employee;
    key = (await t.api('/user/login', { body: { email, password } })).json.access_token as string;
  });
  after(async () => {
    await t.stop();
    await rm(dataDir, { recursive: true });
  });

  it('has twelve drivers, two warehouses and three fleets in demo.json', () => {
    expect(demo.drivers).to.have.lengthOf(12);
    expect(demo.warehouses).to.have.lengthOf(2);
    expect(demo.fleets).to.have.lengthOf(3);
  });

  it('finds each of its streets in its own dataset', async () => {
    const addresses = STREETS.map(({ street, postal_code }) => ({ street, postal_code, country: 'DE' }));
    const { json } = await t.api('/geocode', { key, body: { addresses } });
    expect(json.places.map(({ position }: { position: object }) => position)).to.deep.equal(
      STREETS.map(({ position }) => position),
    );
  });

  it('has points of interest, and stock in both warehouses', async () => {
    const { json: pois } = await t.api('/pois?category=pickup_point', { key });
    expect(pois.total).to.equal(3);
    for (const warehouse_id of demo.warehouses!) {
      const { json } = await t.api('/wms/inventory', { key, body: { warehouse_id } });
      expect(json.inventory.map(({ sku }: { sku: string }) => sku)).to.have.members([
        'BOX-S',
        'BOX-L',
        'CRATE',
        'COOL-PACK',
      ]);
    }
  });

  it('adversary L5: names an unreadable demo.json, and leaves it unchanged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const file = join(folder, 'demo.json');
    await writeFile(file, '{"users":');
    const outcome = await seedDemo(t.service, folder).then(
      () => 'seeded',
      (error: Error) => error.message,
    );
    expect(outcome)
      .to.include(file)
      .and.to.match(/is not valid JSON/);
    expect(await readFile(file, 'utf8')).to.equal('{"users":');
    await rm(folder, { recursive: true });
  });

  it('is seeded once: a second time creates nothing', async () => {
    const before = await t.service.engines.log.head();
    expect(await seedDemo(t.service, dataDir)).to.deep.equal(demo);
    const made = await storedEvents(t.service.engines.log, before);
    expect(
      made.filter(({ stream }) => /^(poi|dataset|record|stock|warehouse|fleet|shifts)-/.test(stream)),
    ).to.deep.equal([]);
  });
});
