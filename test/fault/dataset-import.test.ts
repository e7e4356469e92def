/** A worker is killed in the middle of an import of records. The next worker continues, and no row exists twice. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { BRIEF_LEASES, endServiceProcesses, startServiceProcess } from '../support/processes/service-process.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { openTables } from '../support/worlds/tables.js';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const ROWS = 12_000;
/** After the first checkpoint, before it, and anywhere. */
const SHARES = [0.5, 0.1, 0.4];

describe('a worker that is killed in an import of records', () => {
  let t: TestService;
  let d: ReturnType<typeof openTables>;
  let dataDir: string;
  before(async () => {
    t = await startTestService({ env: { ROLES: 'api,projector' } });
    d = openTables(t);
    dataDir = await mkdtemp(join(tmpdir(), 'transport-import-'));
  });
  after(async () => {
    await endServiceProcesses();
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const worker = (env = {}) =>
    startServiceProcess({ dataDir, databaseUrl: t.databaseUrl, env: { ROLES: 'worker', ...env } });
  const there = async (dataset: number) => {
    const { rows } = await t.service.engines.pool.query<{ records: number; keys: number; versions: number }>(
      `select count(*)::int as records, count(distinct fields ->> 'ref')::int as keys, coalesce(max(version), 0) as versions
         from records.records where dataset_id = $1`,
      [dataset],
    );
    return rows[0]!;
  };

  for (let round = 1; round <= ROUNDS; round++) {
    it(`places 2: each key exists once, with version 1 (${round})`, async () => {
      const columns = [
        { code: 'ref', type: 'text', required: true },
        { code: 'size', type: 'integer' },
      ];
      const id = await d.make(columns, { key_column: 'ref' });
      const lines = Array.from({ length: ROWS }, (_, row) => `K-${row},${row % 1_000 === 999 ? 'many' : row}`);
      const file_id = await d.upload(['ref,size', ...lines].join('\n'));
      const first = await worker(BRIEF_LEASES);
      const mode = round % 2 === 1 ? 'insert' : 'upsert';
      const { json, text } = await d.as('employee', `/datasets/${id}/import`, { file_id, mode });
      expect(json.job.id, text).to.be.a('string');
      const until = ROWS * SHARES[(round - 1) % SHARES.length]!;
      while ((await there(id)).records < until) await sleep(20);
      await first.end('SIGKILL');
      const second = await worker();
      const job = await d.ended(json.job.id as string);
      expect(job, JSON.stringify(job)).to.include({ status: 'succeeded' });
      // On a slow machine a short lease may be lost again.
      expect(job.attempt).to.be.at.least(2);
      expect(job.result).to.include({ rows: ROWS, inserted: ROWS - 12, updated: 0, unchanged: 0, rejected: 12 });
      expect(await there(id)).to.deep.equal({ records: ROWS - 12, keys: ROWS - 12, versions: 1 });
      const rejected = (await d.artifact(json.job.id as string, 'rejected.csv')).text.trim().split('\r\n');
      expect(rejected).to.have.length(13);
      const again = await d.bring(id, file_id, { mode: 'upsert' });
      expect(again.result).to.include({ rows: ROWS, unchanged: ROWS - 12, rejected: 12 });
      await second.end('SIGTERM');
    });
  }
});
