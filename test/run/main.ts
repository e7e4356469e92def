/**
 * `node dist/test/run/main.js ci | verify [suite ...]`: runs the suites of CI, or all of them at full depth, or only
 * the named ones. As many run at a time as the cores allow.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer, stopTestServer } from '../support/worlds/database.js';
import { failuresOf } from './counts.js';
import { isGood, lineOf, reportOf } from './report.js';
import { rerunFailed } from './rerun.js';
import { runSuites } from './scheduler.js';
import { CI_SUITES, VERIFY_SUITES } from './suites.js';

const [depth = 'ci', ...names] = process.argv.slice(2);
const all = depth === 'verify' ? VERIFY_SUITES : CI_SUITES;
const unknown = names.filter((name) => !all.some((suite) => suite.name === name));
if (!['ci', 'verify'].includes(depth) || unknown.length > 0) {
  console.error(`usage: main.js ci | verify [${all.map(({ name }) => name).join(' | ')} ...]`);
  process.exit(2);
}

const suites = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all;
const folder = await mkdtemp(join(tmpdir(), 'transport-suites-'));
// All suites share one server; each process creates databases with unique names on it.
process.env['TEST_DATABASE_URL'] ??= await startTestServer();
try {
  const outcomes = await runSuites(suites, {
    cores: availableParallelism(),
    folder,
    onEnd: (outcome) => console.log(lineOf(outcome)),
  });
  for (const outcome of outcomes.filter((one) => !isGood(one))) console.log(failuresOf(outcome.output));
  const judged = await rerunFailed(outcomes, folder, (files) =>
    console.log(`unstable, passed when they ran again alone: ${files.join(' ')}`),
  );
  console.log(reportOf(judged));
  process.exitCode = judged.every(isGood) ? 0 : 1;
} finally {
  await stopTestServer();
  await rm(folder, { recursive: true, force: true });
}
