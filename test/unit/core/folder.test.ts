import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../../src/engines/folder.js';
import { skip } from '../../support/run-summary.js';

describe('creating a folder', () => {
  let base: string;
  beforeEach(async () => (base = await mkdtemp(join(tmpdir(), 'folder-'))));
  afterEach(() => rm(base, { recursive: true }));

  const failure = (path: string) =>
    makeFolder(path).then(
      () => undefined,
      (error: Error) => error.message,
    );

  it('creates its parents too, only for the owner, and leaves an existing one', async () => {
    const folder = join(base, 'a', 'b', 'c');
    await makeFolder(folder);
    await makeFolder(folder);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
  });

  it('names a path that is not a folder', async () => {
    await writeFile(join(base, 'file'), '');
    expect(await failure(join(base, 'file'))).to.match(/EEXIST.*file/);
    expect(await failure(join(base, 'file', 'below'))).to.match(/ENOTDIR.*below/);
  });

  it('fails if no folder can be created', async function () {
    if (process.platform !== 'linux') skip(this, 'not on Linux');
    expect(await failure('/proc/nowhere/else')).to.match(/ENOENT.*nowhere/);
  });
});
