import { connectEventStore } from '../../../src/engines/eventstore/log.js';
import { startEventStoreServer } from '../../support/fakes/eventstore-server.js';
import { eventLogContract } from '../../contract/log/event-log.js';

eventLogContract('EventStoreDB (test server)', async () => {
  const server = await startEventStoreServer();
  const log = await connectEventStore(server.url, { timeout: 1_000, delay: 20, maxDelay: 200, idle: 50 });
  return {
    log,
    empty: true,
    faults: {
      loseAnswers: (count) => void (server.faults.unanswered = count),
      resetConnections: () => server.resetConnections(),
      stop: () => server.stop(),
      start: () => server.start(),
    },
    close: async () => {
      await log.close();
      server.stop();
    },
  };
});

describe('a real EventStoreDB', () => {
  const url = process.env['EVENTSTORE_URL'];
  if (!url) it('is skipped: EVENTSTORE_URL is not set');
  else {
    eventLogContract('EventStoreDB (EVENTSTORE_URL)', async () => {
      const log = await connectEventStore(url);
      return { log, close: () => log.close() };
    });
  }
});
