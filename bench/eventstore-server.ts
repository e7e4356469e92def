/** The protocol server of the tests in a separate process. Prints `ready <url>`. */
import { startEventStoreServer } from '../test/support/fakes/eventstore-server.js';

const server = await startEventStoreServer();
process.stdout.write(`ready ${server.url}\n`);
process.once('SIGTERM', () => {
  server.stop();
  process.exit(0);
});
