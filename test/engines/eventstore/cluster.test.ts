/** A cluster without a leader for a while, or with stopped nodes: no process ends, and no event is lost. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { Connection } from '../../../src/engines/eventstore/connection.js';
import { connectEventStore } from '../../../src/engines/eventstore/log.js';
import { connectLog } from '../../../src/engines/connect-log.js';
import { LogUnavailable, type EventLog, type StoredEvent } from '../../../src/events/core/log.js';
import { timeLimits } from '../../../src/events/core/time-limits.js';
import { appendOne, idsOf, listed, newEvents } from '../../contract/log/contract/opened.js';
import { eventually } from '../../support/eventually.js';
import { startTestService } from '../../support/worlds/service.js';
import type { EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { startEventStoreServer } from '../../support/fakes/eventstore-server.js';

const QUICK = { timeout: 1_000, delay: 10, maxDelay: 50, idle: 30, attempts: 3 };
const hostOf = (server: EventStoreServer): string => /esdb:\/\/([^?]+)/.exec(server.url)![1]!;

describe('EventStoreDB cluster', () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  let others: NodeJS.UnhandledRejectionListener[];
  before(() => {
    others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
  });
  after(() => {
    process.removeListener('unhandledRejection', note);
    for (const listener of others) process.on('unhandledRejection', listener);
  });

  it('survives a period without a leader, whatever the nodes respond, and keeps all acknowledged events', async () => {
    const server = await startEventStoreServer();
    const log = await connectEventStore(
      `esdb+discover://${hostOf(server)}?tls=false&maxDiscoverAttempts=2&discoveryInterval=10&gossipTimeout=1`,
      QUICK,
    );
    const acknowledged = new Set<string>();
    const stop = new AbortController();
    const push = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const [event] = newEvents(1);
        const stored = await appendOne(log, `a-${randomUUID()}`, [event!], 'no-stream').catch(() => undefined);
        if (stored?.outcome === 'appended') acknowledged.add(event!.id);
        await sleep(5);
      }
    };
    const followed: string[] = [];
    const following = (async () => {
      for await (const { events } of log.subscribe('', { prefixes: ['a-'], batch: 100, signal: stop.signal }))
        followed.push(...idsOf(events));
    })();
    const pushing = Promise.all([push(), push(), push(), push()]);
    /** Waits until the log works again, and does not only report so. */
    const healed = async (): Promise<void> => {
      server.cluster = { gossip: 'leader', calls: 'taken' };
      for (const before = acknowledged.size; acknowledged.size < before + 5;) await sleep(5);
    };
    /** Responses between two leaders: first the calls fail, then no node knows a leader. */
    const leaderless = async (turn: number): Promise<void> => {
      const calls = (['unavailable', 'not ready', 'not leader'] as const)[turn % 3]!;
      server.cluster = { gossip: 'leader', calls };
      await sleep(60);
      server.cluster = { gossip: turn % 2 === 0 ? 'none' : 'refused', calls };
      await sleep(250);
    };
    for (let round = 0; round < 6; round++) {
      await healed();
      await leaderless(round);
    }
    // The library stops looking after 20 ms here and after one second in production, so this represents minutes.
    await healed();
    for (let turn = 0; turn < 20; turn++) await leaderless(turn);
    await healed();
    stop.abort();
    await Promise.all([pushing, following]);
    expect(acknowledged.size).to.be.at.least(40);
    const read = idsOf(await listed(readUpTo(log, await log.head())));
    expect(read).to.deep.equal(idsOf(server.log.all.filter(({ stream }) => stream.startsWith('a-'))));
    expect([...acknowledged].filter((id) => !read.includes(id))).to.deep.equal([]);
    expect(followed.length, 'the follower received events in order, each once').to.be.above(0);
    expect(followed).to.deep.equal(read.slice(0, followed.length));
    expect(rejections).to.deep.equal([]);
    await log.close();
    server.stop();
  });

  it('uses any running node', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => startEventStoreServer()));
    const url = `esdb://${nodes.map(hostOf).join()}?tls=false&discoveryInterval=10&gossipTimeout=1`;
    nodes[0]!.stop();
    nodes[1]!.stop();
    const log: EventLog = await connectEventStore(url, QUICK);
    expect(await appendOne(log, 'a-1', newEvents(2), 'no-stream')).to.include({ outcome: 'appended' });
    expect(await listed(log.read('a-1'))).to.have.length(2);
    await log.close();
    nodes[2]!.stop();
  });

  it('is awaited by a service that starts before it', async () => {
    const server = await startEventStoreServer();
    server.stop();
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const starting = startTestService({ env: { EVENTSTORE_URL: server.url }, seed: false, logger });
    const warningCount = (): number => lines.filter((line) => line.includes('EventStoreDB does not respond')).length;
    await eventually(warningCount, 'a warning about the log');
    const ready = await Promise.race([starting.then(() => true), sleep(1_500, false)]);
    expect([ready, warningCount()], 'whether it is ready, and the number of warnings').to.deep.equal([false, 1]);
    expect(
      lines.find((line) => line.includes('EventStoreDB does not respond')),
      'the reason in the warning',
    ).to.include('"message":"');
    await server.start();
    const service = await starting;
    expect((await fetch(`${service.url}/health/live`)).status).to.equal(200);
    await service.stop();
    server.stop();
  });

  it('is reported repeatedly while the service waits for it: every ten seconds, here every second attempt', async () => {
    const server = await startEventStoreServer();
    server.stop();
    const reasons: unknown[] = [];
    /** The attempts at which a reason was reported. */
    const reportTimes: number[] = [];
    let attemptCount = 0;
    // A clock by which each attempt takes three seconds.
    const times = { ...timeLimits(), retryMs: 1, reportEveryMs: 6_000, now: () => (attemptCount += 1) * 3_000 };
    const onUnavailable = (error: unknown) => {
      reasons.push(error);
      reportTimes.push(attemptCount);
    };
    const connecting = connectLog(server.url, onUnavailable, times);
    await eventually(() => reportTimes.length >= 3, 'the third reason');
    expect(reportTimes.slice(0, 3)).to.deep.equal([1, 3, 5]);
    for (const reason of reasons) expect(reason).to.be.instanceOf(LogUnavailable);
    await server.start();
    const log = await connecting;
    expect(await appendOne(log, 'a-1', newEvents(1), 'no-stream')).to.include({ outcome: 'appended' });
    await log.close();
    server.stop();
  });

  // Few: the server has sent all events and ended the call before the first is read. Many: it is still sending.
  for (const events of [3, 2_000])
    it(`closes all open reads, subscriptions and appends on close, with ${events} events to a reader`, async () => {
      const server = await startEventStoreServer();
      const opened = streamsOpened();
      const log = await connectEventStore(server.url, { ...QUICK, timeout: 20_000 });
      await appendOne(log, 'a-1', newEvents(events), 'no-stream');
      const before = opened.streams.length;
      const signal = new AbortController().signal;
      const subscribe = () => log.subscribe('', { prefixes: ['a-'], batch: 500, signal })[Symbol.asyncIterator]();
      for await (const _ of log.read('a-1')) break;
      for await (const _ of log.subscribe('', { prefixes: ['a-'], batch: 2, signal })) break;
      const early = opened.streams.slice(before);
      expect(early.length).to.be.at.least(2);
      while (!early.every(({ closed }) => closed)) await sleep(5);
      // Left open: a read, two subscriptions, an append without a response, and a read that waits for its turn.
      const [left, behind, live] = [log.read('a-1')[Symbol.asyncIterator](), subscribe(), subscribe()];
      await Promise.all([left.next(), behind.next()]);
      for (let caughtUp = false; !caughtUp;) caughtUp = (await live.next()).value!.caughtUp;
      server.faults.unanswered = Infinity;
      const unanswered = log
        .append([{ stream: 'a-2', events: newEvents(1), expected: 'no-stream' }])
        .catch(() => 'lost');
      while (!server.log.stream('a-2')) await sleep(5);
      await log.close();
      // The service would time out on a library that does not end; that must not happen.
      expect(opened.ended.size, 'connections that ended').to.equal(opened.closing.size).and.not.equal(0);
      expect(await unanswered).to.equal('lost');
      expect(opened.streams.filter(({ destroyed }) => !destroyed)).to.deep.equal([]);
      opened.restore();
      server.stop();
    });
});

interface Opened {
  readonly streams: Readable[];
  readonly closing: Set<Connection>;
  /** Connections that the library itself has ended. */
  readonly ended: Set<Connection>;
  readonly restore: () => void;
}

/** Records every stream to the server that is opened from now on, and the ends of their connections. */
function streamsOpened(): Opened {
  const streams: Readable[] = [];
  const closing = new Set<Connection>();
  const ended = new Set<Connection>();
  const { open, close } = Connection.prototype;
  Connection.prototype.open = async function (...args) {
    const stream = await open.apply(this, args);
    streams.push(stream);
    return stream as never;
  };
  Connection.prototype.close = async function () {
    closing.add(this);
    const dispose = this.client.dispose.bind(this.client);
    this.client.dispose = async () => {
      await dispose();
      ended.add(this);
    };
    await close.call(this);
  };
  const restore = () => void Object.assign(Connection.prototype, { open, close });
  return { streams, closing, ended, restore };
}

/** Every event of `a-` up to a position, by a separate reader. */
async function* readUpTo(log: EventLog, head: string): AsyncGenerator<StoredEvent> {
  const signal = new AbortController().signal;
  for await (const { events, position } of log.subscribe('', { prefixes: ['a-'], batch: 100, signal })) {
    yield* events;
    if (position >= head) return;
  }
}
