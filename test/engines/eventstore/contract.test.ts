import { connectEventStore } from '../../../src/engines/eventstore/log.js';
import { startEventStoreServer } from '../../support/fakes/eventstore-server.js';
import { skip } from '../../support/run-summary.js';
import { eventLogContract } from '../../contract/log/event-log.js';

for (const cutAtEachEvent of [false, true]) {
  const name = `EventStoreDB (test server${cutAtEachEvent ? ', subscriptions cut at each event' : ''})`;
  eventLogContract(name, async () => {
    const server = await startEventStoreServer();
    server.faults.cutAtEachEvent = cutAtEachEvent;
    const log = await connectEventStore(server.url, {
      timeout: 1_000,
      delay: cutAtEachEvent ? 1 : 20,
      maxDelay: 200,
      idle: 50,
    });
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
}

describe('a real EventStoreDB', () => {
  const url = process.env['EVENTSTORE_URL'];
  if (!url)
    it('fulfils the contract of the log', function () {
      skip(this, 'no real EventStoreDB (EVENTSTORE_URL)');
    });
  else {
    eventLogContract('EventStoreDB (EVENTSTORE_URL)', async () => {
      const log = await connectEventStore(url);
      return { log, close: () => log.close() };
    });
  }
});
