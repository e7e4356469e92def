/** The services of a benchmark get their settings from the benchmark, not from the shell in which it was started. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startProcess } from '../../../bench/support.js';
import { VARIABLES } from '../../../src/variables.js';

/** Prints the environment that it was given. */
const SCRIPT = 'process.stdout.write(`ready ${JSON.stringify(process.env)}\\n`);';

describe('a service that a benchmark starts', () => {
  const outer = { ...process.env };
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-bench-services-'));
    await writeFile(join(folder, 'script.mjs'), SCRIPT);
    for (const name of VARIABLES) process.env[name] = 'inherited';
    process.env['BENCH_OTHER'] = 'inherited';
  });
  after(async () => {
    for (const name of [...VARIABLES, 'BENCH_OTHER'])
      if (outer[name] === undefined) delete process.env[name];
      else process.env[name] = outer[name];
    await rm(folder, { recursive: true, force: true });
  });

  it('inherits no setting of the service', async () => {
    const given = { DATABASE_URL: 'given', ROLES: 'api' };
    const { url, stop } = await startProcess(join(folder, 'script.mjs'), given);
    await stop();
    const environment = JSON.parse(url) as Record<string, string>;
    expect(environment).to.include({ ...given, BENCH_OTHER: 'inherited' });
    expect(VARIABLES).to.include.members(['DATABASE_URL', 'EVENTSTORE_URL', 'MASTER_KEY']);
    expect(VARIABLES.filter((name) => environment[name] === 'inherited')).to.deep.equal([]);
  });
});
