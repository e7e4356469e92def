/**
 * Positions of the stops of orders: found by datasets when orders are created, set by users, and erased with the
 * person.
 */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventually } from '../../support/eventually.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { createOrderFactory } from '../../support/worlds/order-factory.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const KANT = { latitude: 52.5061, longitude: 13.3206 };
const DOOR = { latitude: 52.50625, longitude: 13.32071 };
const STOP = { name: 'Ada', street: 'Kantstraße 12', city: 'Berlin', postal_code: '10623', country: 'DE' };

describe('positions of orders', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 1 });
    const { json } = await day.as('employee', '/datasets', { code: 'streets', name: 'Streets', kind: 'geocoding' });
    const values = { street: STOP.street, postal_code: STOP.postal_code, country: 'DE', position: KANT };
    await day.as('employee', `/datasets/${json.dataset.id}/records/batch`, { records: [{ values }] }, 'POST');
  });
  after(() => t.stop());

  const delivery = async (id: number) => (await day.order(id)).delivery;
  /** The delivery once it has a position. */
  async function located(id: number): Promise<{ position: object; located: object }> {
    const find = async () => {
      const stop = await delivery(id);
      return stop.position && stop;
    };
    return eventually(find, `a position of order ${id}`);
  }
  const events = async (id: number): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of t.service.engines.log.read(`order-${id}`)) types.push(type);
    return types;
  };

  it('come from the datasets, with how they were found', async () => {
    const [id] = await day.orders(1, () => ({ delivery: STOP }));
    const stop = await located(id!);
    expect(stop.position).to.deep.equal(KANT);
    expect(stop.located).to.deep.include({ precision: 'rooftop', confidence: 1 });
    expect(await events(id!)).to.include('OrderGeocoded');
  });

  it('are recorded as an action of the service, caused by the order', async () => {
    const [order] = await day.orders(1, () => ({ delivery: STOP }));
    await located(order!);
    const { log } = t.service.engines;
    const found = new Map<string, { id: string; metadata: Readonly<Record<string, unknown>> }>();
    for await (const { id, type, metadata } of log.read(`order-${order!}`)) found.set(type, { id, metadata });
    const [created, geocoded] = [found.get('OrderCreated')!, found.get('OrderGeocoded')!];
    expect(created.metadata['actor']).to.deep.include({ kind: 'user', channel: 'rest' });
    expect(geocoded.metadata['actor']).to.deep.equal({ kind: 'system', id: 'order_places', channel: 'system' });
    expect(geocoded.metadata['$correlationId']).to.equal(created.metadata['$correlationId']);
    expect(geocoded.metadata['$causationId']).to.equal(created.id);
    expect(geocoded.metadata['business']).to.equal(created.metadata['business']);
  });

  it('keep the values in the order, and are missing if nothing is found', async () => {
    const own = { latitude: 52.4, longitude: 13.1 };
    const [brought, unknown, last] = await day.orders(3, (n) => ({
      delivery: [{ ...STOP, position: own }, { ...STOP, street: 'Nowhere 1' }, STOP][n],
    }));
    await located(last!);
    expect(await delivery(brought!))
      .to.deep.include({ position: own })
      .and.not.have.property('located');
    expect(await delivery(unknown!)).to.not.have.property('position');
    expect(await events(brought!)).to.not.include('OrderGeocoded');
  });

  it('that a user set are not changed by a geocoder', async () => {
    const [id] = await day.orders(1, () => ({ delivery: { ...STOP, street: 'Nowhere 2' } }));
    const path = `/orders/${id!}/position`;
    const put = await day.as('employee', path, { position: DOOR }, 'PUT');
    expect(put.status, put.text).to.equal(200);
    expect(await delivery(id!)).to.deep.include({ position: DOOR });
    const before = await events(id!);
    const found = { position: KANT, precision: 'rooftop', confidence: 1, source: { geocoder: 'dataset' } } as const;
    await createOrderFactory(t).sendCommand(id!, { do: 'locate', stop: 'delivery', ...found });
    expect(await events(id!)).to.deep.equal(before);
    expect(await delivery(id!)).to.deep.include({ position: DOOR });
  });

  it('can be set only by the driver of the order, for its own stop, until the order has ended', async () => {
    const [id] = await day.orders(1);
    const put = (user: 'driver' | 'employee', body: object) => day.as(user, `/orders/${id!}/position`, body, 'PUT');
    expect((await put('driver', { position: DOOR })).status).to.equal(404);
    expect((await put('employee', { stop: 'pickup', position: DOOR })).json.code).to.equal('NO_SUCH_STOP');
    expect((await put('employee', { position: { latitude: 91, longitude: 0 } })).status).to.equal(400);
    const plan = await day.plan({ order_ids: [id!], auto_commit: true });
    expect(plan.commit.placed).to.equal(1);
    expect((await put('driver', { position: DOOR })).status).to.equal(200);
    await day.as('client_admin', `/orders/${id!}/cancel`, { reason: 'gone' });
    expect((await put('employee', { position: KANT })).status).to.equal(409);
  });

  it('are erased with the person', async () => {
    const [id] = await day.orders(1, () => ({ delivery: STOP }));
    await located(id!);
    const erased = await day.as('client_admin', `/privacy/subjects/order-${id!}/erase`, {});
    expect(erased.status, erased.text).to.be.below(300);
    expect(await delivery(id!)).to.not.have.any.keys('position', 'located');
  });

  it('are rebuilt from the log', () => expectSameReplay(t, ['orders']));
});
