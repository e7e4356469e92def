import { expect } from 'chai';
import { connectEventStore } from '../../../src/engines/eventstore/log.js';
import { openLog, type LogHandle } from '../../../src/engines/open-log.js';
import { NotACopy, transfer, wholeLog } from '../../../src/engines/transfer.js';
import { freshDatabase, type FreshDatabase } from '../../support/worlds/database.js';
import { startEventStoreServer, type EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { contentOf, eventsOf, fillLog, rootOf } from '../../support/worlds/logs.js';

const EVENTS = 500;
const forever = new AbortController().signal;

describe('copying the log to another engine', () => {
  const undo: (() => unknown)[] = [];
  let source: LogHandle;

  const postgres = async (): Promise<LogHandle & { readonly url: string }> => {
    const database: FreshDatabase = await freshDatabase();
    const opened = await openLog(database.url, { create: true });
    undo.push(() => opened.close().then(() => database.drop()));
    return { ...opened, url: database.url };
  };
  const eventStore = async (): Promise<LogHandle & { readonly server: EventStoreServer }> => {
    const server = await startEventStoreServer();
    const opened = await openLog(server.url, { create: true });
    undo.push(() => opened.close().then(() => server.stop()));
    return { ...opened, server };
  };
  const copy = (from: LogHandle, to: LogHandle, more: Partial<Parameters<typeof transfer>[2]> = {}) =>
    transfer(wholeLog(from.log, more.signal ?? forever), to, { signal: forever, ...more });

  before(async () => {
    source = await postgres();
    await fillLog(source.log, EVENTS, 40);
  });

  after(async () => {
    for (const step of undo.reverse()) await step();
  });

  it('keeps the global order and the Merkle root from Postgres to EventStoreDB and back', async () => {
    const [between, back] = [await eventStore(), await postgres()];
    const there = await copy(source, between);
    const again = await copy(between, back);
    const original = await eventsOf(source.log);
    expect(original).to.have.length(EVENTS);
    for (const target of [between, back]) {
      const copied = await eventsOf(target.log);
      expect(contentOf(copied)).to.deep.equal(contentOf(original));
      expect(copied.map(({ position }) => position)).to.deep.equal(
        [...new Set(copied.map(({ position }) => position))].sort(),
      );
    }
    for (const { root, events, before } of [there, again]) {
      expect([root.toString('hex'), events, before]).to.deep.equal([rootOf(original), EVENTS, 0]);
    }
  });

  for (const [engine, open] of [
    ['EventStoreDB', eventStore],
    ['Postgres', postgres],
  ] as const) {
    it(`continues where it was interrupted (${engine})`, async () => {
      const target = await open();
      const stop = new AbortController();
      const stopped = await copy(source, target, {
        signal: stop.signal,
        batch: 100,
        onProgress: (events) => events >= 200 && stop.abort(new Error('interrupted')),
      }).catch((error: Error) => error);
      expect((stopped as Error).message).to.equal('interrupted');
      const { before, events, root } = await copy(source, target);
      expect(before).to.be.within(200, EVENTS - 100);
      expect([events, root.toString('hex')]).to.deep.equal([EVENTS, rootOf(await eventsOf(source.log))]);
    });

    it(`copies events that were added since, and nothing twice (${engine})`, async () => {
      const [growing, target] = [await postgres(), await open()];
      await fillLog(growing.log, 30, 4);
      expect((await copy(growing, target)).events).to.equal(30);
      expect(await copy(growing, target)).to.include({ events: 30, before: 30 });
      await fillLog(growing.log, 20, 4, 30);
      expect(await copy(growing, target)).to.include({ events: 50, before: 30 });
      expect(rootOf(await eventsOf(target.log))).to.equal(rootOf(await eventsOf(growing.log)));
    });

    it(`rejects a target with other events (${engine})`, async () => {
      const target = await open();
      await fillLog(target.log, 3, 2);
      const before = await eventsOf(target.log);
      const refused = await copy(source, target).catch((error: Error) => error);
      expect(refused).to.be.instanceOf(NotACopy);
      expect((refused as Error).message).to.match(/its event 0 is area0-0 0/);
      expect(await eventsOf(target.log)).to.deep.equal(before);
    });

    it(`rejects a target with more events (${engine})`, async () => {
      const [less, target] = [await postgres(), await open()];
      await fillLog(less.log, 10, 3);
      await copy(less, target);
      await fillLog(target.log, 2, 3, 10);
      expect(await copy(less, target).catch((error: Error) => error)).to.be.instanceOf(NotACopy);
    });
  }

  it('survives lost responses', async () => {
    const { server } = await eventStore();
    const log = await connectEventStore(server.url, { timeout: 300, delay: 10 });
    undo.push(() => log.close());
    const target = { log, ordered: false, close: () => log.close() };
    server.faults.unanswered = 2;
    const few = await postgres();
    await fillLog(few.log, 12, 3);
    expect((await copy(few, target)).events).to.equal(12);
    expect(rootOf(await eventsOf(target.log))).to.equal(rootOf(await eventsOf(few.log)));
  });

  it('splits appends that are too large for EventStoreDB', async () => {
    const [large, target] = [await postgres(), await eventStore()];
    const events = Array.from({ length: 5 }, (_, n) => ({
      id: crypto.randomUUID(),
      type: 'Large',
      version: 1,
      json: JSON.stringify({ n, text: 'x'.repeat(400_000) }),
      metadata: { recorded_at: '2026-01-05T08:00:00.000Z' },
    }));
    await large.log.append([{ stream: 'area-large', events, expected: 'no-stream' }]);
    expect((await copy(large, target)).events).to.equal(5);
    expect(contentOf(await eventsOf(target.log))).to.deep.equal(contentOf(await eventsOf(large.log)));
  });

  it('reports if the target does not return the written events', async () => {
    const target = await postgres();
    const append = (appends: Parameters<typeof target.log.append>[0]) =>
      target.log.append(
        appends.map((append) => ({ ...append, events: append.events.map((event) => ({ ...event, json: '{}' })) })),
      );
    const forgetful = new Proxy(target.log, {
      get(log, name) {
        const member: unknown = Reflect.get(log, name);
        return name === 'append' ? append : typeof member === 'function' ? member.bind(log) : member;
      },
    });
    const failed = await copy(source, { ...target, log: forgetful }).catch((error: Error) => error);
    expect((failed as Error).message).to.match(/differs from the source/);
  });

  it('finds no log in an empty database', async () => {
    const database = await freshDatabase();
    undo.push(() => database.drop());
    expect(await openLog(database.url).catch((error: Error) => error.message)).to.equal(
      'That database contains no event log.',
    );
  });
});
