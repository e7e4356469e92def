/** `npm run compile`: every script of the project runs it, and it leaves no compiled file without a source. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

const SOURCES = ['src/api/pages/approvals/kept.ts', 'test/unit/kept.test.ts', 'test/types.d.ts'];
const COMPILED = [
  'dist/src/api/pages/approvals/kept.d.ts',
  'dist/src/api/pages/approvals/kept.js',
  'dist/test/unit/kept.test.js',
  'dist/test/unit/kept.test.js.map',
];
const OTHERS = ['dist/bench/table.json', 'dist/elsewhere/gone.js'];
const RECORDS = ['dist/src/api/pages/approvals/tsconfig.tsbuildinfo', 'dist/tsconfig.tsbuildinfo'];

describe('compiled files', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'transport-compiled-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** Creates a project with these files, runs `prune-dist`, and returns the files that remain. */
  async function pruned(files: readonly string[]): Promise<string[]> {
    for (const file of files) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), '');
    }
    await run(process.execPath, ['scripts/prune-dist.mjs', root]);
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
      .sort();
  }

  it('stay while each has its source', async () => {
    const files = [...SOURCES, ...COMPILED, ...OTHERS, ...RECORDS].sort();
    expect(await pruned(files)).to.deep.equal(files);
  });

  it('are removed with the build record if their source is gone; other files stay', async () => {
    const stale = [
      'dist/test/unit/gone.test.js',
      'dist/test/unit/gone.test.js.map',
      'dist/src/api/pages/approvals/gone.js',
      'dist/src/api/pages/approvals/gone.d.ts',
      'dist/bench/gone/gone.js',
    ];
    const left = await pruned([...SOURCES, ...COMPILED, ...OTHERS, ...RECORDS, ...stale]);
    expect(left).to.deep.equal([...SOURCES, ...COMPILED, ...OTHERS].sort());
  });

  it('are all compiled again if one is missing: the build record is removed', async () => {
    const left = await pruned([...SOURCES, 'src/new.ts', ...COMPILED, ...OTHERS, ...RECORDS]);
    expect(left).to.deep.equal([...SOURCES, 'src/new.ts', ...COMPILED, ...OTHERS].sort());
  });

  it('are compiled before each script that needs them', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(scripts['compile']).to.match(/^node scripts\/prune-dist\.mjs && tsc /);
    const needing = Object.keys(scripts).filter((name) => scripts[name]!.includes('dist/'));
    expect(needing).to.include.members(['start', 'test', 'bench']);
    for (const name of needing) expect(scripts[`pre${name}`], `pre${name}`).to.equal('npm run -s compile');
  });
});
