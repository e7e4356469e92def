import { expect } from 'chai';
import { z } from 'zod';
import { createInvoke } from '../../../src/api/core/invoke.js';
import { operation } from '../../../src/api/core/operation.js';
import { ingestDelivery, type IngestDeliveryOptions } from '../../../src/api/kafka/ingest.js';
import { intoLanes, runLanes } from '../../../src/api/kafka/lanes.js';
import { providerOf } from '../../../src/api/kafka/topics.js';
import { BrokerUnavailable, type Message, type Received } from '../../../src/events/core/broker.js';
import { LogUnavailable } from '../../../src/events/core/log.js';

const message = (offset: number, more: Partial<Received> = {}): Received => ({
  topic: 't.ingest.p',
  partition: 0,
  offset: String(offset),
  key: Buffer.from('k'),
  value: Buffer.from(`{"n":${offset}}`),
  headers: {},
  ...more,
});

/** The path of every call, without rate limits and read models. */
const invoke = createInvoke({
  hiddenFamilies: async () => new Set(),
  limit: () => Promise.resolve({}),
  idempotency: {} as never,
  progress: { expect: () => () => undefined } as never,
  log: {} as never,
  now: () => 0,
  reserveIds: () => Promise.reject(new Error('A push draws no ids.')),
});

describe('A delivery of pushes', () => {
  const sent: Message[] = [];
  const failures: unknown[] = [];
  beforeEach(() => sent.splice(0).concat(failures.splice(0) as never));

  const take = (
    messages: readonly Received[],
    run: (document: unknown) => Promise<object>,
    more: Partial<IngestDeliveryOptions> = {},
    signal = new AbortController().signal,
  ) =>
    ingestDelivery({ topic: 't.ingest.p', partition: 0, messages, behind: 0 }, 'p', signal, {
      prefix: 't',
      now: () => 0,
      invoke,
      baseUrl: () => 'http://localhost',
      operation: operation({
        name: 'otepIngest',
        area: 'OTEP',
        summary: 'push',
        rest: { method: 'post', path: '/' },
        callers: ['provider'],
        input: z.object({ document: z.unknown() }),
        output: z.unknown(),
        run: ({ document }) => run(document),
      }),
      callerOf: (id) =>
        Promise.resolve({
          role: 'provider',
          id,
          kind: 'carrier',
          mayOpen: true,
          keyId: 'kafka',
          carrierCodes: null,
          mapping: new Map(),
        }),
      send: (messages) => Promise.resolve(void sent.push(...messages)),
      onFailure: (error) => failures.push(error),
      ...more,
    });

  const statuses = () => sent.map(({ topic, headers }) => [topic, headers['status']]);

  it('waits while the log is unavailable, and rejects no push for that', async () => {
    let away = 3;
    await take([message(0)], () =>
      away-- > 0 ? Promise.reject(new LogUnavailable('away')) : Promise.resolve({ result: true }),
    );
    expect(statuses()).to.deep.equal([['t.ingest.p.replies', '200']]);
    expect(failures).to.have.length(3);
  });

  it('stops waiting when it is stopped, and has sent no reply', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const ended = await take([message(0)], () => Promise.reject(new LogUnavailable('away')), {}, stop.signal).then(
      () => 'returned',
      () => 'threw',
    );
    expect([ended, sent]).to.deep.equal(['threw', []]);
  });

  it('rejects a push that fails it repeatedly, and continues', async () => {
    await take([message(0), message(1)], (document) =>
      (document as { n: number }).n === 0 ? Promise.reject(new TypeError('a bug')) : Promise.resolve({ result: true }),
    );
    expect(statuses()).to.deep.equal([
      ['t.ingest.p.replies', '500'],
      ['t.ingest.p.rejected', '500'],
      ['t.ingest.p.replies', '200'],
    ]);
    expect(sent[1]!.headers).to.include({ reason: 'INTERNAL' });
    expect(sent[1]!.value!.toString()).to.equal('{"n":0}');
    expect(JSON.stringify(sent)).not.to.include('a bug');
  });

  it('throws if replies are not accepted, so that the broker keeps the pushes', async () => {
    const ended = await take([message(0)], () => Promise.resolve({ result: true }), {
      send: () => Promise.reject(new BrokerUnavailable('away')),
    }).catch((error: Error) => error.name);
    expect(ended).to.equal('BrokerUnavailable');
  });

  it('replies within the size limit of the broker, whatever the input', async () => {
    const events = Array.from({ length: 500 }, (_, index) => ({
      index,
      outcome: 'rejected',
      errors: [{ message: 'x'.repeat(4_000) }],
    }));
    await take(
      [
        message(0, {
          key: Buffer.alloc(900_000),
          headers: { 'correlation-id': 'c'.repeat(5_000), big: 'h'.repeat(800_000) },
          value: Buffer.alloc(900_000, ' '),
        }),
      ],
      () => Promise.resolve({ result: true, events }),
    );
    await take([message(1)], () => Promise.resolve({ result: true, rejected: 500, events }));
    for (const { key, value, headers } of sent)
      expect((key?.length ?? 0) + Buffer.byteLength(value ?? '') + JSON.stringify(headers).length).to.be.below(
        1_000_000,
      );
    expect(JSON.parse(String(sent.at(-1)!.value))).to.have.nested.property('events[499].outcome', 'rejected');
  });
});

describe('Lanes', () => {
  it('keep their order, run concurrently, and respect the limit', async () => {
    const lanes = intoLanes(['a1', 'b1', 'a2', 'c1', 'b2', 'a3'], (item) => item[0]);
    const done: string[] = [];
    let [now, maxConcurrent] = [0, 0];
    await runLanes(lanes, 2, async (item) => {
      maxConcurrent = Math.max(maxConcurrent, ++now);
      await new Promise((resolve) => setTimeout(resolve, item === 'a1' ? 20 : 1));
      now--;
      done.push(item);
    });
    expect(maxConcurrent).to.equal(2);
    expect(done.filter((item) => item.startsWith('a'))).to.deep.equal(['a1', 'a2', 'a3']);
    expect(done.indexOf('b1')).to.be.below(done.indexOf('a1'));
    expect(done).to.have.length(6);
  });

  it('end with the first error, after pending work has ended', async () => {
    const done: string[] = [];
    const error = await runLanes([['a', 'never'], ['b']], 2, async (item) => {
      if (item === 'a') throw new Error('a');
      await new Promise((resolve) => setTimeout(resolve, 5));
      done.push(item);
    }).catch((thrown: Error) => thrown.message);
    expect([error, done]).to.deep.equal(['a', ['b']]);
  });

  it('process messages without a key independently', () => {
    expect(intoLanes([1, 2, 3], () => undefined)).to.deep.equal([[1], [2], [3]]);
  });
});

describe('Names of ingest topics', () => {
  it('contain the provider; other topics have none', () => {
    expect(providerOf('transport', 'transport.ingest.demo-carrier')).to.equal('demo-carrier');
    for (const other of [
      'transport.ingest.demo-carrier.replies',
      'transport.ingest.demo-carrier.rejected',
      'transport.ingest.',
      'transport.trackings',
      'x.ingest.p',
      'transport.ingest.UPPER',
    ])
      expect(providerOf('transport', other)).to.equal(undefined);
  });
});
