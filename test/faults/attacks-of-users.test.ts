/**
 * Users attack the service with their own tokens: hostile tables, endless plans, uploads and scans without end. Each job
 * of them ends, other businesses are served, and the process continues. The figures are those of `attacks.test.ts`.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MAX_OPEN_SCANS_OF_DRIVER } from '../../src/api/core/open-scans.js';
import { strayCell } from '../support/inputs/sheets.js';
import { startAttackedService, type AttackedService } from '../support/processes/attacked-service.js';
import { query } from '../support/worlds/database.js';
import { openDay } from '../support/worlds/day.js';
import type { UserName } from '../support/worlds/users.js';

const MB = 1_000_000;

describe('under attack by users', () => {
  let a: AttackedService;
  let datasets = 0;
  before(async () => {
    a = await startAttackedService();
  });
  afterEach(() => a.endAttackers());
  after(() => a?.stop());

  async function importing(user: UserName, table: Buffer): Promise<string> {
    const code = `table_${(datasets += 1)}`;
    const columns = [{ code: 'ref', name: 'ref', type: 'text' }];
    const { json: made, text } = await a.as(user, '/datasets', { code, name: code, columns });
    expect(made.dataset?.id, text).to.be.a('number');
    const { id: file_id } = await a.upload(user, 'import', table);
    const work = { file_id, mode: 'insert', dry_run: true };
    const started = await a.as(user, `/datasets/${made.dataset.id}/import`, work);
    expect(started.json.job?.id, started.text).to.be.a('string');
    return (await a.endOf(user, started.json.job.id as string)).status;
  }

  /** Imports the tables repeatedly. Each job ends, and the process of the service continues. */
  async function expectImports(title: string, tables: readonly Buffer[]): Promise<void> {
    const { pid } = a.service.child;
    const meanwhile = async () => {
      for (const table of tables) expect(await importing('client_admin', table)).to.be.oneOf(['succeeded', 'failed']);
    };
    await a.attacked('none', { meanwhile, title });
    expect(a.service.child.pid).to.equal(pid);
    expect(a.service.child.exitCode).to.equal(null);
  }

  it('N1: workbooks whose cells lie outside of a sheet', () =>
    expectImports('N1', [strayCell('ZZZZZZ2'), strayCell('XFE1'), strayCell('XFD1048576')]));

  it('N4: tables with two million blank rows', () =>
    expectImports('N4', [Buffer.from(`ref,size\n${'\n'.repeat(2_000_000)}`)]));

  it('N6: plans of one business that search for minutes, while another business imports', async () => {
    const day = await openDay(a, { drivers: 6 });
    const order_ids = await day.orders(150);
    const body = {
      schedule_date: day.date,
      order_ids,
      driver_ids: day.drivers,
      budget: { time_limit_s: 300 },
      auto_commit: false,
    };
    const jobs: string[] = [];
    for (let count = 0; count < 4; count++) {
      const { json, text } = await day.as('client_admin', '/../v3/client/build-route', body);
      expect(json.route_plan?.job_id, text).to.be.a('string');
      jobs.push(json.route_plan.job_id as string);
    }
    const states = async () =>
      Promise.all(jobs.map(async (id) => (await day.as('client_admin', `/jobs/${id}`)).json.job.status as string));
    const meanwhile = async () => {
      expect(await importing('other_client_admin', Buffer.from('ref\nA\n'))).to.equal('succeeded');
      expect(await states(), 'the plans are not finished yet')
        .to.include('running')
        .and.not.include('succeeded');
    };
    await a.attacked('none', { meanwhile, title: 'N6' });
    for (const id of jobs) await day.as('client_admin', `/jobs/${id}/cancel`, {});
    for (const id of jobs) await a.endOf('client_admin', id);
  });

  it('N8: uploads and unknown scans without end of a customer and a driver', async () => {
    const count = async (text: string) => (await query<{ count: number }>(a.database.url, text))[0]!.count;
    const files = () => count('select count(*)::int as count from vault.files');
    const open = () => count('select count(*)::int as count from access.wms_ops where settled_at is null');
    const site = { code: 'N8', name: 'N8', address: { street: 'A 1', city: 'B', postal_code: '1', country: 'DE' } };
    const { json, text } = await a.as('client_admin', '/wms/warehouses', { ...site, timezone: 'UTC' });
    expect(json.warehouse?.id, text).to.be.a('number');
    const before = await files();
    let seq = 0;
    const junk = () => ({
      op_id: randomUUID(),
      seq: (seq += 1),
      at: new Date().toISOString(),
      do: 'receive',
      code: `JUNK${seq}`,
      warehouse_id: json.warehouse.id as number,
    });
    const meanwhile = async () => {
      for (let turn = 0; turn < 3; turn++)
        expect((await a.upload('customer', 'import', Buffer.alloc(10 * MB, 'a,b\n'))).status).to.equal(403);
      for (let turn = 0; turn < 20; turn++) {
        const ops = Array.from({ length: 200 }, junk);
        const { status } = await a.as('driver', '/wms/mobile/ops', { device_id: 'gun', ops });
        expect(status).to.be.oneOf([200, 429]);
      }
    };
    await a.attacked('none', { meanwhile, title: 'N8' });
    expect(await files(), 'files').to.equal(before);
    expect(await open(), 'scans that the office must settle').to.be.within(1, MAX_OPEN_SCANS_OF_DRIVER);
  });
});
