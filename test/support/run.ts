/**
 * What a whole run of mocha shares, in however many processes its files are tried: the dice and the database server.
 */
import './worlds/seed.js';
import { removeDatabases, startTestServer, stopTestServer } from './worlds/database.js';

export async function mochaGlobalSetup(): Promise<void> {
  // Inherited by the processes that try the files.
  process.env['TEST_RUN'] = process.pid.toString(36);
  process.env['TEST_DATABASE_URL'] = await startTestServer();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await removeDatabases();
  await stopTestServer();
}
