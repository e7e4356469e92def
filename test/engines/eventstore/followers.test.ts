/** All followers of a process share one subscription: the load on the server, and that no follower delays another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { connectEventStore } from '../../../src/engines/eventstore/log.js';
import { START, type EventLog, type StoredEvent } from '../../../src/events/core/log.js';
import { startEventStoreServer, type EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { appendOne, idsOf, newEvent, newEvents } from '../../contract/log/contract/opened.js';

const FOLLOWERS = 18;
const OPTIONS = { timeout: 5_000, delay: 10, maxDelay: 50, idle: 250 };

interface Follower {
  readonly seen: StoredEvent[];
  caughtUp: boolean;
  /** Milliseconds per batch. */
  work: number;
}

describe('followers of a log in EventStoreDB', () => {
  let server: EventStoreServer;
  let log: EventLog;
  let stop: AbortController;
  let running: Promise<void>[];
  beforeEach(async () => {
    server = await startEventStoreServer();
    log = await connectEventStore(server.url, OPTIONS);
    stop = new AbortController();
    running = [];
  });
  afterEach(async () => {
    stop.abort();
    await Promise.all(running);
    await log.close();
    server.stop();
  });

  const follow = (prefixes: readonly string[], from = log): Follower => {
    const follower: Follower = { seen: [], caughtUp: false, work: 0 };
    running.push(
      (async () => {
        for await (const batch of from.subscribe(START, { prefixes, batch: 100, signal: stop.signal })) {
          follower.seen.push(...batch.events);
          follower.caughtUp = batch.caughtUp;
          if (follower.work > 0) await sleep(follower.work);
        }
      })(),
    );
    return follower;
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await sleep(5);
  };
  const caughtUp = (followers: readonly Follower[]): Promise<void> =>
    until(() => followers.every((follower) => follower.caughtUp));

  it('receive each event once over one subscription, each its own events, in order', async () => {
    const followers = Array.from({ length: FOLLOWERS }, (_, n) => follow([`area${n % 6}-`]));
    await caughtUp(followers);
    const before = { ...server.counts };
    const ids: string[][] = Array.from({ length: 6 }, () => []);
    for (let n = 0; n < 300; n++) {
      const [event] = newEvents(1);
      await appendOne(log, `area${n % 6}-${n}`, [event!], 'no-stream');
      ids[n % 6]!.push(event!.id);
    }
    await until(() => followers.every(({ seen }) => seen.length >= 50));
    for (const [n, { seen }] of followers.entries()) expect(idsOf(seen)).to.deep.equal(ids[n % 6]);
    expect(server.counts.subscriptions - before.subscriptions, 'further subscriptions').to.equal(0);
    // Each append may read the end once, and a checkpoint arrives occasionally.
    expect(server.counts.sent - before.sent, 'messages for 300 events').to.be.below(2 * 300 + 50);
  });

  it('read the end of the log together: as rarely as a single one, and less often while events arrive', async () => {
    const other = await startEventStoreServer();
    const otherLog = await connectEventStore(other.url, OPTIONS);
    await caughtUp([
      follow([`area0-`], otherLog),
      ...Array.from({ length: FOLLOWERS }, (_, n) => follow([`area${n % 6}-`])),
    ]);
    /** The number of reads of the end by the many followers, during `looks` reads by the single one. */
    const during = async (polls: number, meanwhile: () => void) => {
      const [many, alone] = [server.counts.endReads, other.counts.endReads];
      for (; other.counts.endReads < alone + polls; await sleep(10)) meanwhile();
      return server.counts.endReads - many;
    };
    expect(await during(4, () => undefined), 'idle').to.be.within(1, 6);
    let n = 0;
    const append = () => void server.log.append(`area1-${n++}`, -1, [written()]);
    expect(await during(4, append), 'while events flow').to.be.below(4);
    stop.abort();
    await Promise.all(running);
    await otherLog.close();
    other.stop();
  });

  it('do not wait for a slow follower, which misses nothing', async () => {
    const [quick, slow] = [follow(['area-']), follow(['area-'])];
    await caughtUp([quick, slow]);
    slow.work = 3_000;
    const ids: string[] = [];
    for (let n = 0; n < 60; n++) {
      const events = newEvents(100);
      await appendOne(log, `area-${n}`, events, 'no-stream');
      ids.push(...idsOf(events));
    }
    await until(() => quick.seen.length >= 6_000);
    expect(slow.seen.length).to.be.below(6_000);
    slow.work = 0;
    await until(() => slow.seen.length >= 6_000);
    expect(idsOf(quick.seen)).to.deep.equal(ids);
    expect(idsOf(slow.seen)).to.deep.equal(ids);
  });

  it('end individually at an event that cannot be decoded', async () => {
    const other = follow(['area-']);
    const signal = stop.signal;
    await caughtUp([other]);
    const failing = (async () => {
      for await (const batch of log.subscribe(START, { prefixes: ['strange-'], batch: 10, signal })) void batch;
    })().catch((error: unknown) => error);
    await sleep(300);
    server.log.append('strange-1', -1, [{ ...written(), data: Buffer.from('no JSON') }]);
    expect(await failing).to.have.property('name', 'ForeignEvent');
    const events = newEvents(2);
    await appendOne(log, 'area-1', events, 'no-stream');
    await until(() => other.seen.length === 2);
    expect(idsOf(other.seen)).to.deep.equal(idsOf(events));
  });

  it('leave no subscription behind', async () => {
    await caughtUp([follow(['area-'])]);
    stop.abort();
    await Promise.all(running);
    await sleep(200);
    const { sent } = server.counts;
    server.log.append('area-1', -1, [written()]);
    await sleep(400);
    expect(server.counts.sent - sent).to.equal(0);
  });
});

/** An event as another process of the service writes it. */
function written() {
  const { id, type, json } = newEvent({ n: 1 });
  return {
    id,
    type,
    contentType: 'application/json',
    data: Buffer.from(json),
    metadata: Buffer.from(JSON.stringify({ $version: 1 })),
  };
}
