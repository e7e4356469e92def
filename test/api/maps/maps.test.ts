/** Custom maps over real HTTP: which caller sees which layer, and no personal data in published maps. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers, type UserName } from '../../support/worlds/users.js';

describe('custom maps', () => {
  let t: TestService;
  let keyOf: ReturnType<typeof signIns>;
  let as: AsUsers;
  let dataset: number;
  const VIEW = { center: { latitude: 52.5, longitude: 13.4 }, zoom: 11 };
  const RING = [
    [13, 52],
    [14, 52],
    [14, 53],
    [13, 52],
  ];

  before(async () => {
    t = await startTestService();
    keyOf = signIns(t);
    as = asUsers(t);
    const made = await as('employee', '/datasets', {
      code: 'stops',
      name: 'Stops',
      columns: [
        { code: 'name', type: 'text' },
        { code: 'kind', type: 'select', options: ['a', 'b'] },
        { code: 'at', type: 'point' },
        { code: 'zone', type: 'polygon' },
        { code: 'owner', type: 'text', personal: true },
      ],
    });
    dataset = made.json.dataset.id as number;
    const records = [
      { name: 'One', kind: 'a', at: { latitude: 52.5, longitude: 13.4 }, owner: 'Ada Lovelace' },
      { name: 'Two', kind: 'b', at: { latitude: 52.6, longitude: 13.5 }, zone: RING, owner: 'Grace Hopper' },
    ];
    await as(
      'employee',
      `/datasets/${dataset}/records/batch`,
      { records: records.map((values) => ({ values })) },
      'POST',
    );
    for (const [name, visibility] of [
      ['Shop', 'public'],
      ['Hidden Depot', 'business'],
    ])
      await as('employee', '/pois', { name, visibility, category: 'x', position: VIEW.center, phone: '+49 30 55555' });
  });
  after(() => t.stop());

  const POIS = { layer_id: 'pois', title: 'Places', source: { pois: {} }, style: { kind: 'point' } };
  const layerOf = (more: { source?: object; [name: string]: unknown } = {}) => ({
    layer_id: 'stops',
    title: 'Stops',
    columns: ['name'],
    style: { kind: 'cluster', color: '#ff0000', label_column: 'name' },
    ...more,
    source: { dataset: { dataset_id: dataset, column: 'at', ...more.source } },
  });
  async function make(...layers: object[]): Promise<number> {
    const { status, json, text } = await as('employee', '/maps', { name: 'Map', view: VIEW, layers });
    expect(status, text).to.equal(201);
    return json.map.id as number;
  }
  const dataOf = (id: number, layer: string, user: UserName = 'employee') =>
    as(user, `/maps/${id}/layers/${layer}.geojson`);
  const publish = async (id: number, body: object = {}) => {
    const { status, json, text } = await as('client_admin', `/maps/${id}/publish`, body);
    expect(status, text).to.equal(200);
    return json as { public_id: string; token: string; url: string };
  };
  const open = (url: string, origin?: string) => fetch(url, { ...(origin && { headers: { origin } }) });
  const layerUrl = (url: string, layer: string) => url.replace('?', `/layers/${layer}.geojson?`);

  it('return the features of their layers as GeoJSON', async () => {
    const id = await make(
      POIS,
      layerOf({ source: { filters: [{ column: 'kind', op: 'eq', value: 'a' }] }, columns: ['name', 'owner'] }),
      layerOf({ layer_id: 'zones', source: { column: 'zone' }, style: { kind: 'fill' } }),
    );
    const answer = await dataOf(id, 'stops');
    expect(answer.headers.get('content-type')).to.equal('application/geo+json');
    expect(answer.json).to.deep.equal({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: answer.json.features[0].id,
          geometry: { type: 'Point', coordinates: [13.4, 52.5] },
          properties: { name: 'One', owner: 'Ada Lovelace' },
        },
      ],
      truncated: false,
    });
    expect((await dataOf(id, 'zones')).json.features).to.containSubset([
      { geometry: { type: 'Polygon', coordinates: [RING] }, properties: { name: 'Two' } },
    ]);
    expect((await dataOf(id, 'pois')).json.features).to.have.length(2);
    expect((await dataOf(id, 'none')).json.code).to.equal('LAYER_NOT_FOUND');
    const again = await t.api(`/maps/${id}/layers/stops.geojson`, {
      key: await keyOf('employee'),
      headers: { 'if-none-match': answer.headers.get('etag')! },
    });
    expect(again.status).to.equal(304);
  });

  it('show drivers the layers for drivers', async () => {
    const id = await make(POIS, layerOf({ shown_to: ['driver'] }));
    expect((await as('driver', `/maps/${id}`)).json.map.layers).to.have.length(1);
    expect((await dataOf(id, 'stops', 'driver')).status).to.equal(200);
    expect((await dataOf(id, 'pois', 'driver')).json.code).to.equal('LAYER_NOT_FOUND');
    expect((await as('broker', `/maps/${id}`)).status).to.equal(404);
    expect((await as('broker', '/maps')).json.maps).to.deep.equal([]);
    expect((await as('driver', '/maps')).json.total).to.equal(1);
    expect((await as('employee', `/maps/${id}/publish`, {})).status).to.equal(403);
  });

  it('reject invalid layers', async () => {
    const filters = [{ column: 'owner', op: 'eq', value: 'Ada' }];
    for (const layers of [
      [POIS, POIS],
      [{ ...POIS, source: {} }],
      [{ ...POIS, columns: ['name'] }],
      [{ ...POIS, min_zoom: 10, max_zoom: 9 }],
      [layerOf({ source: { column: 'name' } })],
      [layerOf({ source: { column: 'nothing' } })],
      [layerOf({ source: { filters } })],
      [layerOf({ columns: ['nothing'] })],
      [layerOf({ style: { kind: 'point', label_column: 'kind' } })],
    ])
      expect((await as('employee', '/maps', { name: 'x', view: VIEW, layers })).status).to.equal(400);
    const gone = [layerOf({ source: { dataset_id: 2_000_000 } })];
    expect((await as('employee', '/maps', { name: 'x', view: VIEW, layers: gone })).json.code).to.equal(
      'DATASET_NOT_FOUND',
    );
  });

  it('places 5: are published without personal data, and never with a personal layer', async () => {
    const id = await make(POIS, layerOf());
    const { url } = await publish(id);
    const map = (await (await open(url)).json()) as { public_map: { layers: object[] } };
    expect(map.public_map.layers).to.have.length(2);
    expect(JSON.stringify(map)).to.not.contain('dataset');
    const texts = await Promise.all(['pois', 'stops'].map(async (layer) => (await open(layerUrl(url, layer))).text()));
    expect(texts[0]).to.contain('Shop').and.not.contain('Hidden Depot').and.not.contain('55555');
    expect(texts[1]).to.contain('"Two"').and.not.contain('Grace');
    const personal = layerOf({ columns: ['name', 'owner'] });
    const changed = await as('client_admin', `/maps/${id}`, { layers: [personal] }, 'PATCH');
    expect([changed.status, changed.json.code]).to.deep.equal([422, 'LAYER_NOT_PUBLIC']);
    const other = await make(personal);
    expect((await as('client_admin', `/maps/${other}/publish`, {})).json.code).to.equal('LAYER_NOT_PUBLIC');
  });

  it('places 5: open only with the current link: not with another token, an old one, or after expiry', async () => {
    const id = await make(POIS);
    const first = await publish(id, { expires_in_days: 1 });
    expect((await open(first.url)).status).to.equal(200);
    expect((await open(first.url.replace(first.token, 'A'.repeat(22)))).status).to.equal(404);
    const second = await publish(id);
    expect(second.token).to.not.equal(first.token);
    expect((await open(first.url)).status).to.equal(404);
    expect((await open(second.url)).status).to.equal(200);
    const { rows } = await t.service.engines.pool.query<{ text: string }>('select m::text as text from maps.maps m');
    expect(rows.map((row) => row.text).join()).to.not.contain(second.token);
    await as('client_admin', `/maps/${id}/unpublish`, {});
    expect((await open(second.url)).status).to.equal(404);
    expect((await open(layerUrl(second.url, 'pois'))).status).to.equal(404);
    const third = await publish(id);
    await as('client_admin', `/maps/${id}`, undefined, 'DELETE');
    expect((await open(third.url)).status).to.equal(404);
  });

  it('return the same link for a retry of the publication', async () => {
    const id = await make(POIS);
    const key = await keyOf('client_admin');
    const send = () => t.api(`/maps/${id}/publish`, { key, body: {}, headers: { 'idempotency-key': `publish-${id}` } });
    const [one, two] = [await send(), await send()];
    expect(two.json).to.deep.equal(one.json);
    expect((await open(two.json.url)).status).to.equal(200);
  });

  it('places 5: are only for pages of their origins', async () => {
    const id = await make(POIS);
    const { url } = await publish(id, { allowed_origins: ['https://shop.example'] });
    for (const address of [url, layerUrl(url, 'pois')]) {
      const allowed = await open(address, 'https://shop.example');
      expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).to.deep.equal([
        200,
        'https://shop.example',
      ]);
      expect((await open(address, 'https://evil.example')).status).to.equal(403);
    }
    for (const origin of ['https://shop.example/', 'shop.example', 'javascript:1', 'https://a.example/x'])
      expect((await as('client_admin', `/maps/${id}/publish`, { allowed_origins: [origin] })).status).to.equal(400);
  });

  it('show nothing of a deleted dataset, and read the same after a rebuild', async () => {
    const id = await make(layerOf());
    await as('employee', `/datasets/${dataset}`, undefined, 'DELETE');
    expect((await dataOf(id, 'stops')).json.features).to.deep.equal([]);
    await expectSameReplay(t, ['maps']);
  });

  it('limit the requests of an address per minute', async () => {
    const id = await make(POIS);
    const { url } = await publish(id);
    const answers = await Promise.all(Array.from({ length: 320 }, () => open(url)));
    expect(answers.filter(({ status }) => status === 429).length).to.be.above(0);
    expect(answers.filter(({ status }) => status === 200).length).to.be.above(200);
  });
});
