/** Points of interest and datasets that partners see: which fields, by which grant, and for how long. */
import { expect } from 'chai';
import { createDatabase } from '../../../src/projections/core/database.js';
import { createRecordQueries } from '../../../src/projections/datasets/queries.js';
import { createSharedDatasets } from '../../../src/projections/datasets/shared.js';
import { withoutNull } from '../../../src/api/core/fields.js';
import { callTool } from '../../support/clients/mcp.js';
import { graphql } from '../../support/clients/graphql.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openAllianceWorld, type AllianceWorld, type Who } from '../../support/worlds/alliances.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const TAKER = 'other_client_admin';
const AT = { latitude: 52.5, longitude: 13.4 };
const COLUMNS = [
  { code: 'name', type: 'text', required: true },
  { code: 'size', type: 'integer' },
  { code: 'mail', type: 'email' },
];
interface Named {
  readonly name: string;
}
const names = (of: readonly Named[]) => of.map(({ name }) => name);

describe('places and datasets of partners', () => {
  let t: TestService;
  let w: AllianceWorld;
  let client: string;
  before(async () => {
    t = await startTestService();
    w = await openAllianceWorld(t);
    client = `business_id=${w.giver}`;
  });
  after(() => t.stop());

  const made = async (path: string, body: object, who: Who = 'client_admin', method?: 'PUT' | 'POST') => {
    const answer = await w.as(who, path, body, method && { method });
    expect(answer.status, answer.text).to.be.below(300);
    return answer.json;
  };
  let poisMade = 0;
  const poi = async (visibility: string, more: object = {}) => {
    const name = `Place ${(poisMade += 1)} ${visibility}`;
    const secrets = { note: 'gate code 4711', external_ref: 'REF-9', phone: '+493012345678' };
    const body = { name, category: 'hub', position: AT, visibility, ...secrets, ...more };
    return { id: (await made('/pois', body)).poi.id as number, name };
  };
  const seen = (path: string, who: Who = TAKER) => w.as(who, `${path}${path.includes('?') ? '&' : '?'}${client}`);
  const listed = async (more = '') => names((await seen(`/pois?per_page=200&query=Place${more}`)).json.pois as Named[]);
  let datasetsMade = 0;
  const dataset = async () => {
    const code = `shared_${(datasetsMade += 1)}`;
    const id = (await made('/datasets', { code, name: code, columns: COLUMNS })).dataset.id as number;
    await made(`/datasets/${id}/groups`, { id: 'g', name: 'Group' });
    const records = [
      { values: { name: 'Lindenhof', size: 3, mail: 'petra@example.com' }, group_id: 'g' },
      { values: { name: 'Bahnhof', size: 7 } },
    ];
    const put = await made(`/datasets/${id}/records/batch`, { records }, 'client_admin', 'POST');
    return { id, record: put.results[0].record_id as number };
  };
  const search = (id: number, body: object, who: Who = TAKER) =>
    w.as(who, `/datasets/${id}/search`, { business_id: w.giver, ...body });
  const dissolve = (alliance: number) => w.as('client_admin', `/alliances/${alliance}/dissolve`, {});

  it('places 7: a place with alliance visibility is shown to partners with the grant, without notes, and to no customer', async () => {
    const [own, shared, open] = [await poi('business'), await poi('alliance'), await poi('public')];
    const alliance = await w.allied();
    expect((await seen('/pois')).status).to.equal(404);
    expect((await seen(`/pois/${shared.id}`)).json.code).to.equal('POI_NOT_FOUND');
    const grant = await w.grant(alliance, { kind: 'network' });
    expect(await listed()).to.deep.equal([shared.name, open.name]);
    const one = await seen(`/pois/${shared.id}`);
    expect(one.json.poi).to.deep.include({
      name: shared.name,
      phone: '+493012345678',
      via_alliance: { alliance_id: alliance, grant_id: grant },
    });
    expect(one.text).to.not.include('4711').and.not.include('REF-9');
    expect((await seen(`/pois/${own.id}`)).json.code).to.equal('POI_NOT_FOUND');
    const near = (await seen(`/pois?query=Place&latitude=52.5&longitude=13.41&within_m=2000`)).json.pois[0];
    expect(near.distance_m).to.be.within(600, 750);
    // A hidden field cannot be used as a filter, and without business_id no data of another business appears.
    expect((await seen('/pois?external_ref=REF-9')).status).to.equal(400);
    expect((await w.as(TAKER, `/pois/${open.id}`)).status).to.equal(404);
    expect((await seen('/pois', 'third')).status).to.equal(404);
    for (const who of ['broker', 'driver', 'customer'] as const)
      expect((await w.as(who, `/pois?business_id=${w.taker}`)).status, who).to.equal(404);
    const customers = names((await w.as('customer', '/pois?per_page=200&query=Place')).json.pois as Named[]);
    expect(customers).to.deep.equal([open.name]);
    // In its state at the time of the read.
    await w.as('client_admin', `/pois/${shared.id}`, { visibility: 'business' }, { method: 'PATCH' });
    expect(await listed()).to.deep.equal([open.name]);
    await w.as('client_admin', `/pois/${open.id}`, undefined, { method: 'DELETE' });
    expect(await listed()).to.deep.equal([]);
    const { uses } = (await w.as('client_admin', `/alliances/${alliance}/uses`)).json;
    expect(uses.map(({ operation, subject }: Record<string, string>) => `${operation} ${subject}`)).to.include(
      `pois ${shared.id}`,
    );
    await w.revoke(alliance, grant);
    expect((await seen('/pois')).status).to.equal(404);
    await dissolve(alliance);
  });

  it('a network grant may be limited to categories, and an erased phone is also gone for partners', async () => {
    const [hub, door] = [await poi('alliance'), await poi('alliance', { category: 'door' })];
    const alliance = await w.allied();
    await w.grant(alliance, { kind: 'network', filter: { poi_categories: ['door', 'gate'] } });
    expect(await listed()).to.deep.equal([door.name]);
    expect(await listed('&category=hub')).to.deep.equal([]);
    await w.grant(alliance, { kind: 'network', filter: { poi_categories: ['hub'] } });
    expect(await listed()).to.deep.equal([hub.name, door.name]);
    const erased = await w.as('client_admin', `/privacy/subjects/poi-${door.id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect((await seen(`/pois/${door.id}`)).text).to.not.include('493012345678');
    await dissolve(alliance);
  });

  it('warehouses show name, area and hours, only to offices, and not by a grant of points of interest', async () => {
    const address = { street: 'Dock 9', city: 'Kiel', postal_code: '24103', country: 'DE', position: AT };
    const opening_hours = [{ day: 1, from: '08:00', to: '17:00' }];
    const site = { name: 'Kiel', address, timezone: 'Europe/Berlin', opening_hours, contact: 'Hein' };
    const [kiel, closed] = [
      (await made('/wms/warehouses', { code: 'KIEL', ...site })).warehouse.id as number,
      (await made('/wms/warehouses', { code: 'GONE', ...site })).warehouse.id as number,
    ];
    await w.as('client_admin', `/wms/warehouses/${closed}`, undefined, { method: 'DELETE' });
    const alliance = await w.allied();
    const none = async () => {
      for (const path of ['/wms/warehouses', `/wms/warehouses/${kiel}`])
        expect((await seen(path)).status, path).to.equal(404);
    };
    await none();
    for (const filter of [{ poi_categories: ['hub'] }, { places: ['poi'] }]) {
      const grant = await w.grant(alliance, { kind: 'network', filter });
      await none();
      await w.revoke(alliance, grant);
    }
    const odd = { kind: 'network', filter: { poi_categories: ['hub'], places: ['warehouse'] } };
    expect((await w.as('client_admin', `/alliances/${alliance}/grants`, odd)).status).to.equal(400);
    const filter = { places: ['warehouse'] };
    const grant_id = await w.grant(alliance, { kind: 'network', filter });
    expect((await seen('/pois')).status, 'of warehouses alone').to.equal(404);
    const { warehouses } = (await seen('/wms/warehouses')).json;
    const expectedMembers = {
      id: kiel,
      name: 'Kiel',
      address: { city: 'Kiel', postal_code: '24103', country: 'DE' },
      timezone: 'Europe/Berlin',
      opening_hours,
      status: 'open',
      via_alliance: { alliance_id: alliance, grant_id },
    };
    expect(warehouses.find(({ id }: { id: number }) => id === kiel)).to.deep.equal(expectedMembers);
    expect(warehouses.map(({ id }: { id: number }) => id)).to.not.include(closed);
    expect((await seen(`/wms/warehouses/${kiel}`)).json).to.deep.equal({ result: true, warehouse: expectedMembers });
    expect((await seen(`/wms/warehouses/${closed}`)).status).to.equal(404);
    for (const who of ['other_broker', 'third'] as const)
      expect((await seen(`/wms/warehouses/${kiel}`, who)).status, who).to.equal(404);
    const token = await w.keyOf(TAKER);
    const { structuredContent } = await callTool(t, 'get_warehouses', { business_id: w.giver, fields: '*' }, { token });
    expect(structuredContent['warehouses']).to.deep.equal(withoutNull(warehouses));
    const { uses } = (await w.as('client_admin', `/alliances/${alliance}/uses?per_page=200`)).json;
    const subjects = uses.map(({ operation, subject }: Record<string, string>) => `${operation} ${subject}`);
    expect(subjects).to.have.members(['warehouses ', `warehouses ${kiel}`]);
    const { grants } = (await w.as('client_admin', `/alliances/${alliance}/grants`)).json;
    expect(grants.find((one: { id: number }) => one.id === grant_id).filter).to.deep.equal(filter);
    await dissolve(alliance);
    await expectSameReplay(t, ['alliances', 'warehouses']);
  });

  it('datasets that are named in a grant can be read and searched, without personal columns', async () => {
    const [{ id, record }, other] = [await dataset(), await dataset()];
    const alliance = await w.allied();
    const grants = (filter: object | undefined, kind = 'datasets') =>
      w.as('client_admin', `/alliances/${alliance}/grants`, { kind, to_business_id: w.taker, filter });
    const foreign = await made('/datasets', { code: 'foreign', name: 'Foreign', columns: COLUMNS }, TAKER);
    expect((await grants(undefined)).status, 'none named').to.equal(400);
    expect((await grants({ dataset_ids: [id], order_types: ['D'] })).status, 'of orders').to.equal(400);
    expect((await grants({ dataset_ids: [id] }, 'orders')).status, 'of datasets').to.equal(400);
    expect((await grants({ dataset_ids: [id, foreign.dataset.id] })).json.code).to.equal('DATASET_NOT_FOUND');
    expect((await seen('/datasets')).status).to.equal(404);
    const grant = await w.grant(alliance, { kind: 'datasets', filter: { dataset_ids: [id] } });
    const via = { alliance_id: alliance, grant_id: grant };

    const list = (await seen('/datasets')).json;
    expect([list.total, list.datasets[0].id]).to.deep.equal([1, id]);
    const one = (await seen(`/datasets/${id}`)).json.dataset;
    expect(one).to.deep.include({ record_count: 2, via_alliance: via }).and.to.deep.equal(list.datasets[0]);
    expect(one.columns.map(({ code }: { code: string }) => code)).to.deep.equal(['name', 'size']);
    const groups = (await seen(`/datasets/${id}/groups`)).json;
    expect(groups).to.deep.include({ via_alliance: via });
    expect(groups.groups[0]).to.include({ id: 'g', record_count: 1 });
    const read = (await seen(`/datasets/${id}/records/${record}`)).json;
    expect(read.record.values).to.deep.equal({ name: 'Lindenhof', size: 3 });
    expect(read.record.updated_by).to.equal(null);
    const found = await search(id, { filters: [{ column: 'size', op: 'gt', value: 2 }], groups: ['g'] });
    expect(found.json.records.map((row: { values: object }) => row.values)).to.deep.equal([
      { name: 'Lindenhof', size: 3 },
    ]);
    expect((await search(id, { query: 'lindenhoff' })).json.records[0].match.columns).to.deep.equal(['name']);
    expect((await search(id, { query: 'petra' })).json.total, 'by what is personal').to.equal(0);
    expect((await w.as('client_admin', `/datasets/${id}/search`, { query: 'petra' })).json.total).to.equal(1);
    for (const searchInput of [{ filters: [{ column: 'mail', op: 'empty' }] }, { sort: [{ column: 'mail' }] }])
      expect((await search(id, searchInput)).status, JSON.stringify(searchInput)).to.equal(400);
    for (const answer of [found.text, JSON.stringify(read)]) expect(answer).to.not.include('petra');

    // No other content of the dataset, and no other dataset.
    expect((await seen(`/datasets/${other.id}`)).json.code).to.equal('DATASET_NOT_FOUND');
    expect((await search(other.id, {})).json.code).to.equal('DATASET_NOT_FOUND');
    expect((await search(id, {}, 'third')).json.code).to.equal('DATASET_NOT_FOUND');
    expect((await w.as(TAKER, `/datasets/${id}`)).status).to.equal(404);
    expect((await w.as(TAKER, `/datasets/${id}/records/${record}/history`)).status).to.equal(404);
    expect((await w.as(TAKER, `/datasets/${id}/export`, {})).status).to.equal(404);
    const put = { records: [{ values: { name: 'Mine' } }] };
    expect((await w.as(TAKER, `/datasets/${id}/records/batch`, put, { method: 'POST' })).status).to.equal(404);

    // Agents and GraphQL get the same data.
    const token = await w.keyOf(TAKER);
    const tool = async (name: string, args: object) =>
      (await callTool(t, name, { business_id: w.giver, ...args }, { token })).structuredContent;
    const all = { fields: '*', per_page: 50 };
    expect(await tool('list_datasets', all)).to.deep.equal(withoutNull(list));
    expect(await tool('get_dataset', { dataset_id: id })).to.deep.equal({ result: true, dataset: one });
    expect(await tool('list_dataset_groups', { dataset_id: id })).to.deep.equal(groups);
    const searched = await tool('search_dataset_records', { dataset_id: id, filters: [], sort: [], ...all });
    expect(searched).to.deep.equal(withoutNull((await search(id, {})).json));
    const query = `{ dataset(datasetId: ${id}, businessId: ${w.giver}) { dataset { recordCount columns { code } } } }`;
    const { data } = await graphql(t.url, query, { key: token });
    expect(data.dataset.dataset).to.deep.equal({ recordCount: 2, columns: [{ code: 'name' }, { code: 'size' }] });

    const { uses } = (await w.as('client_admin', `/alliances/${alliance}/uses?per_page=200`)).json;
    const subjects = uses.map(({ operation, subject }: Record<string, string>) => `${operation} ${subject}`);
    expect([...new Set(subjects)]).to.have.members(['datasets ', `datasets ${id}`, `datasets ${id}/${record}`]);
    await w.as('client_admin', `/datasets/${id}`, undefined, { method: 'DELETE' });
    expect((await seen(`/datasets/${id}`)).status).to.equal(404);
    await dissolve(alliance);
    await expectSameReplay(t, ['alliances', 'pois', 'datasets']);
  });

  it('alliance 2: nothing is shown after the revocation, even while the read model is stopped', async () => {
    const { id, record } = await dataset();
    const place = await poi('alliance');
    const sharedReads = [
      () => seen('/pois'),
      () => seen(`/pois/${place.id}`),
      () => seen('/wms/warehouses'),
      () => seen('/datasets'),
      () => seen(`/datasets/${id}`),
      () => seen(`/datasets/${id}/groups`),
      () => seen(`/datasets/${id}/records/${record}`),
      () => search(id, {}),
      () => search(id, { query: 'bahnhof' }),
    ];
    const statuses = async () => Promise.all(sharedReads.map(async (way) => (await way()).status));
    const alliance = await w.allied();
    const grants = [
      await w.grant(alliance, { kind: 'network' }),
      await w.grant(alliance, { kind: 'datasets', filter: { dataset_ids: [id] } }),
    ];
    expect(await statuses()).to.deep.equal(sharedReads.map(() => 200));
    // A request that began before the revocation: its dataset was found, but its records are not read yet.
    const { pool, keyRing, searchIndex: index } = t.service.engines;
    const database = createDatabase(pool);
    const taker = { business: w.taker, userId: 1, giver: w.giver };
    const shared = createSharedDatasets(database, Date.now).whileGranted(taker, id);
    const records = createRecordQueries({ database, keyRing, index });
    const found = async (q?: string) =>
      (
        await records.search(
          id,
          {
            words: q === undefined ? undefined : { text: q, columns: ['name'], inAllColumns: true },
            conditions: [],
            sort: [],
            shared,
          },
          { offset: 0, limit: 9 },
        )
      ).total;
    const readAll = async () => [await found(), await found('bahnhof'), (await records.byId(record, id, shared))?.id];
    expect(await readAll()).to.deep.equal([2, 1, record]);
    const holder = await t.service.engines.pool.connect();
    try {
      await holder.query('begin; lock table alliances.alliances in share mode');
      for (const grant of grants) await w.revoke(alliance, grant);
      expect(await statuses()).to.deep.equal(sharedReads.map(() => 404));
      expect(await readAll()).to.deep.equal([0, 0, undefined]);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await dissolve(alliance);
  });
});
