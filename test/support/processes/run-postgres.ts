/**
 * A minimal service process for tests that kill it: starts PostgreSQL with the options that are given as JSON, prints
 * the URL, stops on SIGTERM.
 */
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from '../../../src/engines/embedded-postgres/start.js';

const options = JSON.parse(process.argv[2] ?? '{}') as EmbeddedPostgresOptions;
process.on('SIGINT', () => undefined);
try {
  const server = await startEmbeddedPostgres({ ...options, log: (line) => console.error(line) });
  process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  console.log(server.url);
  setInterval(() => undefined, 1000);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
