import { EventStoreDBClient, jsonEvent, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import { expect } from 'chai';
import { startEventStoreServer, type EventStoreServer } from '../support/eventstore-server.js';

/** The engine takes the plain append wherever it can; a client left alone takes the batched one. */
describe('EventStoreDB test server, batched appends', () => {
  let server: EventStoreServer;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    server = await startEventStoreServer();
    client = EventStoreDBClient.connectionString(server.url);
  });
  afterEach(async () => {
    await client.dispose();
    server.stop();
  });

  it('store, conflict, and recognise retries as the real server does', async () => {
    const events = [1, 2].map((n) => jsonEvent({ type: 'Numbered', data: { n } }));
    const first = await client.appendToStream('a-1', events, { expectedRevision: NO_STREAM });
    expect(first.nextExpectedRevision).to.equal(1n);
    expect(first.position?.commit).to.equal(server.log.stream('a-1')?.[1]?.position);
    expect(await client.appendToStream('a-1', events, { expectedRevision: NO_STREAM })).to.deep.equal(first);

    const stranger = jsonEvent({ type: 'Numbered', data: { n: 3 } });
    for (const [stream, expectedRevision, actual] of [['a-1', NO_STREAM, 1n], ['a-1', 5n, 1n], ['a-2', 0n, 'no_stream']] as const) {
      const failure = await client.appendToStream(stream, stranger, { expectedRevision }).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(WrongExpectedVersionError).and.have.property('actualVersion', actual);
    }
    expect(server.log.stream('a-1')).to.have.length(2);
  });
});
