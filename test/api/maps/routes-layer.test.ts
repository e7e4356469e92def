/** The layer of the routes of a day: which caller sees which routes; callers without an account see none. */
import { expect } from 'chai';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

interface Feature {
  readonly id: number;
  readonly geometry: { readonly type: string; readonly coordinates: unknown[] };
  readonly properties: Readonly<Record<string, unknown>>;
}

describe('layer of routes', () => {
  let t: TestService;
  let day: Day;
  let map: number;
  let orders: number[];
  /** Orders in the sequence of the plan, by route. */
  let planned: ReadonlyMap<number, readonly number[]>;
  const layer = (layer_id: string, kind: string, date: string) => ({
    layer_id,
    title: layer_id,
    source: { routes: { date } },
    style: { kind },
    shown_to: ['driver', 'broker'],
  });
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 2 });
    orders = await day.orders(8);
    const plan = await day.plan({ order_ids: orders, auto_commit: true });
    expect(plan.commit.placed).to.equal(8);
    planned = new Map(
      plan.routes.map(({ route_id, stops }: { route_id: number; stops: { order_id: number | null }[] }) => [
        route_id,
        stops.flatMap(({ order_id }) => order_id ?? []),
      ]),
    );
    const made = await day.as('employee', '/maps', {
      name: 'The day',
      view: { center: { latitude: 52.5, longitude: 13.4 }, zoom: 10 },
      layers: [layer('ways', 'line', day.date), layer('stops', 'point', day.date), layer('past', 'line', '2020-01-01')],
    });
    expect(made.status, made.text).to.equal(201);
    map = made.json.map.id as number;
  });
  after(() => t.stop());

  const featuresOf = async (name: string, user: 'employee' | 'driver' | 'broker' = 'employee'): Promise<Feature[]> => {
    const { status, json, text } = await day.as(user, `/maps/${map}/layers/${name}.geojson`);
    expect(status, text).to.equal(200);
    // The demo business has another tour in the night of the same day.
    return (json.features as Feature[]).filter(({ properties }) => planned.has(properties['route_id'] as number));
  };

  it('draws the legs in the sequence of the plan, and each stop as a point', async () => {
    const [lines, stops] = [await featuresOf('ways'), await featuresOf('stops')];
    expect(lines).to.not.be.empty;
    expect(stops.map(({ id }) => id)).to.have.members(orders);
    for (const { geometry, properties } of lines) {
      expect(geometry.type).to.equal('LineString');
      const own = stops.filter((stop) => stop.properties['route_id'] === properties['route_id']);
      expect(geometry.coordinates).to.deep.equal(own.map((stop) => stop.geometry.coordinates));
      expect(own.map((stop) => stop.properties['place'])).to.deep.equal(own.map((_, index) => index + 1));
      expect(own.map(({ id }) => id)).to.deep.equal(planned.get(properties['route_id'] as number));
    }
    expect(await featuresOf('past')).to.deep.equal([]);
  });

  it('shows drivers and contractors only their own routes, and requires the scope of routes', async () => {
    const { json } = await day.as('driver', '/routes');
    const own = new Set(json.routes.map(({ id }: { id: number }) => id));
    for (const { properties } of await featuresOf('stops', 'driver')) expect(own).to.include(properties['route_id']);
    expect(await featuresOf('stops', 'broker')).to.deep.equal([]);
    const key = await day.as('employee', '/api-keys', { name: 'narrow', scopes: ['datasets:read'] });
    const narrow = await t.api(`/maps/${map}/layers/ways.geojson`, { key: key.json.secret as string });
    expect([narrow.status, narrow.json.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
  });

  it('is never published', async () => {
    const published = await day.as('client_admin', `/maps/${map}/publish`, {});
    expect([published.status, published.json.code]).to.deep.equal([422, 'LAYER_NOT_PUBLIC']);
  });

  it('omits the stops of an erased person', async () => {
    const [gone] = orders;
    await day.as('client_admin', `/privacy/subjects/order-${gone!}/erase`, {});
    expect((await featuresOf('stops')).map(({ id }) => id)).to.have.members(orders.slice(1));
  });
});
