/** The right to publish a map covers every later change of what its link shows. */
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

const VIEW = { center: { latitude: 52.5, longitude: 13.4 }, zoom: 11 };

describe('changes of a published map', () => {
  let t: TestService;
  let as: AsUsers;
  let dataset: number;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    const columns = [
      { code: 'ref', type: 'text' },
      { code: 'at', type: 'point' },
    ];
    const made = await as('employee', '/datasets', { code: 'sites', name: 'Sites', columns });
    dataset = made.json.dataset.id as number;
    const records = [{ values: { ref: 'K1', at: VIEW.center } }];
    await as('employee', `/datasets/${dataset}/records/batch`, { records }, 'POST');
  });
  after(() => t.stop());

  const layer = () => ({
    layer_id: 'sites',
    title: 'Sites',
    source: { dataset: { dataset_id: dataset, column: 'at' } },
    columns: ['ref'],
    style: { kind: 'point' },
  });
  async function published(): Promise<{ readonly id: number; readonly url: string }> {
    const id = (await as('employee', '/maps', { name: 'Map', view: VIEW })).json.map.id as number;
    const { json, text } = await as('client_admin', `/maps/${id}/publish`, {});
    expect(json.url, text).to.be.a('string');
    return { id, url: json.url as string };
  }
  const textAt = async (url: string) => (await fetch(url)).text();

  it('N9: are rejected for a user without the right to publish, and the public map is unchanged', async () => {
    const { id, url } = await published();
    const before = await textAt(url);
    for (const [change, method] of [
      [{ layers: [layer()] }, 'PATCH'],
      [{ name: 'Other name' }, 'PATCH'],
      [{ view: { ...VIEW, zoom: 3 } }, 'PATCH'],
      [undefined, 'DELETE'],
    ] as const) {
      const answer = await as('employee', `/maps/${id}`, change, method);
      expect([answer.status, answer.json.code], JSON.stringify(change)).to.deep.equal([403, 'MAP_PUBLISHED']);
      const unpublish = await as('employee', `/maps/${id}/unpublish`, {});
      expect(unpublish.json.code).to.equal('FORBIDDEN');
    }
    expect(await textAt(url)).to.equal(before);
  });

  it('N9: are open to a client admin, and to an employee after the map is unpublished', async () => {
    const { id, url } = await published();
    expect((await as('client_admin', `/maps/${id}`, { layers: [layer()] }, 'PATCH')).status).to.equal(200);
    expect(await textAt(url.replace('?', '/layers/sites.geojson?'))).to.contain('K1');
    expect((await as('client_admin', `/maps/${id}/unpublish`, {})).status).to.equal(200);
    expect((await as('employee', `/maps/${id}`, { name: 'Draft' }, 'PATCH')).status).to.equal(200);
    expect((await as('employee', `/maps/${id}`, undefined, 'DELETE')).status).to.equal(200);
  });
});
