/**
 * What a whole run of mocha shares, in however many processes its files are tried: the dice and the database server.
 */
import './worlds/seed.js';
import { beginRemarks, endRemarks, usesEngine } from './remarks.js';
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
