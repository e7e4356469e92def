/** Shared state of a whole Mocha run, in all processes that run its files: the random seed and the database server. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Context, RootHookObject, Runnable, Suite } from 'mocha';
import './worlds/seed.js';
import { startSummary, finishSummary, recordDuration, recordEngine } from './run-summary.js';
import { describeServer, removeDatabases, startTestServer, stopTestServer } from './worlds/database.js';

export async function mochaGlobalSetup(): Promise<void> {
  startSummary();
  // The processes that run the files inherit these variables.
  process.env['TEST_RUN'] = process.pid.toString(36);
  const url = (process.env['TEST_DATABASE_URL'] = await startTestServer());
  recordEngine('PostgreSQL', await describeServer(url));
}

export async function mochaGlobalTeardown(): Promise<void> {
  await removeDatabases();
  await stopTestServer();
  for (const line of finishSummary()) console.log(line);
}

/** Returns whether a test or a hook of the suite failed. */
function hasFailed(suite: Suite): boolean {
  // Mocha stores hooks only in these four members.
  const hooks = ['_beforeAll', '_beforeEach', '_afterAll', '_afterEach'] as const;
  const runnables = hooks.flatMap((name) => (suite as unknown as Record<string, Runnable[]>)[name] ?? []);
  return [...runnables, ...suite.tests].some(({ state }) => state === 'failed') || suite.suites.some(hasFailed);
}

/** Reports a failed file to the runner of suites (test/run). */
function noteFailedFile(file: string | undefined): void {
  const list = process.env['TEST_FAILED_FILES'];
  if (list !== undefined && file !== undefined) appendFileSync(list, `${file}\n`);
}

let began = performance.now();

/**
 * In parallel runs, root hooks run once per file. In other runs they run once for all files, which then have no
 * duration.
 */
export const mochaHooks: RootHookObject = {
  beforeAll() {
    began = performance.now();
  },
  afterAll(this: Context) {
    const suites = this.test?.parent?.suites ?? [];
    for (const suite of suites) if (hasFailed(suite)) noteFailedFile(suite.file);
    const files = new Set(suites.map(({ file }) => file));
    const [file] = files;
    if (files.size === 1 && file !== undefined)
      recordDuration(relative(process.cwd(), file), Math.round((performance.now() - began) / 100) / 10);
  },
};
