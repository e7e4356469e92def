/** Positions of addresses from datasets of places: for callers, and for route plans. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const KANT = { latitude: 52.5061, longitude: 13.3206 };

describe('geocoding by datasets', () => {
  let t: TestService;
  let day: Day;
  let dataset: number;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 1 });
    const made = await day.as('employee', '/datasets', { code: 'streets', name: 'Streets', kind: 'geocoding' });
    expect(made.status, made.text).to.equal(201);
    dataset = made.json.dataset.id;
    const place = { street: 'Kantstraße 12', postal_code: '10623', city: 'Berlin', country: 'DE', position: KANT };
    const put = await day.as(
      'employee',
      `/datasets/${dataset}/records/batch`,
      { records: [{ values: place }] },
      'POST',
    );
    expect(put.status, put.text).to.equal(200);
  });
  after(() => t.stop());

  const geocode = async (...addresses: object[]) => {
    const { status, json, text } = await day.as('broker', '/geocode', { addresses });
    expect(status, text).to.equal(200);
    return json.places.map(({ position, code }: { position: object; code: string }) => position ?? code);
  };

  it('finds an address in any notation, and no other one', async () => {
    const found = await geocode(
      { street: 'KANTSTR. 12', postal_code: '10623', country: 'DE' },
      { street: 'Kantstrasse 12', postal_code: '10623' },
      { street: 'Kantstraße 12', postal_code: '10623', country: 'AT' },
      { street: 'Kantstraße 13', postal_code: '10623' },
      { street: 'Kantstraße 12' },
    );
    expect(found).to.deep.equal([KANT, KANT, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });

  it('finds a street with a typing error by the house number, and returns the confidence', async () => {
    const { json } = await day.as('driver', '/geocode', {
      addresses: [
        { street: 'Kantstrase 12', postal_code: '10623' },
        { street: 'Kantstrasse 13', postal_code: '10623' },
        { street: 'Cantonstraße 12', postal_code: '10623' },
        { street: 'Kantstrase 12', postal_code: '10624' },
      ],
    });
    const [alike, ...others] = json.places;
    expect(alike).to.deep.include({
      position: KANT,
      precision: 'rooftop',
      matched: 'Kantstraße 12, 10623 Berlin, DE',
      code: null,
    });
    expect(alike.confidence).to.be.within(0.75, 0.99);
    expect(alike.source).to.deep.include({ geocoder: 'dataset' });
    expect(others.map(({ code }: { code: string }) => code)).to.deep.equal(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });

  it('tolerates typing errors with a leading house number and without one, but never another number', async () => {
    const at = (longitude: number) => ({ latitude: 48.8, longitude });
    const places = [
      '12 rue de la Paix',
      '221B Baker Street',
      '221A Baker Street',
      'Place des Victoires',
      'Quai 5',
      '5th Avenue',
    ];
    const records = places.map((street, n) => ({
      values: { street, postal_code: '75002', country: 'FR', position: at(n) },
    }));
    await day.as('employee', `/datasets/${dataset}/records/batch`, { records }, 'POST');
    const ask = (...streets: string[]) => geocode(...streets.map((street) => ({ street, postal_code: '75002' })));
    expect(
      await ask('12 rue de la Paixx', '12, Rue de la Paiix', '221b Baker Streeet', 'Place des Victoire'),
    ).to.deep.equal([at(0), at(0), at(1), at(3)]);
    const others = ['13 rue de la Paixx', '1 rue de la Paixx', '12bis rue de la Paixx', 'rue de la Paixx'];
    for (const street of [...others, '12 Place des Victoire', '221 Baker Strete', '6th Avenue', 'Quaii'])
      expect(await ask(street), street).to.deep.equal(['NOT_FOUND']);
  });

  it('returns choices if two matches are far apart', async () => {
    const twice = [
      { street: 'Ring 1', postal_code: '1010', country: 'AT', position: { latitude: 48.2, longitude: 16.37 } },
      { street: 'Ring 1', postal_code: '1010', country: 'CH', position: { latitude: 46.5, longitude: 6.63 } },
    ];
    await day.as(
      'employee',
      `/datasets/${dataset}/records/batch`,
      { records: twice.map((values) => ({ values })) },
      'POST',
    );
    const ring = { street: 'Ring 1', postal_code: '1010' };
    const { json } = await day.as('broker', '/geocode', { addresses: [ring, { ...ring, country: 'CH' }] });
    expect(json.places[0].code).to.equal('AMBIGUOUS');
    expect(json.places[0].candidates.map(({ matched }: { matched: string }) => matched)).to.deep.equal([
      'Ring 1, 1010, AT',
      'Ring 1, 1010, CH',
    ]);
    expect(json.places[1]).to.deep.include({ position: twice[1]!.position, code: null });
  });

  it('returns the address at a position, and the distance', async () => {
    const at = (latitude: number, longitude: number) =>
      day.as('broker', `/geocode/reverse?latitude=${latitude}&longitude=${longitude}`);
    const near = (await at(KANT.latitude + 0.001, KANT.longitude)).json.place;
    expect(near.address).to.deep.equal({
      street: 'Kantstraße 12',
      postal_code: '10623',
      city: 'Berlin',
      country: 'DE',
    });
    expect(near.distance_m).to.be.within(110, 112);
    expect((await at(KANT.latitude + 0.002, KANT.longitude)).json.place).to.include({
      code: 'NOT_FOUND',
      address: null,
    });
    expect((await at(-89.999, 179.999)).json.place).to.include({ code: 'NOT_FOUND' });
  });

  it('gives plans the positions of stops without coordinates', async () => {
    const stop = { name: 'Ada', street: 'Kantstr. 12', city: 'Berlin', postal_code: '10623', country: 'DE' };
    const ids = await day.orders(2, (n) => ({ delivery: { ...stop, ...(n === 1 && { street: 'Nowhere 1' }) } }));
    const plan = await day.plan({ order_ids: ids, auto_commit: false });
    expect(plan.summary, JSON.stringify(plan.unassigned)).to.include({ assigned_count: 1, unassigned_count: 1 });
    expect(plan.unassigned[0]).to.deep.include({ order_id: ids[1] });
    expect(plan.unassigned[0].reasons[0].code).to.equal('NOT_GEOCODED');
  });

  it('ignores a removed record, and an archived dataset', async () => {
    await day.as('employee', `/datasets/${dataset}`, undefined, 'DELETE');
    expect(await geocode({ street: 'Kantstraße 12', postal_code: '10623' })).to.deep.equal(['NOT_FOUND']);
  });

  it('is rebuilt from the log', () => expectSameReplay(t, ['datasets', 'records']));
});
