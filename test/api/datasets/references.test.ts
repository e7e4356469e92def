/** Columns that reference records of datasets: checked on write and import, and reported if broken. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openAllianceWorld } from '../../support/worlds/alliances.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { openTables } from '../../support/worlds/tables.js';

describe('references between datasets', () => {
  let t: TestService;
  let tables: ReturnType<typeof openTables>;
  let customers: number;
  let stores: number;
  let store: number;
  before(async () => {
    t = await startTestService();
    tables = openTables(t);
    const { make } = tables;
    customers = await make([{ code: 'ref', type: 'text', required: true }], { key_column: 'ref' });
    stores = await make([{ code: 'name', type: 'text' }]);
    await put(customers, { ref: 'C1' }, { ref: 'C2' });
    store = (await put(stores, { name: 'North' }))[0]!.record_id;
  });
  after(() => t.stop());

  type Values = Readonly<Record<string, unknown>>;
  const tryPut = (dataset: number, ...values: readonly Values[]) =>
    tables.as(
      'employee',
      `/datasets/${dataset}/records/batch`,
      { records: values.map((one) => ({ values: one })) },
      'POST',
    );
  async function put(dataset: number, ...values: readonly Values[]): Promise<{ record_id: number }[]> {
    const { status, json, text } = await tryPut(dataset, ...values);
    expect(status, text).to.equal(200);
    expect(json.result, text).to.equal(true);
    return json.results;
  }
  const search = async (
    dataset: number,
    body: object = {},
  ): Promise<{ values: Values; broken_references?: string[] }[]> =>
    (await tables.as('employee', `/datasets/${dataset}/search`, body)).json.records;
  const remove = (dataset: number, record: number) =>
    tables.as('employee', `/datasets/${dataset}/records/${record}`, undefined, 'DELETE');
  const customer = (more: object = {}) => ({ code: 'customer', type: 'reference', reference: customers, ...more });
  const visits = (...more: object[]) =>
    tables.make([
      { code: 'note', type: 'text' },
      customer(),
      { code: 'store', type: 'reference', reference: stores },
      ...more,
    ]);
  /** The paths and codes of a rejected call. */
  const refused = async (answer: ReturnType<typeof tryPut>) => {
    const { status, json } = await answer;
    expect([status, json.code]).to.deep.equal([400, 'INVALID_INPUT']);
    return json.errors.map(({ path, code }: { path: string; code: string }) => [path, code]);
  };

  it('refer permanently to a dataset of the business', async () => {
    const create = async (...columns: object[]) =>
      tables.as('employee', '/datasets', { code: 'odd', name: 'Odd', columns });
    expect((await create({ code: 'a', type: 'reference' })).status).to.equal(400);
    expect((await create({ code: 'a', type: 'text', reference: customers })).status).to.equal(400);
    expect((await create({ code: 'a', type: 'reference', reference: 2_000_000 })).json.code).to.equal(
      'DATASET_NOT_FOUND',
    );
    const foreign = await tables.as('other_client_admin', '/datasets', {
      code: 'foreign',
      name: 'Foreign',
      columns: [{ code: 'a', type: 'text' }],
    });
    const named = { code: 'a', type: 'reference', reference: foreign.json.dataset.id as number };
    expect((await create(named)).json.code).to.equal('DATASET_NOT_FOUND');
    const dataset = await visits();
    const { columns } = (await tables.as('employee', `/datasets/${dataset}`)).json.dataset;
    expect(columns[1]).to.deep.include({ code: 'customer', type: 'reference', reference: customers });
    const change = (next: object[]) => tables.as('employee', `/datasets/${dataset}`, { columns: next }, 'PATCH');
    expect((await change(columns)).status, 'as it was told').to.equal(200);
    const other = columns.map((one: { code: string }) =>
      one.code === 'customer' ? customer({ reference: stores }) : one,
    );
    expect((await change(other)).json.code).to.equal('COLUMN_FIXED');
  });

  it('are checked on write: by the key, or by the id without a key', async () => {
    const dataset = await visits();
    const [{ record_id }] = (await put(dataset, { customer: 'C1', store }, { note: 'nobody' })) as [
      { record_id: number },
    ];
    expect(await refused(tryPut(dataset, { customer: 'C2' }, { customer: 'C9', store: store + 1_000 }))).to.deep.equal([
      ['/records/1/values/customer', 'REFERENCE_NOT_FOUND'],
      ['/records/1/values/store', 'REFERENCE_NOT_FOUND'],
    ]);
    // A record of another dataset does not match, and an id must not be a string.
    expect(await refused(tryPut(dataset, { store: record_id }))).to.deep.equal([
      ['/records/0/values/store', 'REFERENCE_NOT_FOUND'],
    ]);
    expect((await refused(tryPut(dataset, { store: 'North' })))[0][0]).to.equal('/records/0/values/store');
    expect((await refused(tryPut(dataset, { customer: 1 })))[0][0]).to.equal('/records/0/values/customer');
    const one = `/datasets/${dataset}/records/${record_id}`;
    expect(await refused(tables.as('employee', one, { values: { customer: 'C9' } }, 'PUT'))).to.deep.equal([
      ['/values/customer', 'REFERENCE_NOT_FOUND'],
    ]);
    expect((await search(dataset)).map(({ values }) => values)).to.deep.equal([
      { customer: 'C1', store },
      { note: 'nobody' },
    ]);
  });

  it('are reported if broken, and repaired by the same key', async () => {
    const dataset = await visits();
    const [gone] = (await put(customers, { ref: 'C7' })) as [{ record_id: number }];
    const [shut] = (await put(stores, { name: 'South' })) as [{ record_id: number }];
    const [first] = await put(dataset, { customer: 'C7', store: shut.record_id }, { customer: 'C1', store });
    const broken = (value?: boolean, column = 'customer') =>
      search(dataset, { filters: [{ column, op: 'broken', ...(value !== undefined && { value }) }] });
    expect(await broken()).to.deep.equal([]);
    expect(await broken(false)).to.have.length(2);
    await remove(customers, gone.record_id);
    await remove(stores, shut.record_id);
    const { record } = (await tables.as('employee', `/datasets/${dataset}/records/${first!.record_id}`)).json;
    expect(record.broken_references).to.deep.equal(['customer', 'store']);
    expect((await search(dataset)).map(({ broken_references }) => broken_references)).to.deep.equal([
      ['customer', 'store'],
      undefined,
    ]);
    for (const column of ['customer', 'store'])
      expect(
        (await broken(true, column)).map(({ values }) => values['customer']),
        column,
      ).to.deep.equal(['C7']);
    expect((await broken(false)).map(({ values }) => values['customer'])).to.deep.equal(['C1']);
    await refused(tryPut(dataset, { customer: 'C7' }));
    await put(customers, { ref: 'C7' });
    expect((await broken()).length).to.equal(0);
    expect((await search(dataset))[0]!.broken_references).to.deep.equal(['store']);
    // An empty reference is neither valid nor broken.
    await put(dataset, { note: 'nobody' });
    expect(await broken(false)).to.have.length(2);
    expect(await broken()).to.have.length(0);
  });

  it('are broken with their dataset, whose columns can still be defined again', async () => {
    const target = await tables.make([{ code: 'ref', type: 'integer', required: true }], { key_column: 'ref' });
    await put(target, { ref: 7 });
    const columns = [{ code: 'to', type: 'reference', reference: target }];
    const dataset = await tables.make(columns);
    await put(dataset, { to: 7 });
    await tables.as('employee', `/datasets/${target}`, undefined, 'DELETE');
    expect((await search(dataset))[0]).to.deep.include({ values: { to: 7 }, broken_references: ['to'] });
    expect(await search(dataset, { filters: [{ column: 'to', op: 'broken' }] })).to.have.length(1);
    expect(await refused(tryPut(dataset, { to: 7 }))).to.deep.equal([['/records/0/values/to', 'REFERENCE_NOT_FOUND']]);
    const hidden = [
      { ...columns[0], hidden: true },
      { code: 'note', type: 'text' },
    ];
    expect((await tables.as('employee', `/datasets/${dataset}`, { columns: hidden }, 'PATCH')).status).to.equal(200);
    await put(dataset, { note: 'goes on' });
  });

  it('of a personal column are also encrypted and checked', async () => {
    const dataset = await tables.make([customer({ personal: true })]);
    await put(dataset, { customer: 'C2' });
    await refused(tryPut(dataset, { customer: 'C9' }));
    const { rows } = await t.service.engines.pool.query<{ fields: object }>(
      'select fields from records.records where dataset_id = $1',
      [dataset],
    );
    expect(rows).to.deep.equal([{ fields: {} }]);
  });

  it('are checked row by row in an import, and may refer to earlier rows', async () => {
    const columns = [{ code: 'ref', type: 'integer', required: true }, customer()];
    const dataset = await tables.make(columns, { key_column: 'ref' });
    const parent = { code: 'parent', type: 'reference', reference: dataset };
    const changed = await tables.as('employee', `/datasets/${dataset}`, { columns: [...columns, parent] }, 'PATCH');
    expect(changed.status, changed.text).to.equal(200);
    const rows = ['1,C1,', '2,C9,1', '3,C2,1', '4,,2', '5,,6', '6,,3'];
    const file = await tables.upload(`ref,customer,parent\n${rows.join('\n')}\n`);
    const expected = { rows: 6, inserted: 3, updated: 0, unchanged: 0, rejected: 3 };
    for (const dry_run of [true, false]) {
      const job = await tables.bring(dataset, file, { mode: 'upsert', dry_run });
      expect(job.result, JSON.stringify(job)).to.deep.include(expected);
      const csv = await tables.as('employee', `/jobs/${job.id}/artifacts/rejected.csv`);
      const csvRows = csv.text.trim().split(/\r?\n/).slice(1);
      expect(csvRows.map((line) => line.split(',').slice(0, 6).join())).to.deep.equal([
        '2,C9,1,3,customer,REFERENCE_NOT_FOUND',
        '4,,2,5,parent,REFERENCE_NOT_FOUND',
        '5,,6,6,parent,REFERENCE_NOT_FOUND',
      ]);
    }
    expect((await search(dataset)).map(({ values }) => values)).to.deep.equal([
      { ref: 1, customer: 'C1' },
      { ref: 3, customer: 'C2', parent: 1 },
      { ref: 6, parent: 3 },
    ]);
  });

  it('show partners neither their dataset nor broken references', async () => {
    const w = await openAllianceWorld(t);
    const dataset = await visits();
    const [{ record_id }] = (await put(customers, { ref: 'C8' })) as [{ record_id: number }];
    await put(dataset, { customer: 'C8' });
    await remove(customers, record_id);
    await w.grant(await w.allied(), { kind: 'datasets', filter: { dataset_ids: [dataset] } });
    const read = (body: object) =>
      w.as('other_client_admin', `/datasets/${dataset}/search`, { business_id: w.giver, ...body });
    const found = await read({});
    expect(found.json.records[0].values).to.deep.equal({ customer: 'C8' });
    expect(found.text).to.not.include('broken_references');
    expect((await read({ filters: [{ column: 'customer', op: 'broken' }] })).status).to.equal(400);
    const shown = await w.as('other_client_admin', `/datasets/${dataset}?business_id=${w.giver}`);
    expect(shown.json.dataset.columns[1]).to.deep.include({ code: 'customer', type: 'reference' });
    expect(shown.json.dataset.columns[1]).to.not.have.property('reference');
    await expectSameReplay(t, ['datasets', 'records']);
  });
});
