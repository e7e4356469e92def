/** A search by words uses only the columns that its caller may read: matches and scores do not depend on others. */
import { expect } from 'chai';
import { callTool } from '../../support/clients/mcp.js';
import { graphql } from '../../support/clients/graphql.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openAllianceWorld, type AllianceWorld } from '../../support/worlds/alliances.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const PARTNER = 'other_client_admin';
const OWNER = 'client_admin';
/** Parts of the hidden value, from the whole to a few letters, and a near miss. */
const PROBES = ['doorcode X7Q9-KLMN-4482', 'X7Q9', 'KLMN', '4482', '448', 'KLMX', 'doorcode ramp', 'ramp 4482'];

describe('hidden columns of a dataset', () => {
  let t: TestService;
  let w: AllianceWorld;
  before(async () => {
    t = await startTestService();
    w = await openAllianceWorld(t);
  });
  after(() => t.stop());

  const COLUMNS = [
    { code: 'code', type: 'text' },
    { code: 'name', type: 'text' },
    { code: 'keeper', type: 'text', personal: true },
    { code: 'pin', type: 'text', personal: true },
  ];
  const hiding = (...codes: readonly string[]) =>
    COLUMNS.map((column) => ({ ...column, hidden: codes.includes(column.code) }));
  const made = async (path: string, body: unknown, method?: string) => {
    const answer = await w.as(OWNER, path, body, method === undefined ? {} : { method });
    expect(answer.status, `${path}: ${answer.text}`).to.be.below(300);
    return answer.json;
  };
  let names = 0;

  /** A dataset with one record per code, whose columns are hidden after the values were written. */
  async function dataset(codes: readonly string[], hidden: readonly string[]): Promise<number> {
    const id = (await made('/datasets', { code: `d${(names += 1)}`, name: 'Doors', columns: COLUMNS })).dataset.id;
    const records = codes.map((code) => ({ values: { code, name: 'Ramp', keeper: 'Ada', pin: code } }));
    await made(`/datasets/${id}/records/batch`, { records }, 'POST');
    await made(`/datasets/${id}`, { columns: hiding(...hidden) }, 'PATCH');
    return id as number;
  }
  async function granted(id: number): Promise<number> {
    const alliance = await w.allied();
    await w.grant(alliance, { kind: 'datasets', filter: { dataset_ids: [id] } });
    return id;
  }
  /** Total, scores and matching columns of a search, over each interface. */
  async function found(id: number, who: typeof OWNER | typeof PARTNER, query: string): Promise<unknown[]> {
    const business_id = who === PARTNER ? w.giver : undefined;
    const rest = await w.as(who, `/datasets/${id}/search`, { query, business_id });
    expect(rest.status, rest.text).to.equal(200);
    const token = await w.keyOf(who);
    const args = { dataset_id: id, query, ...(business_id !== undefined && { business_id }), fields: '*' };
    const tool = (await callTool(t, 'search_dataset_records', args, { token })).structuredContent;
    const of = business_id === undefined ? '' : `, businessId: ${business_id}`;
    const document = `{ datasetSearch(datasetId: ${id}, query: ${JSON.stringify(query)}, filters: [], sort: []${of}) { total records { match { score columns } } } }`;
    const { data, errors } = await graphql(t.url, document, { key: token });
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    const shown = ({ total, records }: { total: number; records: { match: object }[] }) => ({
      total,
      matches: records.map(({ match }) => match),
    });
    return [rest.json, tool, data.datasetSearch].map((one) => shown(one as never));
  }
  const nothing = { total: 0, matches: [] };

  it('N5: are not searched by a partner, nor do they raise the score of another match', async () => {
    const id = await granted(await dataset(['doorcode X7Q9-KLMN-4482'], ['code']));
    for (const query of PROBES.slice(0, 6))
      expect(await found(id, PARTNER, query), query).to.deep.equal(Array(3).fill(nothing));
    const plain = await found(id, PARTNER, 'ramp');
    expect(plain).to.deep.equal(Array(3).fill({ total: 1, matches: [{ score: 1, columns: ['name'] }] }));
    const other = await granted(await dataset(['nothing alike'], ['code']));
    for (const query of PROBES)
      expect(await found(id, PARTNER, query), query).to.deep.equal(await found(other, PARTNER, query));
  });

  it('N5: are not searched by the owner either, personal ones included', async () => {
    const id = await dataset(['doorcode X7Q9-KLMN-4482'], ['code', 'pin']);
    for (const query of PROBES.slice(0, 6))
      expect(await found(id, OWNER, query), query).to.deep.equal(Array(3).fill(nothing));
    const matches = [{ score: 1, columns: ['keeper'] }];
    expect(await found(id, OWNER, 'ada')).to.deep.equal(Array(3).fill({ total: 1, matches }));
    // A column that is shown again is searched again.
    await made(`/datasets/${id}`, { columns: hiding('pin') }, 'PATCH');
    expect((await found(id, OWNER, '4482'))[0]).to.deep.include({
      total: 1,
      matches: [{ score: 1, columns: ['code'] }],
    });
    await made(`/datasets/${id}`, { columns: hiding() }, 'PATCH');
    expect((await found(id, OWNER, '4482'))[0]).to.deep.include({ matches: [{ score: 1, columns: ['code', 'pin'] }] });
  });

  it('N5: do not displace other columns from the index, however long they are', async () => {
    // More different trigrams than the index once stored for a whole record.
    const text = (n: number) =>
      Array.from({ length: 60 }, (_, at) => ((at + n * 60) * 7919 + 46_656).toString(36)).join(' ');
    const wide = Array.from({ length: 12 }, (_, at) => ({ code: `wide${at}`, type: 'text', hidden: false }));
    const columns = [...wide, { code: 'name', type: 'text', hidden: false }];
    const id = (await made('/datasets', { code: 'wide', name: 'Wide', columns })).dataset.id as number;
    const values = Object.fromEntries(wide.map(({ code }, at) => [code, text(at)]));
    await made(`/datasets/${id}/records/batch`, { records: [{ values: { ...values, name: 'Lindenhof' } }] }, 'POST');
    await made(
      `/datasets/${id}`,
      { columns: columns.map((one) => ({ ...one, hidden: one.code !== 'name' })) },
      'PATCH',
    );
    expect((await found(id, OWNER, 'lindenhof'))[0]).to.deep.include({ total: 1 });
  });

  it('N5: filters, sorting and selected columns are refused like unknown columns', async () => {
    const id = await granted(await dataset(['doorcode X7Q9-KLMN-4482'], ['code']));
    const searches = (column: string) => [
      { filters: [{ column, op: 'starts_with', value: 'door' }] },
      { filters: [{ column, op: 'empty' }] },
      { sort: [{ column }] },
      { columns: [column] },
    ];
    for (const [index, search] of searches('code').entries()) {
      const hidden = await w.as(PARTNER, `/datasets/${id}/search`, { business_id: w.giver, ...search });
      const unknown = await w.as(PARTNER, `/datasets/${id}/search`, {
        business_id: w.giver,
        ...searches('none')[index],
      });
      expect(hidden.status).to.equal(400);
      expect(hidden.json.errors).to.deep.equal(unknown.json.errors);
    }
  });

  it('N5: stay unsearchable when the read models are rebuilt', async () => {
    const id = await granted(await dataset(['doorcode X7Q9-KLMN-4482'], ['code']));
    await expectSameReplay(t, ['datasets', 'records']);
    expect((await found(id, PARTNER, '4482'))[0]).to.deep.equal(nothing);
  });
});
