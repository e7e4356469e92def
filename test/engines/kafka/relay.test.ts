import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type pg from 'pg';
import { BrokerUnavailable, type Broker, type Message } from '../../../src/events/core/broker.js';
import type { EventLog } from '../../../src/events/core/log.js';
import { given, type GivenEvent } from '../../support/fakes/new-event.js';
import { createKafkaBroker } from '../../../src/engines/kafka/broker.js';
import { createPostgresLog } from '../../../src/engines/postgres-log/log.js';
import { migrate } from '../../../src/engines/postgres/migrate.js';
import { createPool } from '../../../src/engines/postgres/pool.js';
import { leaseHolder } from '../../../src/events/core/time-limits.js';
import { checkpoints } from '../../../src/projections/core/checkpoints.js';
import { toCloudEvent, type CloudEventMode } from '../../../src/relay/cloud-event.js';
import { relayLag } from '../../../src/relay/lag.js';
import { RELAY, startRelay, type Relay, type RelayOptions } from '../../../src/relay/relay.js';
import { createRouter, relayTopics } from '../../../src/relay/topics.js';
import { freshDatabase, type FreshDatabase } from '../../support/worlds/database.js';
import { sharedKafka, type TestKafka } from '../../support/processes/kafka.js';
import { TestClient, type ReceivedMessage } from '../../support/clients/kafka-client.js';
import { skip } from '../../support/run-summary.js';

const AREAS = [
  { name: 'trackings', prefix: 'tracking-' },
  { name: 'providers', prefix: 'provider-' },
];

describe('Relay to Kafka', () => {
  let kafka: TestKafka;
  let client: TestClient;
  let database: FreshDatabase;
  let pool: pg.Pool;
  let log: EventLog;
  let prefix: string;
  let broker: Broker;
  const relays: Relay[] = [];

  before(async function () {
    kafka = await sharedKafka(this);
  });

  beforeEach(async () => {
    database = await freshDatabase();
    pool = createPool(database.url, { name: 'test' });
    await migrate(pool);
    log = createPostgresLog(pool);
    prefix = `t${randomUUID()}`;
    client = new TestClient(kafka.brokers);
    broker = createKafkaBroker({ brokers: kafka.brokers, clientId: 'test', ssl: false, onLog: () => undefined });
  });

  afterEach(async () => {
    if (!kafka) return;
    for (const relay of relays.splice(0)) await relay.stop();
    await client.close();
    await broker.close();
    await log.close();
    await pool.end();
    await database.drop();
  });

  const errors: unknown[] = [];

  function start(options: Partial<RelayOptions> = {}, mode: CloudEventMode = 'structured'): Relay {
    const route = createRouter(prefix, AREAS);
    const relay = startRelay({
      log,
      pool,
      owner: leaseHolder(randomUUID()),
      prepare: () => broker.ensureTopics(relayTopics(prefix, AREAS)),
      send: (messages) => broker.send(messages),
      toMessage: (event) => toCloudEvent(event, { mode, source: 'urn:otep:test', topic: route(event.stream) }),
      onRelayed: () => undefined,
      onError: (error) => errors.push(error),
      ...options,
    });
    relays.push(relay);
    return relay;
  }

  const newEvent = (n: number): GivenEvent =>
    given({
      id: randomUUID(),
      type: 'TrackingEventRecorded',
      version: 1,
      data: { n, $sealed: { subject: 's', box: 'Y2lwaGVydGV4dA' } },
      metadata: {
        $correlationId: 'c-1',
        recorded_at: '2026-11-20T08:00:00.000Z',
        actor: { kind: 'provider', id: 'p', token: 'key-id-7' },
        idempotency_key: 'secret-9',
      },
    });

  /** `rounds` times an event for each of some streams. */
  async function append(streams: readonly string[], rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++)
      await log.append(
        streams.map((stream) => ({
          stream,
          events: [newEvent(round)],
          expected: round === 0 ? ('no-stream' as const) : round - 1,
        })),
      );
  }

  const newStreams = (count: number): string[] => Array.from({ length: count }, () => `tracking-${randomUUID()}`);

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const documentOf = ({ text }: ReceivedMessage): any => JSON.parse(text!);

  /** Revisions per stream; each event is counted at its first appearance. */
  function firstSeen(messages: readonly ReceivedMessage[]): Map<string, number[]> {
    const ids = new Set<string>();
    const revisions = new Map<string, number[]>();
    for (const message of messages) {
      const { id, subject, revision } = documentOf(message);
      if (ids.has(id)) continue;
      ids.add(id);
      revisions.set(subject, [...(revisions.get(subject) ?? []), revision]);
    }
    return revisions;
  }

  const distinct = (messages: readonly ReceivedMessage[]): number =>
    new Set(messages.map((message) => documentOf(message).id)).size;
  const relayPosition = async () => (await checkpoints(pool)).find(({ name }) => name === RELAY.name)?.position;
  const reachedHead = async (): Promise<void> => {
    const head = await log.head();
    while ((await relayPosition()) !== head) await sleep(20);
  };
  const lag = () => relayLag({ log, pool, now: () => Date.parse('2026-11-20T08:00:05.000Z') });
  const inOrder = (streams: readonly string[], rounds: number) =>
    new Map(streams.map((stream) => [stream, Array.from({ length: rounds }, (_, n) => n)]));
  const sorted = (map: Map<string, number[]>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

  it('sends every event once, in order per key, to the topic of its area, and stores its position', async () => {
    const streams = newStreams(20);
    await append(streams, 30);
    await append(['provider-p'], 1);
    start();
    await reachedHead();
    const inbox = await client.read([`${prefix}.trackings`, `${prefix}.providers`]);
    const messages = await inbox.until((seen) => seen.length >= 601);
    expect(messages).to.have.length(601);
    expect(messages.filter(({ topic }) => topic === `${prefix}.providers`).map(documentOf)).to.have.nested.property(
      '[0].subject',
      'provider-p',
    );
    expect(messages.every((message) => message.key === documentOf(message).subject)).to.equal(true);
    expect(sorted(firstSeen(messages.filter(({ topic }) => topic === `${prefix}.trackings`)))).to.deep.equal(
      sorted(inOrder(streams, 30)),
    );
  });

  it('writes CloudEvents: structured', async () => {
    const [stream] = newStreams(1) as [string];
    const event = newEvent(0);
    await log.append([{ stream, events: [event], expected: 'no-stream' }]);
    start();
    await reachedHead();
    const [message] = await (await client.read([`${prefix}.trackings`])).until((seen) => seen.length > 0);
    expect(message!.headers).to.deep.equal({ 'content-type': 'application/cloudevents+json; charset=UTF-8' });
    expect(documentOf(message!)).to.deep.equal({
      specversion: '1.0',
      id: event.id,
      source: 'urn:otep:test',
      type: 'TrackingEventRecorded',
      subject: stream,
      time: '2026-11-20T08:00:00.000Z',
      datacontenttype: 'application/json',
      dataschema: 'urn:otep:event:TrackingEventRecorded:1',
      position: await log.head(),
      revision: 0,
      correlationid: 'c-1',
      data: event.data,
    });
    expect(JSON.stringify(message)).not.to.match(/key-id-7|secret-9/);
  });

  it('writes CloudEvents: binary', async () => {
    const [stream] = newStreams(1) as [string];
    const event = newEvent(0);
    await log.append([{ stream, events: [event], expected: 'no-stream' }]);
    start({}, 'binary');
    await reachedHead();
    const [message] = await (await client.read([`${prefix}.trackings`])).until((seen) => seen.length > 0);
    expect(message!.headers).to.deep.equal({
      ce_specversion: '1.0',
      ce_id: event.id,
      ce_source: 'urn:otep:test',
      ce_type: 'TrackingEventRecorded',
      ce_subject: stream,
      ce_time: '2026-11-20T08:00:00.000Z',
      ce_dataschema: 'urn:otep:event:TrackingEventRecorded:1',
      ce_position: await log.head(),
      ce_revision: '0',
      ce_correlationid: 'c-1',
      'content-type': 'application/json',
    });
    expect(documentOf(message!)).to.deep.equal(event.data);
  });

  it('advances its position only after the acknowledgement, and repeats unacknowledged events under the same ids', async () => {
    const streams = newStreams(5);
    await append(streams, 10);
    let lose: () => void;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    let attempts = 0;
    start({
      async send(messages: readonly Message[]) {
        await broker.send(messages);
        if (attempts++ > 0) return;
        await lost;
        throw new BrokerUnavailable('the acknowledgement was lost');
      },
    });
    while (attempts === 0) await sleep(20);
    const inbox = await client.read([`${prefix}.trackings`]);
    await inbox.until((seen) => seen.length >= 50);
    expect(await relayPosition()).to.equal('');
    expect(await lag()).to.equal(5_000);
    lose!();
    await reachedHead();
    expect(await inbox.until((seen) => seen.length >= 100)).to.have.length(100);
    expect(sorted(firstSeen(inbox.messages))).to.deep.equal(sorted(inOrder(streams, 10)));
    expect(await lag()).to.equal(0);
  });

  async function relayLong(lengths: readonly number[]): Promise<number[] | undefined> {
    const [stream] = newStreams(1) as [string];
    for (const [n, length] of lengths.entries())
      await log.append([
        {
          stream,
          events: [given({ ...newEvent(n), data: { long: 'x'.repeat(length) } })],
          expected: n === 0 ? 'no-stream' : n - 1,
        },
      ]);
    start();
    await reachedHead();
    return firstSeen(
      await (await client.read([`${prefix}.trackings`])).until((seen) => seen.length >= lengths.length),
    ).get(stream);
  }

  it('splits batches by the limit of the broker unless it was configured', async () => {
    await client.createTopics(relayTopics(prefix, AREAS).map(({ name }) => name));
    expect(await relayLong([400_000, 400_000, 400_000, 400_000, 400_000])).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('creates topics that accept the longest possible event', async () => {
    expect(await relayLong([1_000, 2_000_000, 1_000])).to.deep.equal([0, 1, 2]);
  });

  it('waits with the event of an unknown area', async () => {
    await append(['unheard-of'], 1);
    expect(await lag()).to.equal(5_000);
    start();
    errors.length = 0;
    while (errors.length === 0) await sleep(20);
    expect(String(errors[0])).to.include('unheard-of');
    expect(await relayPosition()).to.equal('');
  });

  it('continues automatically when the broker comes back after a crash', async function () {
    if (!kafka.process) skip(this, 'the broker is not ours to crash');
    const streams = newStreams(50);
    start();
    await append(streams.slice(0, 25), 20);
    await reachedHead();
    await kafka.process.end('SIGKILL');
    errors.length = 0;
    await append(streams.slice(25), 20);
    while (errors.length === 0) await sleep(20);
    await kafka.process.start();
    await reachedHead();
    const inbox = await client.read([`${prefix}.trackings`]);
    await inbox.until((seen) => distinct(seen) === 1_000);
    expect(sorted(firstSeen(inbox.messages))).to.deep.equal(sorted(inOrder(streams, 20)));
  });
});
