/** The catalogue over HTTP: rules R1 to R3 of its design, visibility for customers, and hidden prices. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers } from '../../support/worlds/users.js';

const BOX = {
  names: { en: 'Box S', de: 'Karton S' },
  inner: { length_cm: 20, width_cm: 15, height_cm: 10 },
  outer: { length_cm: 21, width_cm: 16, height_cm: 11 },
  tare_kg: 0.1,
  max_weight_kg: 5,
  cost: '0.4',
  price: '1.2',
  currency: 'EUR',
};

describe('the catalogue', () => {
  let t: TestService;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
  });
  after(() => t.stop());

  const set = (kind: string, code: string, body: object) =>
    as('client_admin', `/catalogue/${kind}/${code}`, body, 'PUT');
  const errorsOf = async (answer: ReturnType<typeof set>) => {
    const { status, json, text } = await answer;
    expect(status, text).to.equal(400);
    return json.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
  };

  it('has categories, sorted by `sort_order`', async () => {
    for (const [code, sort_order] of Object.entries({ tape: 20, boxes: 10, bags: 20 })) {
      const answer = await as(
        'client_admin',
        `/catalogue/categories/${code}`,
        { names: { en: code }, sort_order },
        'PUT',
      );
      expect(answer.json, answer.text).to.deep.equal({
        result: true,
        catalog_category: { code, names: { en: code }, sort_order, version: 0 },
      });
    }
    const { json } = await as('customer', '/catalogue/categories');
    expect(json.catalog_categories.map(({ code }: { code: string }) => code)).to.deep.equal(['boxes', 'bags', 'tape']);
    expect((await as('employee', '/catalogue/categories/none')).json.code).to.equal('CATALOG_CATEGORY_NOT_FOUND');
  });

  it('R3: saves versions of an item, which clients can require', async () => {
    const first = await set('packaging', 'box_s', { ...BOX, category_code: 'boxes' });
    expect(first.status, first.text).to.equal(200);
    expect(first.json.catalog_item).to.deep.include({
      kind: 'packaging',
      code: 'box_s',
      category_code: 'boxes',
      inner: BOX.inner,
      price: '1.20',
      cost: '0.40',
      currency: 'EUR',
      status: 'active',
      warehouse_ids: null,
      version: 0,
    });
    const again = await set('packaging', 'box_s', { ...BOX, category_code: 'boxes' });
    expect(again.json.catalog_item.version, 'the same content').to.equal(0);
    const dearer = await set('packaging', 'box_s', { ...BOX, price: '1.50' });
    expect(dearer.json.catalog_item).to.deep.include({
      id: first.json.catalog_item.id,
      price: '1.50',
      category_code: null,
      version: 1,
    });
    const key = await signIns(t)('client_admin');
    const stale = await t.api('/catalogue/packaging/box_s', {
      key,
      method: 'PUT',
      body: BOX,
      headers: { 'if-match': '"0"' },
    });
    expect(stale.status).to.equal(412);
    // The audit follows later: a read with the position of the write includes it.
    const auditor = await signIns(t)('auditor');
    const events = await t.api('/audit/events?area=catalogue', { key: auditor, headers: positionOf(dearer) });
    expect(JSON.stringify(events.json)).to.include('1.20').and.to.include('1.50');
  });

  it('R1, R2: refuses items that lack a field of their kind, and boxes larger inside than outside', async () => {
    expect(await errorsOf(set('packaging', 'x', { names: BOX.names }))).to.deep.equal([
      '/inner REQUIRED',
      '/outer REQUIRED',
    ]);
    expect((await set('supply', 'roll', { names: BOX.names })).status, 'only packaging has dimensions').to.equal(200);
    const inner = { length_cm: 21, width_cm: 17, height_cm: 11.5 };
    expect(await errorsOf(set('packaging', 'x', { ...BOX, inner }))).to.deep.equal([
      '/inner/width_cm INVALID_FORM',
      '/inner/height_cm INVALID_FORM',
    ]);
    for (const length_cm of [0, -1, 1_000.5])
      expect((await set('packaging', 'x', { ...BOX, outer: { ...BOX.outer, length_cm } })).status).to.equal(400);
    expect(await errorsOf(set('supply', 'x', { names: BOX.names, price: '1' }))).to.deep.equal(['/currency REQUIRED']);
    expect(await errorsOf(set('supply', 'x', { names: {} }))).to.have.length(1);
    expect(await errorsOf(set('supply', 'x', { names: BOX.names, price: '-1', currency: 'EUR' }))).to.deep.equal([
      '/price TOO_SMALL',
    ]);
    const precise = await set('supply', 'x', { names: BOX.names, price: '1.005', currency: 'EUR' });
    expect(precise.json.code).to.equal('TOO_PRECISE');
    const category = await set('supply', 'x', { names: BOX.names, category_code: 'none' });
    expect([category.status, category.json.code]).to.deep.equal([422, 'UNKNOWN_CATEGORY']);
    const warehouse = await set('supply', 'x', { names: BOX.names, warehouse_ids: [999_999] });
    expect(warehouse.json.errors[0]).to.include({ code: 'WAREHOUSE_NOT_FOUND', path: '/warehouse_ids/0' });
    expect((await set('tool', 'x', { names: BOX.names })).status).to.equal(400);
  });

  it('shows customers active items without costs, and staff every item', async () => {
    await set('service', 'gift', { names: { en: 'Gift wrapping' }, price: '3', cost: '1', currency: 'EUR' });
    await set('service', 'old', { names: { en: 'Old' }, status: 'inactive' });
    await set('service', 'gone', { names: { en: 'Gone' } });
    const retired = await as('client_admin', '/catalogue/service/gone/retire', {});
    expect(retired.json.catalog_item, retired.text).to.include({ status: 'retired', version: 1 });
    expect((await as('client_admin', '/catalogue/service/gone/retire', {})).json.catalog_item.version).to.equal(1);
    const codes = async (user: 'employee' | 'customer', query = '') =>
      (await as(user, `/catalogue?kind=service${query}`)).json.catalog_items.map(({ code }: { code: string }) => code);
    expect(await codes('customer')).to.deep.equal(['gift']);
    expect(await codes('employee')).to.deep.equal(['gift', 'old', 'gone']);
    expect(await codes('employee', '&status=retired')).to.deep.equal(['gone']);
    expect(await codes('employee', '&status=inactive')).to.deep.equal(['old']);
    const seen = (await as('customer', '/catalogue/service/gift')).json.catalog_item;
    expect(seen).to.include({ price: '3.00', currency: 'EUR' }).and.not.to.have.property('cost');
    for (const code of ['old', 'gone', 'none'])
      expect((await as('customer', `/catalogue/service/${code}`)).json.code).to.equal('CATALOG_ITEM_NOT_FOUND');
    expect((await set('service', 'gone', { names: { en: 'Back' } })).json.catalog_item.status).to.equal('active');
  });

  it('shows the items of a warehouse', async () => {
    const made = await as('client_admin', '/wms/warehouses', {
      code: 'CATALOGUE',
      name: 'Catalogue',
      timezone: 'UTC',
      address: { name: 'W', street: 'Weg 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
    });
    expect(made.status, made.text).to.equal(201);
    const id = made.json.warehouse.id as number;
    await set('supply', 'local', { names: { en: 'Local' }, warehouse_ids: [id] });
    const of = async (warehouse: number) =>
      (await as('employee', `/catalogue?kind=supply&warehouse_id=${warehouse}`)).json.catalog_items.map(
        ({ code }: { code: string }) => code,
      );
    expect(await of(id)).to.include.members(['local', 'roll']);
    expect(await of(id + 1))
      .to.include('roll')
      .and.not.to.include('local');
  });

  it('hides prices of a family from a customer, over every read', async () => {
    const path = `/customers/${t.demo.users.customer.id}/terms`;
    const families = [{ family: 'local_delivery', prices_hidden: true }];
    expect((await as('client_admin', path, { families }, 'PUT')).status).to.equal(200);
    const hidden = await as('customer', '/catalogue/service/gift');
    expect(hidden.json.catalog_item).to.include({ code: 'gift', price_hidden: true });
    expect(hidden.text).not.to.include('3.00');
    expect((await as('customer', '/catalogue')).text).not.to.match(/"price":|"currency":/);
    const shown = await as('customer', '/catalogue/service/gift?family=storage_service');
    expect(shown.json.catalog_item.price, 'the form of another family').to.equal('3.00');
    expect((await as('employee', '/catalogue/service/gift')).json.catalog_item.price).to.equal('3.00');
  });

  it('requires `catalogue:read` of staff', async () => {
    const key = await signIns(t)('employee');
    const made = await t.api('/api-keys', { key, body: { name: 'orders', scopes: ['orders:read'] } });
    const { status, json } = await t.api('/catalogue', { key: made.json.secret as string });
    expect([status, json.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    for (const user of ['employee', 'auditor'] as const)
      expect((await as(user, '/catalogue/supply/mine', { names: { en: 'x' } }, 'PUT')).status).to.equal(403);
  });

  it('is the same after a replay', () => expectSameReplay(t, ['catalogue', 'catalogue_categories']));
});
