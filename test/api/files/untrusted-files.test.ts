/** Files that are hostile or too many: only their own request or job fails, and it says why (N1, N4, N7, N8). */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { png, pngChunk } from '../../support/inputs/pictures.js';
import { rawWorkbook, strayCell, textCell } from '../../support/inputs/sheets.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { openTables } from '../../support/worlds/tables.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

const COLUMNS = [
  { code: 'ref', type: 'text', required: true },
  { code: 'size', type: 'integer' },
];

describe('untrusted files', () => {
  let t: TestService;
  let d: ReturnType<typeof openTables>;
  let keyOf: ReturnType<typeof signIns>;
  before(async () => {
    t = await startTestService({ env: { FILE_READER_MEMORY_MB: '64' } });
    d = openTables(t);
    keyOf = signIns(t);
  });
  after(() => t.stop());

  it('N1: a workbook with the cell ZZZZZZ2 fails its job with a message, and the next import succeeds', async () => {
    const id = await d.make(COLUMNS, { key_column: 'ref' });
    const job = await d.bring(id, await d.upload(strayCell('ZZZZZZ2')), { mode: 'upsert' });
    expect(job).to.include({ status: 'failed' }).and.have.nested.property('error.code', 'TABLE_TOO_WIDE');
    expect(job.error.message).to.include('16384').and.include('1048576');
    expect((await d.bring(id, await d.upload('ref,size\nA,1\n'))).result).to.include({ inserted: 1 });
  });

  it('N1: a file that ends its process fails its job once, which is not attempted again', async () => {
    const id = await d.make(COLUMNS);
    const strings = Array.from({ length: 3_000_000 }, (_, n) => `<si><t>${n} of many</t></si>`).join('');
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const heavy = rawWorkbook(`<row r="1">${textCell('A1', 'ref')}</row>`, {
      'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="b" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="c" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    });
    const job = await d.bring(id, await d.upload(heavy));
    expect(job.error?.code, JSON.stringify(job)).to.equal('FILE_READ_MEMORY');
    expect(job.error.message).to.include('64 MB');
    const { rows } = await t.service.engines.pool.query<{ attempt: number }>(
      'select attempt from access.jobs where id = $1',
      [job.id],
    );
    expect(rows).to.deep.equal([{ attempt: 1 }]);
  });

  it('N4: 1,000 blank rows end an import, and the result says after which line', async () => {
    const id = await d.make(COLUMNS);
    const { result } = await d.bring(id, await d.upload(`ref,size\nA,1\n${',\n'.repeat(300_000)}B,2\n`));
    expect(result).to.deep.include({ rows: 1, inserted: 1, end_line: 2 });
    const complete = await d.bring(id, await d.upload('ref,size\nA,1\n,\nB,2\n'));
    expect(complete.result).to.include({ rows: 2 }).and.not.have.property('end_line');
  });

  it('N4: 10,000 rejected rows end an import, with a message and the rows', async () => {
    const id = await d.make(COLUMNS);
    const job = await d.bring(id, await d.upload(`ref,size\n${'A,no\n'.repeat(30_000)}`), { dry_run: true });
    expect(job).to.include({ status: 'failed' }).and.have.nested.property('error.code', 'TOO_MANY_REJECTED');
    expect(job.error.message).to.include('10000');
    const { text, headers } = await d.artifact(job.id as string, 'rejected.csv');
    expect(text.trimEnd().split('\r\n')).to.have.length(10_001);
    expect(headers.get('content-disposition')).to.equal('attachment; filename="rejected.csv"');
  });

  it('N4: the import of orders stops at 1,000 blank rows, too', async () => {
    const file_id = await d.upload(`order_ref,delivery.name\n${',\n'.repeat(300_000)}`);
    const { status, json } = await d.as('employee', '/orders/import', { file_id, dry_run: true });
    expect([status, json.lines, json.end_line], JSON.stringify(json)).to.deep.equal([202, 0, 1]);
  });

  it('N7: each export has a name, its cells are safe, and the import of the service restores them', async () => {
    const id = await d.make([...COLUMNS, { code: 'note', type: 'text' }], { key_column: 'ref' });
    const notes = ['A\n=HYPERLINK("http://x")', '＝1', "'=1", 'x\r@y', "it's\n'=2", 'a;=b'];
    const records = notes.map((note, index) => ({ values: { ref: `R${index}`, note } }));
    await d.as('employee', `/datasets/${id}/records/batch`, { records }, 'POST');
    const { json } = await d.as('employee', `/datasets/${id}/export`, {});
    await d.ended(json.job.id as string);
    const { text, headers } = await d.artifact(json.job.id as string, 'records.csv');
    expect(headers.get('content-disposition')).to.equal('attachment; filename="records.csv"');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(text).to.include(`"A\n'=HYPERLINK(`).and.include("'＝1").and.include("x\r'@y");
    const again = await d.bring(id, await d.upload(text), { mode: 'upsert' });
    expect(again.result).to.include({ unchanged: notes.length, updated: 0, rejected: 0 });
    const orders = await d.as('employee', '/orders/export');
    expect(orders.headers.get('content-disposition')).to.equal('attachment; filename="orders.csv"');
  });

  it('N7: the name of a recipient does not add rows or formulas to an export of orders, and is imported again', async () => {
    const name = 'A\n=HYPERLINK("http://x")';
    const row = `order_ref,delivery.name,delivery.street,delivery.city,delivery.country\nN7,"${name.replaceAll('"', '""')}",Weg 1,Berlin,DE`;
    const made = await d.as('employee', '/orders/import', { csv: row, wait_s: 25 });
    expect(made.json.created, made.text).to.equal(1);
    const { text } = await d.as('employee', '/orders/export?order_ref=N7');
    expect(text).to.include(`"A\n'=HYPERLINK(`);
    const mapping = ['order_id', 'status', 'tracking_numbers', 'created_at'].map((from) => ({ from, to: '' }));
    const again = await d.as('employee', '/orders/import', {
      csv: text,
      mapping,
      known: 'create',
      allow_past_date: true,
      wait_s: 25,
    });
    expect(again.json.created, again.text).to.equal(1);
    const { json } = await d.as('employee', '/orders?order_ref=N7');
    expect(json.orders.map((order: { delivery: { name: string } }) => order.delivery.name)).to.deep.equal([name, name]);
  });

  it('N8: only offices upload tables', async () => {
    const table = Buffer.from('a\nb\n');
    for (const who of ['customer', 'driver', 'broker'] as const) {
      const { status, json } = await d.send(table, 'import', who);
      expect([status, json.code], who).to.deep.equal([403, 'PURPOSE_FORBIDDEN']);
    }
    expect((await d.send(table, 'import', 'auditor')).json.code).to.equal('FORBIDDEN');
    expect((await d.send(png(), 'photo', 'driver')).status).to.equal(201);
    for (const who of ['client_admin', 'employee'] as const)
      expect((await d.send(table, 'import', who)).status, who).to.equal(201);
  });

  it('N8: a refused upload is answered before its body arrives', async () => {
    const beginning = async (purpose: string, who: UserName): Promise<[status: number | undefined, code: string]> => {
      const upload = request(`${t.url}/api/v1/files?purpose=${purpose}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await keyOf(who)}`, 'content-length': 40_000_000 },
      });
      upload.on('error', () => {}).write('ref');
      const [response] = (await once(upload, 'response')) as [IncomingMessage];
      const { code } = (await json(response)) as { code: string };
      upload.destroy();
      return [response.statusCode, code];
    };
    expect(await beginning('import', 'customer')).to.deep.equal([403, 'PURPOSE_FORBIDDEN']);
    expect(await beginning('photo', 'driver')).to.deep.equal([413, 'FILE_TOO_LARGE']);
  });

  it('N14: an uploaded PNG is returned without its metadata', async () => {
    const { json } = await d.send(png({ before: [pngChunk('tEXt', 'Author\0Ada')], behind: 'Ada' }), 'photo');
    const read = await fetch(`${t.url}/api/v1/files/${json.file.id}`, {
      headers: { authorization: `Bearer ${await keyOf('employee')}` },
    });
    expect(Buffer.from(await read.arrayBuffer()).equals(png())).to.equal(true);
  });
});

describe('N8: quotas of uploads', () => {
  let t: TestService;
  let keyOf: ReturnType<typeof signIns>;
  before(async () => {
    t = await startTestService({
      env: {
        UPLOAD_USER_FILES: '3',
        UPLOAD_BUSINESS_FILES: '5',
        UPLOAD_USER_MB: '2',
        UPLOAD_BUSINESS_MB: '3',
        DRIVER_DOCUMENTS_MB: '1',
      },
    });
    keyOf = signIns(t);
  });
  after(() => t.stop());

  const upload = async (who: UserName, bytes: number, more: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${t.url}/api/v1/files?purpose=document`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await keyOf(who)}`, ...more },
      body: new Uint8Array(Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(bytes)])),
    });
    const json = (await answer.json()) as { code?: string; message?: string; file?: { id: string } };
    return {
      status: answer.status,
      code: json.code,
      message: json.message,
      id: json.file?.id,
      headers: answer.headers,
    };
  };

  it('N8: bytes and numbers of unused files are limited, per user and per business', async () => {
    expect(await upload('driver', 1_500_000)).to.include({ status: 201 });
    const tooLarge = await upload('driver', 1_000_000);
    expect(tooLarge).to.include({ status: 429, code: 'UPLOAD_QUOTA_EXCEEDED' });
    expect(tooLarge.headers.get('retry-after')).to.equal('3600');
    expect(tooLarge.message).to.include('2000000');
    const key = { 'idempotency-key': 'n8' };
    const second = await upload('driver', 10, key);
    expect(await upload('driver', 10)).to.include({ status: 201 });
    const tooMany = await upload('driver', 10);
    expect(tooMany).to.include({ status: 429, code: 'TOO_MANY_FILES' });
    expect(tooMany.headers.get('retry-after')).to.equal('3600');
    expect(await upload('driver', 10, key), 'a retry of an upload').to.include({ status: 201, id: second.id });
    expect(await upload('employee', 1_600_000), 'the business').to.include({
      status: 429,
      code: 'UPLOAD_QUOTA_EXCEEDED',
    });
    expect(await upload('employee', 10)).to.include({ status: 201 });
    expect(await upload('client_admin', 10)).to.include({ status: 201 });
    expect(await upload('client_admin', 10)).to.include({ status: 429, code: 'TOO_MANY_FILES' });
    expect(await upload('other_client_admin', 10), 'another business').to.include({ status: 201 });
  });

  it('N8: files that are used do not count, and uploads at once do not pass the limit together', async () => {
    await t.service.engines.pool.query('update vault.files set used_at = now()');
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload('driver', 10)));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(3);
    expect(answers.filter(({ code }) => code === 'TOO_MANY_FILES')).to.have.length(5);
  });

  it('N8: the files of all documents of a driver are limited, and a retry does not count them twice', async () => {
    await t.service.engines.pool.query('update vault.files set used_at = now()');
    const key = await keyOf('driver');
    const path = `/drivers/${t.demo.users.driver.id}/documents`;
    await t.service.engines.pool.query('delete from vault.files where owner = $1', [t.demo.users.driver.id]);
    const submit = (file: string | undefined, command: string) =>
      t.api(path, { key, body: { kind: 'licence', file_ids: [file] }, headers: { 'idempotency-key': command } });
    const first = await upload('driver', 700_000);
    expect((await submit(first.id, 'first')).status).to.equal(201);
    expect((await submit(first.id, 'again')).status, 'the same file').to.equal(201);
    const second = await upload('driver', 700_000);
    const { status, json } = await submit(second.id, 'second');
    expect([status, json.code]).to.deep.equal([422, 'DOCUMENTS_TOO_LARGE']);
    expect(json.message ?? json.detail).to.include('1000000');
    expect((await submit((await upload('driver', 100_000)).id, 'third')).status).to.equal(201);
  });

  it('N8: tables whose import has ended do not count toward the number of files', async () => {
    const d = openTables(t);
    await t.service.engines.pool.query('update vault.files set used_at = now()');
    const id = await d.make(COLUMNS);
    for (let index = 0; index < 5; index += 1) {
      const content = index % 2 === 0 ? `ref,size\nA${index},1\n` : 'unknown\nA\n';
      await d.bring(id, await d.upload(content));
      const order = await d.upload(
        `order_ref,delivery.name,delivery.street,delivery.city,delivery.country\nT,Ada,Weg 1,Berlin,DE\n`,
      );
      const { status, text } = await d.as('employee', '/orders/import', { file_id: order, wait_s: 20 });
      expect(status, text).to.equal(202);
    }
    for (let index = 0; index < 3; index += 1) await d.bring(id, await d.upload('ref\nA\n'), { dry_run: true });
    expect(await upload('employee', 10), 'after dry runs').to.include({ status: 429, code: 'TOO_MANY_FILES' });
  });
});
