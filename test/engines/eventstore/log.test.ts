import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { connectEventStore, type EventStoreOptions } from '../../../src/engines/eventstore/log.js';
import {
  AppendTooLarge,
  LogUnavailable,
  START,
  type Batch,
  type EventLog,
  type EncodedEvent,
  type StreamAppend,
} from '../../../src/events/core/log.js';
import { appendOne, eventsOf, follow, idsOf, listed, newEvent, newEvents } from '../../contract/log/contract/opened.js';
import { systemEvent } from '../../support/fakes/eventstore/memory-log.js';
import { startEventStoreServer, type EventStoreServer } from '../../support/fakes/eventstore-server.js';

const LIMIT = 1024 * 1024;
const QUICK = { timeout: 5_000, delay: 10, maxDelay: 50, idle: 30, attempts: 3 };

/** The reason for the failure; throws if it did not fail. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome, 'it should have failed').to.not.equal(undefined);
  return outcome;
}

const start = (stream: string, events: readonly EncodedEvent[]): StreamAppend => ({
  stream,
  events,
  expected: 'no-stream',
});

/** An event of `size` bytes in total: data, metadata and type. */
function eventOfSize(size: number): EncodedEvent {
  const event = newEvent({ text: '' }, { metadata: {}, type: 'Sized' });
  const bare = event.json.length + JSON.stringify({ $version: 1 }).length + event.type.length * 2;
  return { ...event, json: JSON.stringify({ text: 'x'.repeat(size - bare) }) };
}

describe('EventStoreDB engine', () => {
  let server: EventStoreServer;
  let log: EventLog;
  const connect = (options: Partial<EventStoreOptions> = {}): Promise<EventLog> =>
    connectEventStore(server.url, { ...QUICK, ...options });

  beforeEach(async () => {
    server = await startEventStoreServer();
    log = await connect();
  });
  afterEach(async () => {
    await log.close();
    server.stop();
  });

  describe('appends', () => {
    it('send what the server accepts, and reject a byte more before sending', async () => {
      expect(await appendOne(log, 'a-1', [eventOfSize(LIMIT / 2), eventOfSize(LIMIT / 2)], 'no-stream')).to.include({
        outcome: 'appended',
      });
      const failure = await failureOf(
        log.append([start('a-2', newEvents(1)), start('a-3', [eventOfSize(LIMIT / 2), eventOfSize(LIMIT / 2 + 1)])]),
      );
      expect(failure).to.be.instanceOf(AppendTooLarge);
      expect(failure).to.include({ stream: 'a-3', size: LIMIT + 1, limit: LIMIT });
      expect(server.log.stream('a-2')).to.equal(undefined);
    });

    it("report an append that is too large for the server's own lower limit, and do not retry", async () => {
      const failures: unknown[] = [];
      const lenient = await connect({ maxAppendBytes: 2 * LIMIT, onRetry: (error) => failures.push(error) });
      expect(await failureOf(lenient.append([start('a-1', [eventOfSize(LIMIT + 1)])])))
        .to.be.instanceOf(AppendTooLarge)
        .and.include({ limit: LIMIT });
      expect(failures).to.deep.equal([]);
      await lenient.close();
    });

    for (const [what, append] of [
      ['a stream twice', [start('a-1', newEvents(1)), start('a-1', newEvents(1))]],
      ['a name of a system stream', [start('$a', newEvents(1))]],
      ['no events', [start('a-1', [])]],
      ['the metadata key that holds the version', [start('a-1', [newEvent({}, { metadata: { $version: 2 } })])]],
    ] as const) {
      it(`reject ${what}`, async () => {
        expect(await failureOf(log.append(append))).to.be.instanceOf(RangeError);
        expect(server.log.stream('a-1')).to.equal(undefined);
      });
    }

    it('give up on a server that never responds, after the configured number of attempts', async () => {
      const failures: unknown[] = [];
      const background = await connect({ timeout: 200, onRetry: (error) => failures.push(error) });
      failures.length = 0;
      server.faults.unanswered = Infinity;
      expect(await failureOf(background.append([start('a-1', newEvents(1))]))).to.be.instanceOf(LogUnavailable);
      expect(failures).to.have.length(QUICK.attempts - 1);
      expect(server.log.stream('a-1'), 'stored once by all attempts').to.have.length(1);
      await background.close();
    });

    it('send 1,000 streams in one command, next to others, to a slow server', async () => {
      server.faults.delay = 300;
      const bulk = (name: string): StreamAppend[] =>
        Array.from({ length: 1_000 }, (_, n) => start(`${name}-${n}`, newEvents(2)));
      const outcomes = await Promise.all(Array.from({ length: 4 }, (_, n) => log.append(bulk(`bulk${n}`))));
      expect(
        outcomes.flat().filter((outcome) => outcome.outcome === 'appended' && outcome.revision === 1),
      ).to.have.length(4_000);
    });

    it('fail with the error of one of many streams, once all have ended', async () => {
      const impatient = await connect({ timeout: 2_000, attempts: 1 });
      server.faults.unanswered = 1;
      expect(
        await failureOf(impatient.append(Array.from({ length: 100 }, (_, n) => start(`a-${n}`, newEvents(1))))),
      ).to.be.instanceOf(LogUnavailable);
      expect(Array.from({ length: 100 }, (_, n) => server.log.stream(`a-${n}`)).filter(Boolean)).to.have.length(100);
      await impatient.close();
    });

    it('do not wait behind a call that the server forgets', async () => {
      server.faults.unanswered = 1;
      const forgotten = log.append([start('a-1', newEvents(1))]);
      let isAnswered = false;
      void forgotten.finally(() => (isAnswered = true)).catch(() => undefined);
      while (!server.log.stream('a-1')) await sleep(5);
      await log.append([start('a-2', newEvents(1))]);
      expect(isAnswered, 'the forgotten one').to.equal(false);
      server.resetConnections();
      expect(await forgotten, 'sent again on the next stream').to.have.nested.property('[0].revision', 0);
    });

    it('drop a response that nothing waits for any more', async () => {
      const impatient = await connect({ timeout: 100, attempts: 2 });
      server.faults.delay = 150;
      await failureOf(impatient.append([start('a-1', newEvents(1))]));
      server.faults.delay = 0;
      await sleep(200);
      expect(await appendOne(impatient, 'a-2', newEvents(1), 'no-stream')).to.include({ outcome: 'appended' });
      await impatient.close();
    });

    it('fail at once if the user may not append', async () => {
      const failures: unknown[] = [];
      const denied = await connect({ onRetry: (error) => failures.push(error) });
      server.faults.denied = true;
      expect(await failureOf(denied.append([start('a-1', newEvents(1))]))).to.have.property('type', 'access-denied');
      expect(failures).to.deep.equal([]);
      await denied.close();
    });

    it('find the position of a retry that the server has forgotten', async () => {
      const events = newEvents(2);
      const first = await appendOne(log, 'a-1', events, 'no-stream');
      server.faults.forgetPositions = true;
      expect(await appendOne(log, 'a-1', events, 'no-stream')).to.deep.equal({ ...first, repeated: true });
    });
  });

  describe('subscriptions', () => {
    it("skip many events that do not match, by the server's checkpoints", async () => {
      const others = Array.from({ length: 1_000 }, (_, n) => start(`other-${n}`, newEvents(1)));
      await log.append(others);
      const mine = newEvents(1);
      await appendOne(log, 'mine-1', mine, 'no-stream');
      const head = await log.head();
      const sentBefore = server.counts.sent;
      const batches = await follow(log, { from: START, prefixes: ['mine-'] }, (batch) => batch.position >= head);
      expect(idsOf(eventsOf(batches))).to.deep.equal(idsOf(mine));
      expect(server.counts.sent - sentBefore, 'messages').to.be.below(50);
    });

    it('read no further ahead than a slow consumer allows', async () => {
      for (let n = 0; n < 20; n += 1)
        await appendOne(
          log,
          `a-${n}`,
          Array.from({ length: 200 }, () => newEvent({ text: 'x'.repeat(4_000) })),
          'no-stream',
        );
      const stop = new AbortController();
      for await (const batch of log.subscribe(START, { batch: 10, signal: stop.signal })) {
        if (batch.events.length === 0) continue;
        await sleep(200);
        expect(server.counts.sent, 'of 4,000 events').to.be.below(400);
        stop.abort();
      }
    });

    it('fill their batches while they are behind', async () => {
      for (let n = 0; n < 10; n += 1) await appendOne(log, `a-${n}`, newEvents(200), 'no-stream');
      const batches = await follow(log, { from: START, batch: 500 }, (_, seen) => seen.length === 2_000);
      expect(batches.filter((batch) => batch.events.length > 0)).to.have.length.below(400);
    });

    it('stop at an event that this service cannot have written, and do not retry', async () => {
      const failures: unknown[] = [];
      const strict = await connect({ onRetry: (error) => failures.push(error) });
      server.log.append('stranger-1', -1, [systemEvent('Strange')]);
      expect(await failureOf(follow(strict, { from: START }, () => false))).to.have.property('name', 'ForeignEvent');
      expect(failures).to.deep.equal([]);
      await strict.close();
    });

    it('report each broken connection, and end with the log', async () => {
      const failures: number[] = [];
      const watched = await connect({ onRetry: (_, count) => failures.push(count) });
      const batches: Batch[] = [];
      const ended = (async () => {
        for await (const batch of watched.subscribe(START, { batch: 10, signal: new AbortController().signal }))
          batches.push(batch);
      })();
      while (batches.length === 0) await sleep(5);
      server.stop();
      while (failures.length < 3) await sleep(5);
      expect(failures.slice(0, 3)).to.deep.equal([1, 2, 3]);
      await watched.close();
      await ended;
      expect(await failureOf(watched.head())).to.be.instanceOf(LogUnavailable);
    });

    it('reject prefixes of system streams, and positions of another form', async () => {
      expect(await failureOf(follow(log, { from: START, prefixes: ['$'] }, () => false))).to.be.instanceOf(RangeError);
      expect(await failureOf(follow(log, { from: '17' }, () => false))).to.be.instanceOf(RangeError);
    });
  });

  describe('connection', () => {
    it('does not disturb the appends of another log when it breaks', async () => {
      const failures: unknown[] = [];
      const undisturbed = await connect({ onRetry: (error) => failures.push(error) });
      const other = await startEventStoreServer();
      const broken = await connectEventStore(other.url, { ...QUICK, attempts: 1 });
      server.faults.delay = 100;
      other.faults.unanswered = Infinity;
      const lost = failureOf(broken.append([start('a-1', newEvents(1))]));
      const answered = undisturbed.append([start('a-1', newEvents(1))]);
      while (!server.log.stream('a-1') || !other.log.stream('a-1')) await sleep(5);
      other.stop();
      expect(await lost).to.be.instanceOf(LogUnavailable);
      expect(await answered).to.have.nested.property('[0].revision', 0);
      expect(failures).to.deep.equal([]);
      await Promise.all([undisturbed.close(), broken.close()]);
    });

    it('fails with LogUnavailable without a server', async () => {
      server.stop();
      expect(await failureOf(connect())).to.be.instanceOf(LogUnavailable);
    });

    it('asks the cluster for the leader', async () => {
      const discovered = await connectEventStore(server.discoverUrl, QUICK);
      expect(await appendOne(discovered, 'a-1', newEvents(1), 'no-stream')).to.include({ outcome: 'appended' });
      expect(await listed(discovered.read('a-1'))).to.have.length(1);
      await discovered.close();
    });

    it('finds the head before system events, and returns the oldest of them if there are too many', async () => {
      const appended = await appendOne(log, 'a-1', newEvents(1), 'no-stream');
      for (let n = 0; n < 900; n += 1) server.log.append(`$stats-${n}`, -1, [systemEvent('$statsCollected')]);
      expect(appended).to.have.property('position', await log.head());
      for (let n = 900; n < 1_500; n += 1) server.log.append(`$stats-${n}`, -1, [systemEvent('$statsCollected')]);
      const head = await log.head();
      expect(appended.outcome === 'appended' && head > appended.position).to.equal(true);
      expect(log.isPosition(head)).to.equal(true);
      const batches = await follow(log, { from: START }, (batch) => batch.position >= head);
      expect(eventsOf(batches), 'a subscription gets there all the same').to.have.length(1);
    });
  });
});
