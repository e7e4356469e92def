import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { credentials, type ClientWritableStream } from '@grpc/grpc-js';
import { expect } from 'chai';
import { startEventStoreServer, type EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { startTcpProxy } from '../../support/fakes/tcp-proxy.js';

/** The engine uses the plain append if possible; an unmodified client uses the batched append. */
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

  it('store, conflict, and recognise retries like the real server', async () => {
    const events = [1, 2].map((n) => jsonEvent({ type: 'Numbered', data: { n } }));
    const first = await client.appendToStream('a-1', events, { expectedRevision: NO_STREAM });
    expect(first.nextExpectedRevision).to.equal(1n);
    expect(first.position?.commit).to.equal(server.log.stream('a-1')?.[1]?.position);
    expect(await client.appendToStream('a-1', events, { expectedRevision: NO_STREAM })).to.deep.equal(first);

    const stranger = jsonEvent({ type: 'Numbered', data: { n: 3 } });
    for (const [stream, expectedRevision, actual] of [
      ['a-1', NO_STREAM, 1n],
      ['a-1', 5n, 1n],
      ['a-2', 0n, 'no_stream'],
    ] as const) {
      const failure = await client
        .appendToStream(stream, stranger, { expectedRevision })
        .catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(WrongExpectedVersionError).and.have.property('actualVersion', actual);
    }
    expect(server.log.stream('a-1')).to.have.length(2);
  });
});

describe('EventStoreDB test server, an interrupted append', () => {
  let server: EventStoreServer;
  beforeEach(async () => void (server = await startEventStoreServer()));
  afterEach(() => server.stop());

  for (const events of [0, 1]) {
    for (const how of ['cancelled', 'cut'] as const) {
      it(`stores nothing of it, ${how} behind ${events} events`, async () => {
        const line = await startTcpProxy('127.0.0.1', Number(new URL(server.url.replace('esdb', 'http')).port));
        const client = new streamsGrpc.StreamsClient(`127.0.0.1:${line.port}`, credentials.createInsecure());
        let call!: ClientWritableStream<streams.AppendReq>;
        const answered = new Promise((resolve) => void (call = client.append(resolve)));
        for (const request of [optionsOf('half-1'), ...Array.from({ length: events }, proposed)])
          await new Promise((resolve) => call.write(request, resolve));
        await sleep(50);
        if (how === 'cut') line.cut();
        else call.cancel();
        expect(await answered)
          .to.have.property('code')
          .that.is.oneOf([1, 14]);
        await sleep(50);
        expect(server.log.stream('half-1')).to.equal(undefined);
        client.close();
        await line.close();
      });
    }
  }
});

function optionsOf(stream: string): streams.AppendReq {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(identifier);
  options.setNoStream(new shared.Empty());
  const request = new streams.AppendReq();
  request.setOptions(options);
  return request;
}

function proposed(): streams.AppendReq {
  const id = new shared.UUID();
  id.setString(crypto.randomUUID());
  const message = new streams.AppendReq.ProposedMessage();
  message.setId(id);
  message.setData(Buffer.from('{}'));
  message.getMetadataMap().set('type', 'Numbered').set('content-type', 'application/json');
  const request = new streams.AppendReq();
  request.setProposedMessage(message);
  return request;
}
