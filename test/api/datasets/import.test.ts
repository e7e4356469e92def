/** Import of tables into datasets, and export, over real HTTP: nothing is guessed, and every row is reported. */
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { expectSameReplay } from '../../support/checks/replay.js';
import { workbook } from '../../support/inputs/workbook.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { openTables } from '../../support/worlds/tables.js';
import { atDepth } from '../../support/depth.js';

const COLUMNS = [
  { code: 'ref', type: 'text', required: true },
  { code: 'postal_code', type: 'text' },
  { code: 'size', type: 'integer' },
  { code: 'opened', type: 'date' },
  { code: 'site', type: 'point' },
];
type RejectedRow = Record<string, string>;
/** A multiple of 400: one in 400 rows is invalid, but none of the last 2,000. */
const ROWS = atDepth(50_000, 6_000);

describe('tables of datasets', () => {
  let t: TestService;
  let d: ReturnType<typeof openTables>;
  before(async () => {
    t = await startTestService();
    d = openTables(t);
  });
  after(() => t.stop());

  const rejectedOf = async (job: string): Promise<RejectedRow[]> => {
    const { status, text } = await d.artifact(job, 'rejected.csv');
    expect(status, text).to.equal(200);
    return parse(text, { columns: true }) as RejectedRow[];
  };

  it(`places 1: ${ROWS} rows of a workbook with ${ROWS / 400 - 5} invalid ones: dry run and import agree, and 01067 stays 01067`, async () => {
    const header = ['ref', 'postal_code', 'size', 'opened', 'site.latitude', 'site.longitude'];
    const isBad = (row: number): boolean => row % 400 === 7 && row < ROWS - 2_000;
    const rows = Array.from({ length: ROWS }, (_, row) => [
      `R-${row}`,
      isBad(row) && row % 800 === 7 ? 1067 : '01067',
      isBad(row) && row % 800 !== 7 ? 'many' : row,
      new Date('2026-02-28T00:00:00Z'),
      52.5,
      13.4,
    ]);
    const id = await d.make(COLUMNS, { key_column: 'ref' });
    const file = await d.upload(workbook({ Stores: [header, ...rows] }));
    const rehearsed = await d.bring(id, file, { dry_run: true });
    expect(rehearsed, JSON.stringify(rehearsed)).to.include({ status: 'succeeded', kind: 'dataset_import' });
    const rejected = ROWS / 400 - 5;
    const counts = { rows: ROWS, inserted: ROWS - rejected, updated: 0, unchanged: 0, rejected };
    expect(rehearsed.result).to.deep.equal({ ...counts, dry_run: true });
    expect((await d.search(id)).total).to.equal(0);
    const done = await d.bring(id, file);
    expect(done.result).to.deep.equal({ ...counts, dry_run: false });
    const rejectedRows = await rejectedOf(done.id);
    expect(rejectedRows).to.deep.equal(await rejectedOf(rehearsed.id));
    expect(rejectedRows).to.have.length(rejected);
    expect(rejectedRows[0]).to.include({ ref: 'R-7', line: '9', column: 'postal_code', code: 'NUMBER_IN_TEXT_COLUMN' });
    expect(rejectedRows[1]).to.include({ ref: 'R-407', line: '409', column: 'size', code: 'INVALID_FORM' });
    const found = await d.search(id, { filters: [{ column: 'ref', op: 'eq', value: `R-${ROWS - 1}` }] });
    expect(found.records[0]).to.deep.include({
      version: 1,
      values: {
        ref: `R-${ROWS - 1}`,
        postal_code: '01067',
        size: ROWS - 1,
        opened: '2026-02-28',
        site: { latitude: 52.5, longitude: 13.4 },
      },
    });
    expect((await d.search(id)).total).to.equal(ROWS - rejected);
  });

  it('places 2: a second import of the same file changes nothing, and other values create new versions', async () => {
    const id = await d.make(COLUMNS, { key_column: 'ref' });
    const file = await d.upload('ref,postal_code,size\nA,01067,1\nB,10623,2\nA,01067,1\n');
    const first = { rows: 3, inserted: 2, updated: 0, unchanged: 1, rejected: 0 };
    expect((await d.bring(id, file, { mode: 'upsert', dry_run: true })).result).to.deep.include(first);
    expect((await d.bring(id, file, { mode: 'upsert' })).result).to.deep.include(first);
    const again = { rows: 3, inserted: 0, updated: 0, unchanged: 3, rejected: 0 };
    expect((await d.bring(id, file, { mode: 'upsert', dry_run: true })).result).to.deep.include(again);
    expect((await d.bring(id, file, { mode: 'upsert' })).result).to.deep.include(again);
    const other = await d.upload('ref,size\nA,9\nC,3\n');
    const changed = { rows: 2, inserted: 0, updated: 1, unchanged: 0, rejected: 1 };
    expect((await d.bring(id, other, { mode: 'update', dry_run: true })).result).to.deep.include(changed);
    const updated = await d.bring(id, other, { mode: 'update' });
    expect(updated.result).to.deep.include(changed);
    expect((await rejectedOf(updated.id))[0]).to.include({ ref: 'C', line: '3', code: 'RECORD_NOT_FOUND' });
    const inserted = { rows: 2, inserted: 1, updated: 0, unchanged: 0, rejected: 1 };
    expect((await d.bring(id, other, { dry_run: true })).result).to.deep.include(inserted);
    const job = await d.bring(id, other);
    expect(job.result).to.deep.include(inserted);
    expect((await rejectedOf(job.id))[0]).to.include({ ref: 'A', line: '2', code: 'RECORD_EXISTS' });
    const { records } = await d.search(id, { sort: [{ column: 'ref' }] });
    expect(records.map(({ values, version }: never) => [(values as RejectedRow)['ref'], version])).to.deep.equal([
      ['A', 2],
      ['B', 1],
      ['C', 1],
    ]);
  });

  it('places 2: a second import changes nothing for personal values, either', async () => {
    const id = await d.make([COLUMNS[0]!, { code: 'tel', type: 'phone' }], { key_column: 'ref' });
    const file = await d.upload('ref,tel\nA,+493012345678\nB,\n');
    expect((await d.bring(id, file, { mode: 'upsert' })).result).to.deep.include({ inserted: 2 });
    for (const dry_run of [true, false])
      expect((await d.bring(id, file, { mode: 'upsert', dry_run })).result, String(dry_run)).to.deep.include({
        updated: 0,
        unchanged: 2,
      });
    const other = await d.upload('ref,tel\nA,+493012345679\nB,\n');
    for (const dry_run of [true, false])
      expect((await d.bring(id, other, { mode: 'upsert', dry_run })).result, String(dry_run)).to.deep.include({
        updated: 1,
        unchanged: 1,
      });
  });

  it('keep columns that the table lacks, and clear those with empty cells', async () => {
    const columns = [...COLUMNS, { code: 'tel', type: 'phone' }, { code: 'name', type: 'text', required: true }];
    const id = await d.make(columns, { key_column: 'ref' });
    await d.as('employee', `/datasets/${id}/groups`, { id: 'north', name: 'North' });
    const whole = { ref: 'A', postal_code: '01067', size: 1, tel: '+493012345678', name: 'Ada' };
    await d.as(
      'employee',
      `/datasets/${id}/records/batch`,
      { records: [{ values: whole, group_id: 'north' }] },
      'POST',
    );
    const record = async () => (await d.search(id)).records[0];
    const file = await d.upload('ref,postal_code,size\nA,,2\nC,10115,1\n');
    const both = async (mode: string, counts: object) => {
      const rehearsed = await d.bring(id, file, { mode, dry_run: true });
      expect(rehearsed.result, 'dry').to.deep.include(counts);
      const job = await d.bring(id, file, { mode });
      expect(job.result).to.deep.include(counts);
      expect(await rejectedOf(rehearsed.id)).to.deep.equal(await rejectedOf(job.id));
      return rejectedOf(job.id);
    };
    const refused = await both('update', { updated: 1, rejected: 1 });
    expect(refused[0]).to.include({ ref: 'C', code: 'RECORD_NOT_FOUND' });
    const { postal_code: _emptied, ...kept } = whole;
    expect(await record()).to.deep.include({ group_id: 'north', version: 2, values: { ...kept, size: 2 } });
    // A new record lacks the required value.
    const lacking = await both('upsert', { inserted: 0, unchanged: 1, rejected: 1 });
    expect(lacking[0]).to.include({ ref: 'C', column: 'name', code: 'REQUIRED' });
  });

  it('are mapped by names and letters, read with the given options, and put into groups', async () => {
    const id = await d.make([
      ...COLUMNS,
      { code: 'price', type: 'money' },
      { code: 'tags', type: 'multi_select', options: ['a', 'b'] },
      { code: 'seen', type: 'datetime' },
    ]);
    await d.as('employee', `/datasets/${id}/groups`, { id: 'north', name: 'North' });
    const file = await d.upload(
      'a list of stores;;;;;;\nNummer;Preis;Währung;Eröffnet;Tags;Gesehen;Gruppe\n7;1.234,50;EUR;03.02.2026;a;2026-02-03 10:00;north\n8;1.23;EUR;3.2.2026;a;b;south\n',
    );
    const mapping = [
      { from: 'Nummer', to: 'ref' },
      { from: 'B', to: 'price.amount', as: 'decimal_comma' },
      { from: 'C', to: 'price.currency' },
      { from: 'Eröffnet', to: 'opened', as: 'DD.MM.YYYY' },
      { from: 'E', to: 'tags' },
      { from: 'Gesehen', to: 'seen', as: 'utc' },
    ];
    const job = await d.bring(id, file, { header_row: 2, mapping, group_from: 'Gruppe' });
    const rejectedRows = await rejectedOf(job.id);
    expect(job.result, JSON.stringify(rejectedRows)).to.include({ rows: 2, inserted: 1, rejected: 1 });
    expect((await d.search(id, { groups: ['north'] })).records[0].values).to.deep.equal({
      ref: '7',
      price: { amount: '1234.50', currency: 'EUR' },
      opened: '2026-02-03',
      tags: ['a'],
      seen: '2026-02-03T10:00:00.000Z',
    });
    expect(rejectedRows[0]).to.include({ line: '4', column: 'price', code: 'INVALID_FORM' });
  });

  it('stop at the first invalid row on request, and keep the imported ones', async () => {
    const id = await d.make(COLUMNS, { key_column: 'ref' });
    const file = await d.upload('ref,size\nA,1\nB,x\nC,3\n');
    const job = await d.bring(id, file, { on_error: 'stop' });
    expect(job.result).to.deep.include({ rows: 2, inserted: 1, rejected: 1, stopped: true });
    // Rejected rows are imported once they are corrected.
    const { text } = await d.artifact(job.id, 'rejected.csv');
    const corrected = await d.upload(text.replace('B,x', 'B,2'));
    expect((await d.bring(id, corrected)).result).to.deep.include({ rows: 1, inserted: 1 });
  });

  it('fail with a reason if the file does not match the request', async () => {
    const id = await d.make(COLUMNS, { key_column: 'ref' });
    const code = async (content: Buffer | string, more: object = {}) =>
      (await d.bring(id, await d.upload(content), more)).error?.code;
    expect(await code('ref,colour\nA,red\n')).to.equal('COLUMN_UNKNOWN');
    expect(await code('ref\nA\n', { mapping: [{ from: 'Ref', to: 'ref' }] })).to.equal('COLUMN_NOT_IN_FILE');
    expect(await code(workbook({ One: [['ref']] }), { sheet: 'Two' })).to.equal('SHEET_NOT_FOUND');
    expect(await code('ref\nA\n', { header_row: 9 })).to.equal('TABLE_UNREADABLE');
    expect(await code('ref\n"A\n')).to.equal('TABLE_UNREADABLE');
    const post = (body: object) => d.as('employee', `/datasets/${id}/import`, body);
    const file_id = await d.upload('ref\nA\n');
    for (const body of [
      { mapping: [{ from: 'ref', to: 'other' }] },
      { mapping: [{ from: 'ref', to: 'ref', as: 'utc' }] },
      { group_id: 'g', group_from: 'G' },
    ])
      expect((await post({ file_id, ...body })).status, JSON.stringify(body)).to.equal(400);
    expect((await d.as('client_admin', `/datasets/${id}/import`, { file_id })).json.code).to.equal('FILE_NOT_FOUND');
  });

  it('can be exported and imported again without a change', async () => {
    const columns = [
      ...COLUMNS,
      { code: 'note', type: 'text' },
      { code: 'area', type: 'polygon' },
      { code: 'door', type: 'address' },
    ];
    const id = await d.make(columns, { key_column: 'ref' });
    await d.as('employee', `/datasets/${id}/groups`, { id: 'north', name: 'North' });
    const area = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const door = { city: 'Berlin', position: { latitude: 52.5, longitude: 13.4 } };
    const values = {
      ref: 'A',
      postal_code: '01067',
      site: { latitude: 1.5, longitude: 2 },
      note: '+49 30 1',
      area,
      door,
    };
    await d.as(
      'employee',
      `/datasets/${id}/records/batch`,
      {
        records: [
          { values, group_id: 'north' },
          { values: { ref: 'B', note: '=1+2' } },
          { values: { ref: 'C', note: "'=1+2" } },
        ],
      },
      'POST',
    );
    const before = (await d.search(id)).records;
    const { json, status } = await d.as('auditor', `/datasets/${id}/export`, {});
    expect(status).to.equal(202);
    const job = await d.ended(json.job.id);
    expect(job.result, JSON.stringify(job)).to.deep.equal({ rows: 3 });
    const { text } = await d.artifact(json.job.id, 'records.csv', 'auditor');
    expect(text).to.contain(`'=1+2`).and.to.contain('+49 30 1');
    const file = await d.upload(text);
    expect((await d.bring(id, file, { mode: 'upsert' })).result).to.include({ unchanged: 3, rejected: 0 });
    const other = await d.make(columns, { key_column: 'ref' });
    const refused = await d.bring(other, file);
    expect(refused.result).to.include({ inserted: 2, rejected: 1 });
    // The rejected rows are imported, too.
    await d.as('employee', `/datasets/${other}/groups`, { id: 'north', name: 'North' });
    const rest = await d.upload((await d.artifact(refused.id, 'rejected.csv')).text);
    expect((await d.bring(other, rest)).result).to.include({ inserted: 1, rejected: 0 });
    const comparable = ({ group_id, values: all }: { group_id: string; values: object }) => ({ group_id, all });
    const { records } = await d.search(other, { sort: [{ column: 'ref' }] });
    expect(records.map(comparable)).to.deep.equal(before.map(comparable));
    expect(before[0].values).to.deep.equal(values);
  });

  it('are replayed to the same rows', () => expectSameReplay(t, ['datasets', 'records']));
});
