/** A cluster that has no leader for a while, and nodes of it that are gone: nothing ends, nothing is lost. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { connectEventStore } from '../../../src/engines/eventstore/log.js';
import type { EventLog } from '../../../src/events/core/log.js';
import { appendOne, listed, newEvents } from '../../contract/log/contract/opened.js';
import { startTestService } from '../../support/worlds/service.js';
import type { EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { startEventStoreServer } from '../../support/fakes/eventstore-server.js';

const QUICK = { timeout: 1_000, delay: 10, maxDelay: 50, idle: 30, attempts: 3 };
const hostOf = (server: EventStoreServer): string => /esdb:\/\/([^?]+)/.exec(server.url)![1]!;

describe('EventStoreDB as a cluster', () => {
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

  it('outlives a time without a leader, whatever the nodes answer, and has all that was acknowledged', async () => {
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
    const following = (async () => {
      const seen = new Set<string>();
      for await (const { events } of log.subscribe('', { prefixes: ['a-'], batch: 100, signal: stop.signal }))
        for (const { id } of events) seen.add(id);
      return seen;
    })();
    const pushing = Promise.all([push(), push(), push(), push()]);
    for (let round = 0; round < 12; round++) {
      server.cluster = { gossip: 'leader', calls: 'taken' };
      await sleep(150);
      const calls = (['unavailable', 'not ready', 'not leader'] as const)[round % 3]!;
      server.cluster = { gossip: 'leader', calls };
      await sleep(60);
      server.cluster = { gossip: round % 2 === 0 ? 'none' : 'refused', calls };
      await sleep(250);
    }
    server.cluster = { gossip: 'leader', calls: 'taken' };
    await sleep(500);
    stop.abort();
    await pushing;
    await following;
    expect(acknowledged.size).to.be.above(20);
    const kept = new Set(server.log.all.map(({ id }) => id));
    expect([...acknowledged].filter((id) => !kept.has(id))).to.deep.equal([]);
    expect(rejections).to.deep.equal([]);
    await log.close();
    server.stop();
  });

  it('asks whichever of its nodes are up', async () => {
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

  it('is waited for by a service that starts before it', async () => {
    const server = await startEventStoreServer();
    server.stop();
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const starting = startTestService({ env: { EVENTSTORE_URL: server.url }, seed: false, logger });
    const told = (): number => lines.filter((line) => line.includes('EventStoreDB does not answer')).length;
    // How long a start takes is the machine's matter: it is told when it comes to the log, and once.
    const patience = performance.now() + 30_000;
    while (told() === 0 && performance.now() < patience) await sleep(50);
    await sleep(1_500);
    expect(told()).to.equal(1);
    await server.start();
    const service = await starting;
    expect((await fetch(`${service.url}/health/live`)).status).to.equal(200);
    await service.stop();
    server.stop();
  });

  it('is closed within a second, whatever is left open', async () => {
    const server = await startEventStoreServer();
    const log = await connectEventStore(server.url, QUICK);
    await appendOne(log, 'a-1', newEvents(5_000), 'no-stream');
    for await (const _ of log.read('a-1')) break;
    const signal = new AbortController().signal;
    for await (const _ of log.subscribe('', { prefixes: ['a-'], batch: 10, signal })) break;
    const left = log.read('a-1')[Symbol.asyncIterator]();
    await left.next();
    const started = performance.now();
    await log.close();
    // The service gives up on the library after 900 ms: it must not come to that.
    expect(performance.now() - started).to.be.below(500);
    server.stop();
  });
});
