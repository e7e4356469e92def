/** Duplicates, search, use and import of address book entries over HTTP. */
import { expect } from 'chai';
import pg from 'pg';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openOrderFixture, ORDER, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';

/** No word of it occurs elsewhere. */
const GRACE = {
  ...STOP,
  name: 'Grace Hopper',
  street: 'Compilerweg 7',
  city: 'Oldenburg',
  postal_code: '26121',
  country: 'DE',
};
type User = 'employee' | 'customer' | 'client_admin' | 'other_client_admin';

describe('the entries of an address book', () => {
  let t: TestService;
  let db: pg.Client;
  let fixture: OrderFixture;
  before(async () => {
    fixture = openOrderFixture((t = await startTestService()));
    db = new pg.Client({ connectionString: t.databaseUrl });
    await db.connect();
  });
  after(async () => {
    await db?.end();
    await t?.stop();
  });

  const save = (address: object, user: User = 'employee', more: object = {}) =>
    fixture.as(user, '/address-book', { body: { kind: 'recipient', address, ...more } });
  const idOf = async (address: object, user: User = 'employee'): Promise<number> => {
    const { json, text, status } = await save(address, user);
    expect(status, text).to.equal(201);
    return json.address_book_entry.id as number;
  };
  const list = async (query = '', user: User = 'employee') => (await fixture.as(user, `/address-book${query}`)).json;
  const search = async (query: string, user: User = 'employee') =>
    (await fixture.as(user, `/addresses/search?query=${encodeURIComponent(query)}`)).json.addresses;
  const rowsOf = async (id: number): Promise<number> => {
    const { rows } = await db.query<{ count: number }>(
      `select ((select count(*) from address_search.texts where address_id = $1)
             + (select count(*) from address_search.keys where address_id = $1))::int as count`,
      [id],
    );
    return rows[0]!.count;
  };
  const order = (user: User, stops: object) =>
    fixture.as(user, '/orders', { body: { ...ORDER, delivery: undefined, ...stops } });

  it('R2: an address is saved once per owner, also under another spelling', async () => {
    const first = await save(GRACE, 'employee', { label: 'first' });
    expect(first.json.existing).to.equal(false);
    const again = await save({ ...GRACE, street: ' COMPILERWEG  7', postal_code: 'D-26121' }, 'employee', {
      label: 'x',
    });
    expect(again.status).to.equal(201);
    expect(again.json).to.deep.equal({ ...first.json, existing: true });
    expect(again.headers.get('location')).to.equal(first.headers.get('location'));
    const other = await save(GRACE, 'customer');
    expect(other.json.existing).to.equal(false);
    expect((await save({ ...GRACE, name: 'Howard Aiken' })).json.existing).to.equal(false);
  });

  it('R2: simultaneous saves of one address create one entry', async () => {
    const address = { ...GRACE, street: 'Gleichzeitig 1' };
    const saves = await Promise.all(Array.from({ length: 12 }, () => save(address)));
    const ids = new Set(saves.map(({ json }) => json.address_book_entry.id as number));
    expect(ids.size).to.equal(1);
    expect(saves.filter(({ json }) => !json.existing)).to.have.length(1);
    expect((await list('?query=Gleichzeitig')).total).to.equal(1);
  });

  it('R2: an address is free again when its entry is deleted or gets another one', async () => {
    const address = { ...GRACE, street: 'Umzugsweg 1' };
    const moved = await idOf(address);
    const body = { address: { ...address, street: 'Umzugsweg 2' } };
    await fixture.as('employee', `/address-book/${moved}`, { method: 'PATCH', body });
    const fresh = await idOf(address);
    expect(fresh).not.to.equal(moved);
    expect(await idOf(body.address), 'the new address of the first entry').to.equal(moved);
    await fixture.as('employee', `/address-book/${fresh}`, { method: 'DELETE' });
    expect(await idOf(address)).not.to.equal(fresh);
  });

  it('R1, R5: are found by words with typing errors, only in the book of the caller, from an index without plaintext', async () => {
    const id = await idOf({ ...GRACE, street: 'Nachtigallenallee 99' }, 'customer');
    for (const query of ['Nachtigallenalle', 'nachtigallenallee 99', 'Nachtigalenallee'])
      expect((await list(`?query=${encodeURIComponent(query)}`, 'customer')).addresses[0]?.id, query).to.equal(id);
    for (const user of ['employee', 'other_client_admin'] as const) {
      expect((await list('?query=Nachtigallenallee', user)).total, user).to.equal(0);
      expect(await search('Nachtigallenallee', user), user).to.deep.equal([]);
      expect((await fixture.as(user, `/address-book/${id}`)).status).to.equal(404);
    }
    for (const table of ['address_search.texts', 'address_search.keys', 'addresses.addresses']) {
      const { rows } = await db.query<{ text: string }>(`select t::text as text from ${table} t`);
      expect(rows, table).not.to.be.empty;
      expect(
        rows
          .map(({ text }) => text)
          .join('\n')
          .toLowerCase(),
        table,
      ).not.to.match(/nachtigall|hopper/);
    }
  });

  it('are searched before orders, points of interest and datasets', async () => {
    const city = 'Sequenzhausen';
    const stop = (street: string) => ({ ...GRACE, city, street, postal_code: '99998' });
    const poi = {
      name: 'Depot',
      category: 'depot',
      position: { latitude: 50, longitude: 10 },
      address: { street: 'Poiweg 3', city, country: 'DE' },
    };
    await fixture.as('employee', '/pois', { body: poi });
    const { json } = await fixture.as('employee', '/datasets', {
      body: { code: 'places', name: 'P', kind: 'geocoding' },
    });
    const values = {
      street: 'Datensatzweg 4',
      postal_code: '99998',
      city,
      country: 'DE',
      position: { latitude: 50, longitude: 10 },
    };
    const records = await fixture.as('employee', `/datasets/${json.dataset.id}/records/batch`, {
      body: { records: [{ values }] },
    });
    await fixture.order({ delivery: stop('Auftragsweg 2') });
    const address_id = await idOf(stop('Buchweg 1'));
    await fixture.order({ delivery: stop('Buchweg 1') });
    const key = positionOf(records);
    const answer = await fixture.as('employee', `/addresses/search?query=${city}`, { headers: key });
    const found = answer.json.addresses as { source: string; street: string; address_id?: number }[];
    expect(found.map(({ source, street }) => [source, street])).to.deep.equal([
      ['book', 'Buchweg 1'],
      ['order', 'Auftragsweg 2'],
      ['poi', 'Poiweg 3'],
      ['dataset', 'Datensatzweg 4'],
    ]);
    expect(found[0]!.address_id).to.equal(address_id);
    expect(found[1]).not.to.have.property('address_id');
    expect((await search('99998')).map(({ source }: { source: string }) => source)).to.include.members([
      'book',
      'dataset',
    ]);
    expect(await search('99997'), 'another postal code').to.deep.equal([]);
    expect(await search(city, 'customer'), 'neither the book of the business nor its datasets').to.deep.equal([]);
  });

  it('R4: are copied into orders, counted, and checked', async () => {
    const id = await idOf({ ...GRACE, street: 'Kopierweg 5' });
    const placed = await order('employee', { delivery: { address_id: id } });
    expect(placed.status, placed.text).to.equal(201);
    expect(placed.json.order.delivery).to.deep.include({ name: 'Grace Hopper', street: 'Kopierweg 5' });
    const batch = await fixture.as('employee', '/orders/batch', {
      body: {
        orders: [
          { type: 'P2P', pickup: { address_id: id }, delivery: { address_id: id } },
          { type: 'D', delivery: { address_id: 999_999 } },
        ],
      },
    });
    expect(batch.json.results[0].result, batch.text).to.equal(true);
    expect(batch.json.results[1].errors[0]).to.include({ code: 'ADDRESS_NOT_FOUND', path: '/delivery/address_id' });
    const entry = await fixture.as('employee', `/address-book/${id}`, { headers: positionOf(batch) });
    expect(entry.json.address_book_entry).to.include({ order_count: 2 });
    expect(entry.json.address_book_entry.last_used_at).to.be.a('string');
    await fixture.as('employee', `/address-book/${id}`, { method: 'PATCH', body: { address: STOP } });
    expect((await fixture.read(placed.json.order.id as number)).delivery.street).to.equal('Kopierweg 5');
  });

  it('R4: are refused for other owners and next to an address', async () => {
    const id = await idOf({ ...GRACE, street: 'Eigentum 6' });
    for (const user of ['customer', 'other_client_admin'] as const) {
      const { status, json } = await order(user, { delivery: { address_id: id } });
      expect(status).to.equal(400);
      expect(json.errors).to.have.length(1);
      expect(json.errors[0]).to.include({
        field: 'address_id',
        path: '/delivery/address_id',
        code: 'ADDRESS_NOT_FOUND',
      });
    }
    const mixed = await order('employee', { delivery: { address_id: id, street: 'Other' } });
    expect(mixed.json.errors.map(({ path }: { path: string }) => path)).to.deep.equal(['/delivery/street']);
    const empty = await order('employee', { delivery: {} });
    expect(empty.json.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).to.deep.equal(
      ['name', 'street', 'city', 'country'].map((name) => [`/delivery/${name}`, 'REQUIRED']),
    );
  });

  it('acceptance 2: are erased without their orders, and orders without them', async () => {
    const address = { ...GRACE, street: 'Vergissmeinnichtweg 8' };
    const id = await idOf(address);
    const placed = (await order('employee', { delivery: { address_id: id } })).json.order;
    const label = async () => (await fixture.as('employee', `/orders/${placed.id}/label`)).status;
    expect(await label()).to.equal(200);
    expect(await rowsOf(id)).to.equal(2);
    const before = await fixture.read(placed.id);
    const erased = await fixture.as('client_admin', `/privacy/subjects/address-${id}/erase`, { body: {} });
    expect(erased.status, erased.text).to.equal(200);
    expect((await list('?query=Vergissmeinnichtweg')).total).to.equal(0);
    expect((await fixture.as('employee', `/address-book/${id}`)).status).to.equal(404);
    expect((await search('Vergissmeinnichtweg')).map(({ source }: { source: string }) => source)).to.deep.equal([
      'order',
    ]);
    expect(await rowsOf(id)).to.equal(0);
    expect((await order('employee', { delivery: { address_id: id } })).json.errors[0].code).to.equal(
      'ADDRESS_NOT_FOUND',
    );
    expect((await fixture.read(placed.id)).delivery).to.deep.equal(before.delivery);
    expect(await label()).to.equal(200);
    await fixture.as('client_admin', `/privacy/subjects/order-${placed.id}/erase`, { body: {} });
    expect((await fixture.read(placed.id)).delivery).not.to.have.property('street');
    expect(await search('Vergissmeinnichtweg')).to.deep.equal([]);
    expect(await idOf(address), 'a new entry').not.to.equal(id);
  });

  it('are the same after a replay', () => expectSameReplay(t, ['addresses', 'address_uses', 'orders']));
});
