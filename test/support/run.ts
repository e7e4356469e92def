/** What a whole run of Mocha shares, in however many processes its files run: the random seed, the database server. */
import { relative } from 'node:path';
import type { Context, RootHookObject } from 'mocha';
import './worlds/seed.js';
import { beginRemarks, endRemarks, tookTime, usesEngine } from './remarks.js';
import { describeServer, removeDatabases, startTestServer, stopTestServer } from './worlds/database.js';

export async function mochaGlobalSetup(): Promise<void> {
  beginRemarks();
  // Inherited by the processes that try the files.
  process.env['TEST_RUN'] = process.pid.toString(36);
  const url = (process.env['TEST_DATABASE_URL'] = await startTestServer());
  usesEngine('PostgreSQL', await describeServer(url));
}

export async function mochaGlobalTeardown(): Promise<void> {
  await removeDatabases();
  await stopTestServer();
  for (const line of endRemarks()) console.log(line);
}

let began = performance.now();

/** In parallel runs root hooks run once per file; in others once for all files, which then have no duration. */
export const mochaHooks: RootHookObject = {
  beforeAll() {
    began = performance.now();
  },
  afterAll(this: Context) {
    const files = new Set(this.test?.parent?.suites.map(({ file }) => file));
    const [file] = files;
    if (files.size === 1 && file !== undefined)
      tookTime(relative(process.cwd(), file), Math.round((performance.now() - began) / 100) / 10);
  },
};
