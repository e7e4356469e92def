/** Hostile files of all kinds never end the service, and each job says how it ended (GU4). */
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { hostileFiles, type HostileFile } from '../../support/inputs/hostile-files.js';
import { atDepth } from '../../support/depth.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { openTables } from '../../support/worlds/tables.js';

const SEED = Number(process.env['SEED'] ?? 41);
/** A multiple of the number of kinds. In CI each form of tables, pictures and GeoJSON occurs once. */
const FILES = atDepth(200, 44);
/** Maximum number of reader processes: two for requests and two for jobs. */
const MAX_READERS = 4;
const COLUMNS = [
  { code: 'ref', type: 'text', required: true },
  { code: 'size', type: 'integer' },
];

/** Number of reader processes of this process, which runs the service. */
const readerCount = (): number =>
  execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('file-reader/child.js')).length;

describe('hostile files', () => {
  let t: TestService;
  let d: ReturnType<typeof openTables>;
  before(async () => {
    t = await startTestService({ env: { FILE_READER_MEMORY_MB: '64' } });
    d = openTables(t);
  });
  after(() => t.stop());

  it(`GU4: ${FILES} hostile files (SEED=${SEED}): the process continues, its readers are few, and each job has a message`, async () => {
    const dataset = await d.make(COLUMNS, { key_column: 'ref' });
    let readers = 0;
    const send = async ({ kind, form, content }: HostileFile, index: number): Promise<void> => {
      const label = `${index}: ${kind}, ${form}`;
      const purpose = { workbook: 'import', csv: 'import', picture: 'photo', geojson: 'map' }[kind];
      const { status, json } = await d.send(content, purpose);
      readers = Math.max(readers, readerCount());
      expect(status, `${label}: ${JSON.stringify(json)}`).to.be.oneOf([201, 400, 413, 415, 422]);
      if (status !== 201) {
        expect(json.message, label).to.be.a('string').and.not.equal('');
        return;
      }
      const file_id = json.file.id as string;
      if (purpose === 'import') {
        const job = await d.bring(dataset, file_id, { dry_run: true, mode: 'upsert' });
        readers = Math.max(readers, readerCount());
        expect(job.status, `${label}: ${JSON.stringify(job)}`).to.be.oneOf(['succeeded', 'failed']);
        if (job.status === 'failed') expect(job.error.message, label).to.be.a('string').and.not.equal('');
      } else if (purpose === 'map') {
        const layer = { layer_id: 'a', title: 'A', source: { geojson: { file_id } }, style: { kind: 'pin' } };
        const made = await d.as('employee', '/maps', { name: 'A map', layers: [layer] });
        expect(made.status, `${label}: ${made.text}`).to.be.oneOf([201, 400, 422]);
        if (made.status !== 201) expect(made.json.message, label).to.be.a('string').and.not.equal('');
      }
    };
    const files = [...hostileFiles(SEED, FILES)];
    for (let at = 0; at < files.length; at += 4)
      await Promise.all(files.slice(at, at + 4).map((file, index) => send(file, at + index)));
    expect(readers).to.be.at.least(1).and.at.most(MAX_READERS);
    expect((await d.bring(dataset, await d.upload('ref,size\nLAST,1\n'))).result).to.include({ inserted: 1 });
  });
});
