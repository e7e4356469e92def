/**
 * `npm run check`: checks the types of all files, then lint, format and tests of changed files. A file counts as
 * changed if it is not committed, or with a revision (`npm run check -- main`) if it changed since then. `npm test`
 * runs all tests.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readSources } from './check/sources.js';
import { testsOf } from './check/tests-of.js';

/** Maximum number of test files per run, so that it takes seconds. */
const MAX_TESTS = 20;
const CACHE = 'node_modules/.cache/check-eslint';

const [since = 'HEAD'] = process.argv.slice(2);
const git = (...args: readonly string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

const changed = [
  ...git('diff', '--name-only', '--relative', since, '--'),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter((file) => existsSync(file));
const code = changed.filter((file) => /\.(ts|js|mjs)$/.test(file));
const tests = testsOf(changed, readSources('src', 'test', 'scripts'));
const run = tests.slice(0, MAX_TESTS);

const results = await Promise.all([
  step('eslint', code, ['--cache', '--cache-location', CACHE, '--no-warn-ignored']),
  step('prettier', code, ['--check', '--log-level', 'warn']),
  step('mocha', run.map(compiled), run.length > 2 ? ['--parallel', '--jobs', '2'] : []),
]);
console.log(`${changed.length} changed files: ${code.length} linted, ${run.length} test files`);
if (tests.length > run.length)
  console.log(`${tests.length - run.length} more test files concern this change; \`npm test\` runs them.`);
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Runs an installed program on files and prints its output when it ends. Returns true if it succeeds. */
async function step(program: string, files: readonly string[], options: readonly string[]): Promise<boolean> {
  if (files.length === 0) return true;
  const child = spawn('npx', ['--no-install', program, ...options, ...files], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const [exit] = (await once(child, 'close')) as [number | null];
  process.stdout.write(Buffer.concat(output));
  if (exit !== 0) console.log(`${program} failed`);
  return exit === 0;
}

function compiled(file: string): string {
  return `dist/${file.replace(/\.ts$/, '.js')}`;
}
