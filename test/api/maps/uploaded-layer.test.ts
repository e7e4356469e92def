/**
 * Layers of uploaded GeoJSON: validated, for one map only, with the listed properties, and deleted with their layer.
 */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers, type UserName } from '../../support/worlds/users.js';

const RING = [
  [13, 52],
  [14, 52],
  [14, 53],
  [13, 52],
];
const feature = (geometry: object, properties: object | null = {}) => ({ type: 'Feature', geometry, properties });
const zone = feature({ type: 'Polygon', coordinates: [RING] }, { Name: 'Zone A', price: 4.5, Keeper: 'Ada Lovelace' });
const line = feature({ type: 'LineString', coordinates: [RING[0], RING[1]] }, null);
const collection = (...features: object[]) => ({ type: 'FeatureCollection', features });

describe('layers of uploaded GeoJSON', () => {
  let t: TestService;
  let keyOf: ReturnType<typeof signIns>;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    keyOf = signIns(t);
    as = asUsers(t);
  });
  after(() => t.stop());

  const view = { center: { latitude: 52.5, longitude: 13.4 }, zoom: 11 };
  const layer = (file_id: string, more: object = {}) => ({
    layer_id: 'zones',
    title: 'Zones',
    source: { geojson: { file_id } },
    columns: ['Name'],
    style: { kind: 'fill', label_column: 'Name' },
    ...more,
  });
  const sent = async (content: string, user: UserName = 'employee', purpose = 'map') => {
    const answer = await fetch(`${t.url}/api/v1/files?purpose=${purpose}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await keyOf(user)}`, 'content-type': 'application/octet-stream' },
      body: content,
    });
    return { status: answer.status, json: (await answer.json()) as { file: { id: string; media_type: string } } };
  };
  const upload = async (content: object, user: UserName = 'employee') => {
    const { status, json } = await sent(JSON.stringify(content), user);
    expect(status).to.equal(201);
    expect(json.file.media_type).to.equal('application/geo+json');
    return json.file.id;
  };
  const make = (layers: object[], user: UserName = 'employee') => as(user, '/maps', { name: 'Zones', view, layers });
  const made = async (layers: object[]) => {
    const { status, json, text } = await make(layers);
    expect(status, text).to.equal(201);
    return json.map.id as number;
  };
  const read = (map: number) => as('employee', `/maps/${map}/layers/zones.geojson`);
  const isThere = async (file: string) => {
    const { rows } = await t.service.engines.pool.query('select from vault.files where id = $1', [file]);
    return rows.length > 0;
  };

  it('return the features of the file, with the listed properties only', async () => {
    const map = await made([layer(await upload(collection(zone, line)))]);
    const { status, json } = await read(map);
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', id: 1, geometry: zone.geometry, properties: { Name: 'Zone A' } },
        { type: 'Feature', id: 2, geometry: line.geometry, properties: {} },
      ],
      truncated: false,
    });
    const published = await as('client_admin', `/maps/${map}/publish`, {});
    expect(published.status, published.text).to.equal(200);
    const link = (published.json.url as string).replace('?', '/layers/zones.geojson?');
    const open = await fetch(link);
    const text = await open.text();
    expect([open.status, JSON.parse(text)]).to.deep.equal([200, json]);
    expect(text).to.not.include('Lovelace');
  });

  it('reject invalid GeoJSON, with the position of the error', async () => {
    const odd: [string, object, string][] = [
      ['no collection', zone, '/type'],
      ['beyond the earth', collection(feature({ type: 'Point', coordinates: [13, 91] })), 'coordinates/1'],
      ['an open ring', collection(feature({ type: 'Polygon', coordinates: [RING.slice(0, 3)] })), 'coordinates/0'],
      ['a collection of geometries', collection(feature({ type: 'GeometryCollection', geometries: [] })), 'geometry'],
      ['no geometry', collection({ type: 'Feature', properties: {} }), 'geometry'],
    ];
    for (const [what, content, at] of odd) {
      const { status, json } = await make([layer(await upload(content), { columns: [], style: { kind: 'fill' } })]);
      expect([status, json.code], what).to.deep.equal([422, 'GEOJSON_INVALID']);
      expect(json.detail ?? json.title, what).to.include(at);
    }
    expect((await sent('{ "type": "Feature', 'employee')).status, 'a text that begins as JSON').to.equal(201);
    const broken = (await sent('{ "type": "Feature', 'employee')).json.file.id;
    expect((await make([layer(broken)])).json.code).to.equal('GEOJSON_INVALID');
    expect((await sent('a,b\n1,2\n')).status, 'a table').to.equal(415);
    expect((await sent(`{"x":"${'x'.repeat(2_200_000)}"}`)).status).to.equal(413);
    const fine = await upload(collection(zone));
    expect((await make([layer(fine, { columns: ['Nothing'], style: { kind: 'fill' } })])).status).to.equal(400);
    expect((await make([layer(fine, { columns: [] })])).status, 'a label that is not told').to.equal(400);
    const both = { geojson: { file_id: fine }, pois: {} };
    expect((await make([layer(fine, { source: both })])).status).to.equal(400);
  });

  it('accept only own uploads, each for one map', async () => {
    const mine = await upload(collection(zone));
    const refused = async (layers: object[], user: UserName = 'employee') =>
      expect((await make(layers, user)).json.code).to.equal('FILE_NOT_FOUND');
    await refused([layer(mine)], 'client_admin');
    await refused([layer(mine)], 'other_client_admin');
    const table = (await sent('a,b\n1,2\n', 'employee', 'import')).json.file.id;
    await refused([layer(table)]);
    const map = await made([layer(mine)]);
    await refused([layer(mine)]);
    // The same map may use the file again, whichever user changes the map.
    const changed = await as('client_admin', `/maps/${map}`, { layers: [layer(mine, { title: 'Areas' })] }, 'PATCH');
    expect(changed.status, changed.text).to.equal(200);
    expect((await read(map)).json.features).to.have.length(1);
  });

  it('keep their file while they exist, also without the uploader, and no longer', async () => {
    const login = { email: 'mapper@example.com', password: 'long enough password' };
    const { json: user } = await as('client_admin', '/users', { ...login, name: 'Mapper', role: 'employee' });
    const { access_token: key } = (await t.api('/user/login', { body: login })).json;
    const answer = await fetch(`${t.url}/api/v1/files?purpose=map`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key as string}`, 'content-type': 'application/octet-stream' },
      body: JSON.stringify(collection(zone)),
    });
    const { file } = (await answer.json()) as { file: { id: string } };
    const file_id = file.id;
    const made = await t.api('/maps', { key: key as string, body: { name: 'Map', view, layers: [layer(file_id)] } });
    expect(made.status, made.text).to.equal(201);
    const map = made.json.map.id as number;
    const erased = await as('client_admin', `/privacy/subjects/account-${user.user.id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect((await read(map)).json.features).to.have.length(1);
    const next = await upload(collection(line));
    const two = layer(next, { columns: [], style: { kind: 'line' } });
    expect((await as('employee', `/maps/${map}`, { layers: [two] }, 'PATCH')).status).to.equal(200);
    expect([await isThere(file_id), await isThere(next)]).to.deep.equal([false, true]);
    expect((await read(map)).json.features[0].geometry).to.deep.equal(line.geometry);
    await as('employee', `/maps/${map}`, undefined, 'DELETE');
    expect(await isThere(next)).to.equal(false);
    await expectSameReplay(t, ['maps']);
  });
});
