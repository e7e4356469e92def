/**
 * With the disk or a copy of it, but without MASTER_KEY, no personal data is readable: not in tables, indexes, WAL or
 * logs.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startEmbeddedPostgres } from '../../../src/engines/embedded-postgres/start.js';
import { query } from '../../support/worlds/database.js';
import { MARKERS, openErasureWorld } from '../../support/worlds/erasure.js';

/** The text itself, in lower case, in hexadecimal digits, and in base64 at each of the three offsets. */
const writtenAs = (text: string): Buffer[] =>
  [text, text.toLowerCase(), text.toLowerCase().replaceAll('-', ' ')].flatMap((form) => [
    Buffer.from(form),
    Buffer.from(Buffer.from(form).toString('hex')),
    ...[0, 1, 2].map((offset) => {
      const whole = Buffer.concat([Buffer.alloc(offset), Buffer.from(form)]).toString('base64');
      // Without the letters that depend on the bytes before and after the text.
      return Buffer.from(whole.slice(offset === 0 ? 0 : offset + 1, -4));
    }),
  ]);

describe('personal data at rest', () => {
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'at-rest-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  it('is plaintext in no file of the database', async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: folder });
    const world = await openErasureWorld(postgres.url);
    await world.responseText();
    // A text that the search must find; it is not personal data.
    await query(postgres.url, `create table public.witness as select 'WITNESS-of-the-search' as text`);
    await world.stop();
    await postgres.stop();
    const forms = [...MARKERS, 'WITNESS-of-the-search'].map((marker) => ({ marker, forms: writtenAs(marker) }));
    const found = new Set<string>();
    for (const name of await readdir(folder, { recursive: true })) {
      const file = join(folder, name);
      if (!(await stat(file)).isFile()) continue;
      const content = await readFile(file);
      for (const { marker, forms: all } of forms)
        if (all.some((form) => content.includes(form))) found.add(`${marker} in ${name.split('/')[1] ?? name}`);
    }
    const plaintexts = [...found].filter((line) => !line.startsWith('WITNESS'));
    expect(found.size, 'the witness is found').to.be.above(plaintexts.length);
    expect(plaintexts).to.deep.equal([]);
  });
});
