/** The drivers layer: last positions of drivers on duty, and which callers see which drivers. */
import { expect } from 'chai';
import { openRiders, type RiderWorld } from '../../support/worlds/riders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

describe('layer of drivers', () => {
  let t: TestService;
  let w: RiderWorld;
  let map: number;
  let fleet: number;
  let contracted: number;
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const layer = (layer_id: string, drivers: object = {}) => ({
    layer_id,
    title: layer_id,
    source: { drivers },
    style: { kind: 'point' },
    shown_to: ['driver', 'broker'],
  });
  const good = async (user: UserName, path: string, body: object, method?: string) => {
    const { status, json, text } = await w.as(user, path, body, method);
    expect(status, text).to.be.below(300);
    return json;
  };
  const view = { center: { latitude: 52.5, longitude: 13.4 }, zoom: 10 };
  const idOf = (rider: number) => w.riders[rider]!.id;

  before(async () => {
    t = await startTestService({ now, env: { RATE_LIMIT_WRITE: '100000' } });
    w = await openRiders(t, 3, now);
    fleet = (await good('employee', '/fleets', { name: 'Bikes' })).fleet.id as number;
    await good('employee', `/fleets/${fleet}/drivers`, { driver_ids: [idOf(1)] }, 'PUT');
    contracted = (await good('broker', '/fleets', { name: 'Theirs' })).fleet.id as number;
    await good('employee', `/fleets/${contracted}/drivers`, { driver_ids: [idOf(2)] }, 'PUT');
    const layers = [layer('all'), layer('bikes', { fleet_ids: [fleet] })];
    map = (await good('employee', '/maps', { name: 'Now', view, layers })).map.id as number;
    for (const [rider, metres] of [100, 200, 300].entries()) await w.online(rider, metres);
  });
  after(() => t.stop());

  interface Shown {
    readonly id: number;
    readonly geometry: { readonly coordinates: readonly [number, number] };
    readonly properties: Readonly<Record<string, unknown>>;
  }
  const shown = async (name = 'all', key?: string): Promise<readonly Shown[]> => {
    const path = `/maps/${map}/layers/${name}.geojson`;
    const answer = key ? await t.api(path, { key }) : await w.as('employee', path);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json.features as Shown[];
  };
  const ids = (features: readonly Shown[]) => features.map(({ id }) => id);

  it('places: shows drivers on duty at their last position, of all fleets or of some', async () => {
    const all = await shown();
    expect(ids(all)).to.deep.equal([0, 1, 2].map(idOf));
    expect(all[0]!.geometry.coordinates[1]).to.be.closeTo(52.5209, 0.0001);
    expect(all[0]!.properties).to.deep.include({ driver_id: idOf(0), online: true });
    expect(Object.keys(all[0]!.properties)).to.have.members(['driver_id', 'at', 'accuracy_m', 'route_id', 'online']);
    expect(ids(await shown('bikes'))).to.deep.equal([idOf(1)]);
  });

  it('shows a driver only their own position, and a contractor those of its fleets', async () => {
    expect(ids(await shown('all', w.riders[0]!.key))).to.deep.equal([idOf(0)]);
    const key = await signIns(t)('broker');
    expect(ids(await shown('all', key))).to.deep.equal([idOf(2)]);
    expect(ids(await shown('bikes', key))).to.deep.equal([]);
  });

  it('requires the scope of drivers, accepts only fleets of the business, and is never published', async () => {
    const { secret: api_key } = await good('employee', '/api-keys', { name: 'narrow', scopes: ['datasets:read'] });
    const narrow = await t.api(`/maps/${map}/layers/all.geojson`, { key: api_key as string });
    expect([narrow.status, narrow.json.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    const foreign = (await good('other_client_admin', '/fleets', { name: 'Foreign' })).fleet.id as number;
    const layers = [layer('foreign', { fleet_ids: [foreign] })];
    expect((await w.as('employee', '/maps', { name: 'x', view, layers })).json.code).to.equal('FLEET_NOT_FOUND');
    const other = await good('other_client_admin', '/maps', { name: 'x', view, layers: [layer('all')] });
    const answer = await w.as('other_client_admin', `/maps/${other.map.id}/layers/all.geojson`);
    expect(answer.json.features, 'drivers of another business').to.deep.equal([]);
    const published = await w.as('client_admin', `/maps/${map}/publish`, {});
    expect([published.status, published.json.code]).to.deep.equal([422, 'LAYER_NOT_PUBLIC']);
  });

  it('hides drivers who are off duty, and old positions', async () => {
    await w.ride(0, '/offline', {});
    expect(ids(await shown())).to.deep.equal([1, 2].map(idOf));
    // Also if a position is still stored, as after a route that was just finished.
    await t.service.engines.pool.query(
      `insert into access.positions_last (driver_id, at, latitude, longitude, received_at)
       select $1, at, latitude, longitude, received_at from access.positions_last where driver_id = $2`,
      [idOf(0), idOf(1)],
    );
    expect(ids(await shown())).to.deep.equal([1, 2].map(idOf));
    clock.ahead += 16 * 60_000;
    await w.stand(1, 250);
    expect(ids(await shown())).to.deep.equal([idOf(1)]);
  });
});
