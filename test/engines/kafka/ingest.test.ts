import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Message } from 'kafkajs';
import { providerStream } from '../../../src/events/providers/events.js';
import { STREAMS } from '../../../src/areas/index.js';
import { asyncApi } from '../../../src/api/kafka/asyncapi.js';
import { ingestTopics } from '../../../src/api/kafka/topics.js';
import type { Service } from '../../../src/compose/service.js';
import { checkerOf } from '../../support/checks/asyncapi.js';
import { freshDatabase, query, type FreshDatabase } from '../../support/worlds/database.js';
import { sharedKafka, type TestKafka } from '../../support/processes/kafka.js';
import { TestClient, type TopicReader, type ReceivedMessage } from '../../support/clients/kafka-client.js';
import { seed, startInProcess, startProcess, type ServiceProcess } from '../../support/processes/kafka-service.js';
import { SHORT_LEASES } from '../../support/processes/service-process.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';

const CARRIER = 'demo-carrier';

describe('Ingest from Kafka', () => {
  let kafka: TestKafka;
  let database: FreshDatabase;
  let client: TestClient;
  let prefix: string;
  const services: Service[] = [];
  const processes: ServiceProcess[] = [];

  before(async function () {
    kafka = await sharedKafka(this);
    database = await freshDatabase();
    await seed(database.url);
  });

  beforeEach(() => {
    client = new TestClient(kafka.brokers);
    prefix = `t${randomUUID()}`;
  });

  afterEach(async () => {
    await Promise.all([
      ...services.splice(0).map((service) => service.stop()),
      ...processes.splice(0).map((each) => each.end('SIGKILL')),
    ]);
    await client?.close();
  });

  after(() => database?.drop());

  const environment = () => ({ ...SHORT_LEASES, KAFKA_BROKERS: kafka.brokers.join(), KAFKA_TOPIC_PREFIX: prefix });

  async function start(env: Record<string, string> = {}): Promise<Service> {
    const service = await startInProcess({ databaseUrl: database.url, env: { ...environment(), ...env } });
    services.push(service);
    return service;
  }

  const push = (document: unknown, more: Partial<Message> = {}): Message => ({
    key: 'k',
    value: JSON.stringify(document),
    ...more,
  });
  const parcel = (number: string, ...events: unknown[]) =>
    timelineOf(number, events.length > 0 ? events : [event('picked_up'), event('delivered', 5)]);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const documentOf = ({ text }: ReceivedMessage): any => JSON.parse(text!);
  const recorded = (numbers: readonly string[]) =>
    query<{ number: string; events: string }>(
      database.url,
      `select s.data->>'number' as number, count(*) filter (where e.type = 'TrackingEventRecorded') as events
      from log.events s join log.events e using (stream) where s.type = 'TrackingOpened' and s.data->>'number' = any ($1) group by 1`,
      [numbers],
    );

  /** Creates the topics of a provider with these messages, and returns the replies and rejections. */
  async function given(
    provider: string,
    messages: Message[],
  ): Promise<{ replies: TopicReader; rejected: TopicReader }> {
    const topics = ingestTopics(prefix, provider);
    await client.createTopics(Object.values(topics));
    await client.send(topics.pushes, messages);
    return { replies: await client.read([topics.replies]), rejected: await client.read([topics.rejected]) };
  }

  it('accepts a push, replies like HTTP with the same key, and reads show it', async () => {
    const number = newNumber();
    const { replies } = await given(CARRIER, [
      push(parcel(number), { key: number, headers: { 'correlation-id': 'c-17' } }),
    ]);
    const { baseUrl } = await start();
    const [reply] = await replies.until((seen) => seen.length > 0);
    expect(reply).to.deep.include({ key: number });
    expect(reply!.headers).to.deep.include({
      status: '200',
      'content-type': 'application/json',
      'correlation-id': 'c-17',
      'origin-topic': ingestTopics(prefix, CARRIER).pushes,
      'origin-offset': '0',
    });
    expect(documentOf(reply!)).to.deep.include({ result: true, accepted: 2, duplicates: 0, rejected: 0 });
    const check = checkerOf((await (await fetch(`${baseUrl}/api/asyncapi.json`)).json()) as object);
    expect(check('answer', { headers: reply!.headers, payload: documentOf(reply!) })).to.deep.equal([]);
    expect(check('push', { payload: parcel(number) })).to.deep.equal([]);
    const shown = await fetch(`${baseUrl}/api/v1/otep/trackings/${number}`, {
      headers: { 'x-event-position': reply!.headers['event-position']! },
    });
    expect(await shown.json()).to.deep.include({ current_status: 'delivered', delivered: true });
    const [stored] = await query<{ metadata: Record<string, unknown> }>(
      database.url,
      `select metadata from log.events where data->>'number' = $1`,
      [number],
    );
    expect(stored!.metadata['actor']).to.deep.equal({
      kind: 'provider',
      id: CARRIER,
      token: 'kafka',
      channel: 'kafka',
    });
  });

  it('replies to the program in docs/kafka.md', async () => {
    const example = /^```js\n([\s\S]*?)^```$/m.exec(await readFile('docs/kafka.md', 'utf8'))![1]!;
    // Next to node_modules, where its import is found.
    const file = resolve('dist', `kafka-example-${randomUUID()}.mjs`);
    await writeFile(file, example);
    try {
      await client.createTopics(Object.values(ingestTopics(prefix, CARRIER)));
      await start();
      const { stdout } = await promisify(execFile)(process.execPath, [file], {
        env: { ...environment(), PROVIDER: CARRIER, PATH: process.env['PATH'] },
        timeout: 60_000,
      });
      expect(JSON.parse(stdout)).to.deep.nested.include({
        topic: ingestTopics(prefix, CARRIER).replies,
        status: 200,
        'answer.accepted': 1,
      });
    } finally {
      await rm(file, { force: true });
    }
  });

  it('recognises a repeated push', async () => {
    const numbers = Array.from({ length: 40 }, newNumber);
    const pushes = numbers.map((number) => push(parcel(number), { key: number }));
    const { replies } = await given(CARRIER, pushes);
    const first = await start();
    await replies.until((seen) => seen.length >= 40);
    await client.send(ingestTopics(prefix, CARRIER).pushes, pushes);
    await replies.until((seen) => seen.length >= 80);
    await first.stop();
    services.length = 0;
    const admin = client.kafka.admin();
    await admin.connect();
    await admin.resetOffsets({
      groupId: `${prefix}.ingest`,
      topic: ingestTopics(prefix, CARRIER).pushes,
      earliest: true,
    });
    await admin.disconnect();
    await start();
    const all = await replies.until((seen) => seen.length >= 160);
    const sum = (part: readonly ReceivedMessage[], member: string): number =>
      part.reduce((total, reply) => total + documentOf(reply)[member], 0);
    expect(sum(all.slice(0, 40), 'accepted')).to.equal(80);
    expect(sum(all.slice(40, 80), 'duplicates')).to.equal(80);
    expect(sum(all.slice(80), 'duplicates')).to.equal(160);
    expect(await recorded(numbers))
      .to.have.length(40)
      .and.satisfy((rows: { events: string }[]) => rows.every(({ events }) => events === '2'));
  });

  it('publishes an unusable message unchanged to the rejected topic, with the reason', async () => {
    const good = newNumber();
    const bad: readonly [string, Message][] = [
      ['MALFORMED_JSON', { key: 'a', value: '{"events": [', headers: { 'x-own': 'kept' } }],
      ['MALFORMED_JSON', { key: 'b', value: null }],
      ['INVALID_ENCODING', { key: 'c', value: Buffer.from([0x22, 0xff, 0x22]) }],
      ['NOTHING_ACCEPTED', push(parcel(newNumber(), event('no_such_status')), { key: 'd' })],
      ['INVALID_INPUT', push({ timelines: 7 }, { key: 'e' })],
      ['UNSUPPORTED_MEDIA_TYPE', push(parcel(newNumber()), { key: 'f', headers: { 'content-type': 'text/plain' } })],
      [
        'TOO_MANY_EVENTS',
        push(parcel(newNumber(), ...Array.from({ length: 501 }, (_, n) => event('in_transit', n))), { key: 'g' }),
      ],
    ];
    const { replies, rejected } = await given(CARRIER, [
      ...bad.map(([, message]) => message),
      push(parcel(good), { key: 'good' }),
    ]);
    await start();
    const letters = await rejected.until((seen) => seen.length >= bad.length);
    await replies.until((seen) => seen.length >= bad.length + 1);
    for (const [reason, { key, value }] of bad) {
      const letter = letters.find((one) => one.key === key)!;
      expect(letter.headers['reason'], String(key)).to.equal(reason);
      if (reason !== 'INVALID_ENCODING')
        expect(letter.text, String(key)).to.equal(value === null ? undefined : String(value));
      expect(JSON.parse(letter.headers['problem']!)).to.deep.include({ code: reason });
      const reply = replies.messages.find((one) => one.key === key)!;
      expect(documentOf(reply)).to.deep.include({ result: false, code: reason });
      expect(reply.headers['status']).to.equal(letter.headers['status']);
    }
    const check = checkerOf(asyncApi({ areas: STREAMS, prefix, mode: 'structured' }));
    for (const { headers } of letters) expect(check('deadLetter', { headers })).to.deep.equal([]);
    for (const reply of replies.messages)
      expect(
        check(reply.key === 'good' ? 'answer' : 'problem', { headers: reply.headers, payload: documentOf(reply) }),
      ).to.deep.equal([]);
    expect(letters.find(({ key }) => key === 'a')!.headers['x-own']).to.equal('kept');
    expect(documentOf(replies.messages.find(({ key }) => key === 'd')!)).to.have.nested.property(
      'events[0].errors[0].code',
      'UNKNOWN_STATUS',
    );
    expect(documentOf(replies.messages.find(({ key }) => key === 'good')!)).to.deep.include({ accepted: 2 });
    expect(letters).to.have.length(bad.length);
  });

  it('rejects messages beyond the body limit, and names their position instead of repeating them', async () => {
    const topics = ingestTopics(prefix, CARRIER);
    const service = await start({ KAFKA_INGEST: CARRIER });
    const replies = await waitForTopics(topics);
    await client.send(topics.pushes, [push({ x: 'y'.repeat(1_060_000) })]);
    const [letter] = await replies.rejected.until((seen) => seen.length > 0);
    expect(letter).to.deep.include({ text: undefined });
    expect(letter!.headers).to.deep.include({
      reason: 'BODY_TOO_LARGE',
      status: '413',
      'origin-offset': '0',
      'value-left-out': String(JSON.stringify({ x: 'y'.repeat(1_060_000) }).length),
    });
    expect(service.baseUrl).to.match(/^http/);
  });

  async function waitForTopics({
    replies,
    rejected,
  }: ReturnType<typeof ingestTopics>): Promise<{ replies: TopicReader; rejected: TopicReader }> {
    const admin = client.kafka.admin();
    await admin.connect();
    while (!(await admin.listTopics()).includes(rejected)) await sleep(50);
    await admin.disconnect();
    return { replies: await client.read([replies]), rejected: await client.read([rejected]) };
  }

  it('keeps the order of a key', async () => {
    const numbers = Array.from({ length: 60 }, newNumber);
    const pushStatus = (number: string, status: string) =>
      push(parcel(number, event(status, 1, { event_id: `https://carrier.example/${number}` })), { key: number });
    const { replies } = await given(
      CARRIER,
      ['picked_up', 'in_transit', 'delivered'].flatMap((status) => numbers.map((number) => pushStatus(number, status))),
    );
    await start();
    await replies.until((seen) => seen.length >= 180);
    for (const number of numbers) {
      const outcomes = replies.messages.filter(({ key }) => key === number).map((reply) => documentOf(reply).accepted);
      expect(outcomes).to.deep.equal([1, 0, 0]);
    }
    const stored = await query<{ status: string }>(
      database.url,
      `select e.data->>'status_code' as status from log.events s join log.events e using (stream) where s.type = 'TrackingOpened' and s.data->>'number' = any ($1) and e.type = 'TrackingEventRecorded'`,
      [numbers],
    );
    expect(new Set(stored.map(({ status }) => status))).to.deep.equal(new Set(['picked_up']));
  });

  it('lets a topic write only as the provider in its name, and leaves the pushes of an unregistered provider unread', async () => {
    const number = newNumber();
    const strict = await given('demo-courier', [push(parcel(number), { key: number })]);
    const stranger = await given('new-carrier', [push(parcel(number), { key: number })]);
    const { commands } = await start();
    const [refused] = await strict.rejected.until((seen) => seen.length > 0);
    expect(JSON.parse(refused!.headers['problem']!)).to.have.nested.property(
      'events[0].errors[0].code',
      'UNKNOWN_SHIPMENT',
    );
    expect(stranger.replies.messages).to.have.length(0);
    await commands.providers(
      providerStream('new-carrier'),
      { do: 'register', commandId: randomUUID(), name: 'New', kind: 'carrier', may_open: true },
      { correlationId: randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' },
    );
    const [taken] = await stranger.replies.until((seen) => seen.length > 0);
    expect(documentOf(taken!)).to.deep.include({ accepted: 2 });
    expect(stranger.rejected.messages).to.have.length(0);
  });

  it('continues for other providers if the replies of one cannot be written, and sends these later', async () => {
    const [one, other] = [newNumber(), newNumber()];
    const topics = ingestTopics(prefix, CARRIER);
    const stuck = await given(CARRIER, [push(parcel(one), { key: one })]);
    const free = await given('demo-courier', [push(parcel(other), { key: other })]);
    const admin = client.kafka.admin();
    await admin.connect();
    const limit = (bytes: number) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          { type: 2, name: topics.replies, configEntries: [{ name: 'max.message.bytes', value: String(bytes) }] },
        ],
      });
    await limit(50);
    const { baseUrl } = await start();
    await free.replies.until((seen) => seen.length > 0);
    while (!/^kafka_ingest_failures_total [1-9]/m.test(await (await fetch(`${baseUrl}/metrics`)).text()))
      await sleep(50);
    expect(stuck.replies.messages).to.have.length(0);
    await limit(1_048_588);
    await admin.disconnect();
    await stuck.replies.until((seen) => seen.length > 0);
  });

  it('loses nothing and processes nothing twice when processes are killed in the middle', async () => {
    const numbers = Array.from({ length: 3_000 }, newNumber);
    const { replies, rejected } = await given(
      CARRIER,
      numbers.map((number) => push(parcel(number), { key: number })),
    );
    const answered = () => new Set(replies.messages.map(({ key }) => key)).size;
    const options = { databaseUrl: database.url, env: environment() };
    const first = await startProcess(options);
    processes.push(first);
    await replies.until(() => answered() > 300);
    await first.end('SIGKILL');
    const before = answered();
    expect(before).to.be.below(3_000);
    const second = await startProcess(options);
    processes.push(second);
    await replies.until(() => answered() === 3_000);
    await second.end('SIGTERM');
    const rows = await recorded(numbers);
    expect(rows).to.have.length(3_000);
    expect(rows.every(({ events }) => events === '2')).to.equal(true);
    expect(rejected.messages).to.have.length(0);
  });
});
