/** Search over records: words, conditions on columns, personal data; by users and by agents. */
import { expect } from 'chai';
import { callTool, tokenOf } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';
import { waitForJob } from '../../support/eventually.js';

describe('records of datasets', () => {
  let t: TestService;
  let id: number;
  const ids = new Map<string, number>();
  const call = async (path: string, body?: unknown, method?: string) =>
    t.api(path, { key: await signIns(t)('client_admin'), body, ...(method && { method }) });
  const SHOPS = [
    {
      name: 'Alpha',
      size: 3,
      opened: '2026-01-10',
      tags: ['late', 'big'],
      kind: 'shop',
      at: { latitude: 52.52, longitude: 13.4 },
      owner: 'Ada Lovelace',
      phone: '+493012345678',
    },
    {
      name: 'Beta 100%',
      size: 10,
      opened: '2025-06-01',
      tags: ['late'],
      kind: 'kiosk',
      at: { latitude: 52.53, longitude: 13.41 },
      zone: [
        [13, 52],
        [14, 52],
        [14, 53],
        [13, 53],
        [13, 52],
      ],
      owner: 'Grace Hopper',
    },
    { name: 'Gamma', kind: 'shop', at: { latitude: 48.1, longitude: 11.5 }, owner: 'Alan Turing' },
  ];
  before(async () => {
    t = await startTestService();
    const { json, text } = await call('/datasets', {
      code: 'shops',
      name: 'Shops',
      key_column: 'name',
      columns: [
        { code: 'name', type: 'text', required: true },
        { code: 'size', type: 'integer' },
        { code: 'opened', type: 'date' },
        { code: 'tags', type: 'multi_select', options: ['late', 'big'] },
        { code: 'kind', type: 'select', options: ['shop', 'kiosk'] },
        { code: 'at', type: 'point' },
        { code: 'zone', type: 'polygon' },
        { code: 'owner', type: 'text', personal: true },
        { code: 'phone', type: 'phone' },
      ],
    });
    id = json.dataset.id as number;
    expect(id, text).to.be.a('number');
    const put = await call(`/datasets/${id}/records/batch`, { records: SHOPS.map((values) => ({ values })) }, 'POST');
    expect(put.status, put.text).to.equal(200);
    SHOPS.forEach(({ name }, index) => ids.set(name, put.json.results[index].record_id as number));
    // Another dataset with the same codes and other types must have no effect.
    const other = (
      await call('/datasets', {
        code: 'other',
        name: 'Other',
        columns: [
          { code: 'size', type: 'text' },
          { code: 'at', type: 'address', personal: false },
          { code: 'zone', type: 'text' },
        ],
      })
    ).json.dataset.id as number;
    await call(
      `/datasets/${other}/records/batch`,
      { records: [{ values: { size: 'huge', at: { street: 'Weg' }, zone: 'north' } }] },
      'POST',
    );
  });
  after(() => t.stop());

  const found = async (search: object): Promise<string[]> => {
    const { status, json, text } = await call(`/datasets/${id}/search`, search);
    expect(status, text).to.equal(200);
    return (json.records as { values: { name: string } }[]).map(({ values }) => values.name);
  };
  const where = (column: string, op: string, value?: unknown) => found({ filters: [{ column, op, value }] });

  it('are found by conditions of every kind', async () => {
    for (const [column, op, value, ...expected] of [
      ['name', 'eq', 'Alpha', 'Alpha'],
      ['name', 'ne', 'Alpha', 'Beta 100%', 'Gamma'],
      ['name', 'in', ['Alpha', 'Gamma', 'X'], 'Alpha', 'Gamma'],
      ['name', 'contains', '0%', 'Beta 100%'],
      ['name', 'contains', '_', ...[]],
      ['name', 'starts_with', 'ga', 'Gamma'],
      ['size', 'gt', 3, 'Beta 100%'],
      ['size', 'gte', 3, 'Alpha', 'Beta 100%'],
      ['size', 'lt', 10, 'Alpha'],
      ['size', 'ne', 3, 'Beta 100%', 'Gamma'],
      ['size', 'between', [1, 9], 'Alpha'],
      ['size', 'empty', undefined, 'Gamma'],
      ['size', 'empty', false, 'Alpha', 'Beta 100%'],
      ['opened', 'lte', '2025-12-31', 'Beta 100%'],
      ['tags', 'contains', 'big', 'Alpha'],
      ['kind', 'in', ['kiosk'], 'Beta 100%'],
      ['at', 'within_m', { latitude: 52.52, longitude: 13.4, metres: 2_000 }, 'Alpha', 'Beta 100%'],
      [
        'at',
        'within',
        [
          [11, 48],
          [12, 49],
          [11, 49],
          [11, 48],
        ],
        ...[],
      ],
      [
        'at',
        'within',
        [
          [11, 48],
          [12, 48],
          [12, 49],
          [11, 49],
          [11, 48],
        ],
        'Gamma',
      ],
      ['zone', 'contains', { latitude: 52.5, longitude: 13.5 }, 'Beta 100%'],
      ['zone', 'contains', { latitude: 51, longitude: 13.5 }, ...[]],
    ] as const)
      expect(await where(column, op, value), `${column} ${op} ${JSON.stringify(value)}`).to.deep.equal(expected);
  });

  it('are sorted, without a value last, in pages, with the requested columns', async () => {
    expect(await found({ sort: [{ column: 'size', desc: true }] })).to.deep.equal(['Beta 100%', 'Alpha', 'Gamma']);
    expect(await found({ sort: [{ column: 'kind' }, { column: 'name', desc: true }] })).to.deep.equal([
      'Beta 100%',
      'Gamma',
      'Alpha',
    ]);
    const { json } = await call(`/datasets/${id}/search`, { columns: ['kind'], page: 2, per_page: 2 });
    expect(json).to.containSubset({ total: 3, page: 2, records: [{ values: { kind: 'shop' } }] });
    expect(json.records[0].values).to.not.have.property('name');
  });

  it('are zones in the order of their groups: the first one is the zone of a position (places R11)', async () => {
    const columns = [
      { code: 'name', type: 'text', required: true },
      { code: 'area', type: 'polygon' },
    ];
    const zones = (await call('/datasets', { code: 'zones', name: 'Zones', columns })).json.dataset.id as number;
    for (const group_id of ['first', 'second'])
      await call(`/datasets/${zones}/groups`, { id: group_id, name: group_id });
    const area = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 0],
    ];
    const put = await call(
      `/datasets/${zones}/records/batch`,
      {
        records: [
          { values: { name: 'in none', area } },
          { values: { name: 'in the second', area }, group_id: 'second' },
          { values: { name: 'in the first', area }, group_id: 'first' },
        ],
      },
      'POST',
    );
    expect(put.status, put.text).to.equal(200);
    const filters = [{ column: 'area', op: 'contains', value: { latitude: 0.5, longitude: 1 } }];
    const names = async (more: object): Promise<string[]> => {
      const { json } = await call(`/datasets/${zones}/search`, { filters, ...more });
      return json.records.map(({ values }: { values: { name: string } }) => values.name);
    };
    expect(await names({})).to.deep.equal(['in the first', 'in the second', 'in none']);
    expect(await names({ per_page: 1 })).to.deep.equal(['in the first']);
    expect((await names({ sort: [{ column: 'name', desc: true }] }))[0]).to.equal('in the second');
  });

  it('reject invalid conditions', async () => {
    for (const search of [
      { filters: [{ column: 'owner', op: 'eq', value: 'Ada Lovelace' }] },
      { filters: [{ column: 'tags', op: 'gt', value: 'a' }] },
      { filters: [{ column: 'size', op: 'gt', value: 'x' }] },
      { filters: [{ column: 'nothing', op: 'eq', value: 1 }] },
      { filters: [{ column: 'size', op: 'like', value: 1 }] },
      { sort: [{ column: 'owner' }] },
      { columns: ['nothing'] },
    ])
      expect((await call(`/datasets/${id}/search`, search)).status, JSON.stringify(search)).to.equal(400);
  });

  it('are found by words with typing errors, also in personal columns, which are nowhere plaintext', async () => {
    expect(await found({ query: 'gamma' })).to.deep.equal(['Gamma']);
    expect(await found({ query: 'Lovelase' })).to.deep.equal(['Alpha']);
    expect(await found({ query: 'ada alpha' })).to.deep.equal(['Alpha']);
    expect(await found({ query: 'hopper', filters: [{ column: 'kind', op: 'eq', value: 'shop' }] })).to.deep.equal([]);
    const { json } = await call(`/datasets/${id}/search`, { query: 'ada alpha' });
    expect(json.records[0].match.columns).to.deep.equal(['name', 'owner']);
    const { rows } = await t.service.engines.pool.query<{ text: string }>(
      'select r::text as text from records.records r union all select x::text from dataset_search.texts x',
    );
    for (const text of ['Lovelace', '12345678']) expect(rows.map((row) => row.text).join(), text).not.to.include(text);
  });

  it('places 4: are available to agents with four tools, with a personal column', async () => {
    const token = await tokenOf(t, 'client_admin');
    const callAsUser = async (name: string, args: object) =>
      (await callTool(t, name, args, { token })).structuredContent;
    expect(await callAsUser('list_datasets', {})).to.containSubset({ datasets: [{ code: 'shops', record_count: 3 }] });
    expect(await callAsUser('get_dataset', { dataset_id: id })).to.containSubset({
      dataset: { columns: [{ code: 'owner', personal: true }] },
    });
    expect(await callAsUser('list_dataset_groups', { dataset_id: id })).to.include({ result: true });
    const search = { dataset_id: id, query: 'turing', filters: [{ column: 'kind', op: 'eq', value: 'shop' }] };
    expect(await callAsUser('search_dataset_records', search)).to.containSubset({
      total: 1,
      records: [{ values: { name: 'Gamma', owner: 'Alan Turing' } }],
    });
  });

  it('places 4: erase only their person: in reads, search, export, history and the hashes', async () => {
    const record = ids.get('Alpha')!;
    const { rows } = await t.service.engines.pool.query<{ uuid: string }>(
      'select uuid from records.records where id = $1',
      [record],
    );
    const erased = await call(`/privacy/subjects/record-${rows[0]!.uuid}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect((await call(`/datasets/${id}/records/${record}`)).json.record.values).to.not.have.any.keys('owner', 'phone');
    expect((await call(`/datasets/${id}/records/${record}/history`)).json.versions[0].values).to.not.have.any.keys(
      'owner',
      'phone',
    );
    expect(await found({ query: 'lovelace' })).to.deep.equal([]);
    expect(await found({ query: 'alpha' })).to.deep.equal(['Alpha']);
    expect(await found({ query: 'hopper' })).to.deep.equal(['Beta 100%']);
    const exported = await call(`/datasets/${id}/export`, {});
    expect((await waitForJob(() => call(`/jobs/${exported.json.job.id}?wait_s=20`))).status).to.equal('succeeded');
    const table = (await call(`/jobs/${exported.json.job.id}/artifacts/records.csv`)).text;
    expect(table).to.include('Alpha').and.include('Hopper').and.not.include('Lovelace');
    // Later versions hold no personal data of the erased person.
    await call(`/datasets/${id}/records/${record}`, { values: { name: 'Alpha', owner: 'Ada Lovelace' } }, 'PUT');
    expect((await call(`/datasets/${id}/records/${record}`)).json.record.values).to.deep.equal({ name: 'Alpha' });
    expect(await found({ query: 'lovelace' })).to.deep.equal([]);
  });
});
