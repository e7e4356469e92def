/** Import of a CSV table into an address book over HTTP. */
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers } from '../../support/worlds/users.js';

const HEADER = 'name,street,city,postal_code,country';
const ADA = 'Ada,Weg 1,Berlin,10115,DE';

describe('import of an address book', () => {
  let t: TestService;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
  });
  after(() => t.stop());

  const run = (csv: string, more: object = {}) => as('employee', '/address-book/import', { csv, wait_s: 20, ...more });
  const total = async () => (await as('employee', '/address-book')).json.total as number;

  it('saves each address once, and addresses that the book has not at all', async () => {
    const csv = `kind,label,is_default,latitude,longitude,${HEADER}\nsender,HQ,true,52.5,13.4,${ADA}\n,,,,,"ada",WEG 1,berlin,10115,DE\n,,,,,Bob,Weg 2,Berlin,01067,DE\n`;
    const answer = await run(csv);
    expect(answer.status, answer.text).to.equal(202);
    expect(answer.json).to.include({ result: true, lines: 3, to_save: 3, rejected: 0, created: 2, known: 1 });
    const { addresses } = (await as('employee', '/address-book?query=Berlin')).json;
    expect(addresses).to.have.length(2);
    const hq = addresses.find(({ label }: { label?: string }) => label === 'HQ');
    expect(hq).to.deep.include({ kind: 'sender', is_default: true });
    expect(hq.address.position).to.deep.equal({ latitude: 52.5, longitude: 13.4 });
    expect(addresses.find(({ kind }: { kind: string }) => kind === 'recipient').address.postal_code).to.equal('01067');
    expect((await run(csv)).json).to.include({ created: 0, known: 3 });
    const job = await as('employee', `/jobs/${answer.json.job_id}`);
    expect(job.json.job.result).to.deep.equal({ total: 3, created: 2, existing: 1, failed: 0, errors: [] });
  });

  it('rejects invalid lines before it writes, and skips them on request', async () => {
    const before = await total();
    const csv = `${HEADER}\nEve,Weg 3,Berlin,10115,DE\nMallory,,Berlin,10115,XX\n`;
    const rejected = await run(csv);
    expect(rejected.status).to.equal(422);
    expect(rejected.json.code).to.equal('IMPORT_REJECTED');
    expect(rejected.json.lines[0].line).to.equal(3);
    expect(rejected.json.lines[0].errors.map(({ path }: { path: string }) => path)).to.deep.equal([
      '/address/street',
      '/address/country',
    ]);
    const dry = await run(csv, { dry_run: true });
    expect(dry.json).to.include({ result: false, job_id: null, to_save: 1, rejected: 1, created: null });
    expect(await total()).to.equal(before);
    expect((await run(csv, { on_error: 'skip' })).json).to.include({ to_save: 1, rejected: 1, created: 1 });
  });

  it('reads an uploaded file, with mapped columns', async () => {
    const key = await signIns(t)('employee');
    const uploaded = await t.api('/files?purpose=import', {
      key,
      body: 'Who;Where;Town;Land\nTrent;Weg 9;Berlin;DE\n',
      headers: { 'content-type': 'text/csv' },
    });
    expect(uploaded.status, uploaded.text).to.equal(201);
    const mapping = [
      { from: 'Who', to: 'name' },
      { from: 'Where', to: 'street' },
      { from: 'Town', to: 'city' },
      { from: 'Land', to: 'country' },
    ];
    const body = { file_id: uploaded.json.file.id as string, mapping, wait_s: 20 };
    const answer = await as('employee', '/address-book/import', body);
    expect(answer.json, answer.text).to.include({ created: 1 });
    const unknown = await run('Who,street\na,b\n');
    expect(unknown.json.errors[0]).to.include({ code: 'UNKNOWN_COLUMN', path: '/csv' });
  });

  it('has a limit of 5,000 lines', async () => {
    const lines = Array.from({ length: 5_001 }, (_, n) => `Ada,Weg ${n},Berlin,10115,DE`);
    const { status, json } = await run([HEADER, ...lines].join('\n'));
    expect(status).to.equal(400);
    expect(json.errors[0]).to.include({ code: 'TOO_MANY_ITEMS', path: '/csv' });
  });
});
