import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { START, type Batch, type EventLog, type StoredEvent } from '../../../../src/events/core/log.js';
import { appendOne, eventsOf, follow, idsOf, newArea, newEvents, type OpenedLog } from './opened.js';

const hasAll = (count: number) => (_: Batch, seen: readonly StoredEvent[]) => seen.length >= count;

/**
 * Appends `count` events to each of `streams` streams, one at a time, alternating between the streams. Returns their
 * ids in log order.
 */
async function fill(log: EventLog, area: string, streams: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    for (let stream = 0; stream < streams; stream += 1) {
      const events = newEvents(1);
      await appendOne(log, `${area}-${stream}`, events, n === 0 ? 'no-stream' : n - 1);
      ids.push(...idsOf(events));
    }
  }
  return ids;
}

export function subscriptionContract(opened: () => OpenedLog): void {
  describe('subscribe', () => {
    it('delivers existing and new events from START, in log order, in batches up to the requested size', async () => {
      const { log } = opened();
      const area = newArea();
      const before = await fill(log, area, 3, 10);
      const following = follow(log, { from: START, prefixes: [`${area}-`], batch: 7 }, hasAll(60));
      const after = await fill(log, `${area}-later`, 3, 10);
      const batches = await following;
      const events = eventsOf(batches);
      expect(idsOf(events)).to.deep.equal([...before, ...after]);
      expect(events.map((event) => event.position)).to.deep.equal(events.map((event) => event.position).sort());
      expect(new Set(events.map((event) => event.position)).size, 'positions differ').to.equal(60);
      for (const batch of batches) {
        expect(batch.events.length).to.be.at.most(7);
        for (const event of batch.events) expect(event.position <= batch.position).to.equal(true);
      }
    });

    it('continues after a position: of an event, or of a batch', async () => {
      const { log } = opened();
      const area = newArea();
      const ids = await fill(log, area, 2, 10);
      const all = await follow(log, { from: START, prefixes: [`${area}-`], batch: 3 }, hasAll(20));
      const fifth = eventsOf(all)[4];
      expect(
        idsOf(eventsOf(await follow(log, { from: fifth?.position ?? START, prefixes: [`${area}-`] }, hasAll(15)))),
      ).to.deep.equal(ids.slice(5));
      const early = all.findIndex((_, n) => eventsOf(all.slice(0, n + 1)).length >= 6);
      const delivered = eventsOf(all.slice(0, early + 1)).length;
      const rest = await follow(
        log,
        { from: all[early]?.position ?? START, prefixes: [`${area}-`] },
        hasAll(20 - delivered),
      );
      expect(idsOf(eventsOf(rest))).to.deep.equal(ids.slice(delivered));
    });

    it('accepts several prefixes; without prefixes it delivers everything', async () => {
      const { log } = opened();
      const area = newArea();
      const start = await log.head();
      const [a, b, c] = [
        await fill(log, `${area}a`, 1, 3),
        await fill(log, `${area}b`, 1, 3),
        await fill(log, `${area}c`, 1, 3),
      ];
      const some = await follow(log, { from: start, prefixes: [`${area}a-`, `${area}c-`] }, hasAll(6));
      expect(idsOf(eventsOf(some))).to.deep.equal([...a, ...c]);
      const all = await follow(log, { from: start }, (_, seen) => seen.some((event) => event.id === c[2]));
      expect(idsOf(eventsOf(all).filter((event) => event.stream.startsWith(area)))).to.deep.equal([...a, ...b, ...c]);
      expect(
        eventsOf(all).every((event) => !event.stream.startsWith('$')),
        'streams of the engine itself stay hidden',
      ).to.equal(true);
    });

    it('reports caughtUp when all existing events are delivered, and not before', async () => {
      const { log } = opened();
      const area = newArea();
      await fill(log, area, 4, 10);
      const batches = await follow(log, { from: START, prefixes: [`${area}-`], batch: 10 }, (batch) => batch.caughtUp);
      expect(eventsOf(batches)).to.have.length(40);
      const idle = await follow(log, { from: START, prefixes: [`${newArea()}-`] }, (batch) => batch.caughtUp);
      expect(eventsOf(idle)).to.deep.equal([]);
    });

    it('does not report caughtUp while acknowledged events are pending', async () => {
      const { log } = opened();
      const area = newArea();
      const stop = new AbortController();
      let [appended, delivered, truths] = [0, 0, 0];
      for await (const batch of log.subscribe(START, { batch: 500, prefixes: [`${area}-`], signal: stop.signal })) {
        delivered += batch.events.length;
        if (!batch.caughtUp) continue;
        expect(delivered).to.equal(appended);
        truths += 1;
        if (truths > 5) stop.abort();
        else
          await log.append(
            Array.from({ length: 60 }, () => ({
              stream: `${area}-${(appended += 1)}`,
              events: newEvents(1),
              expected: 'no-stream' as const,
            })),
          );
      }
      expect(truths).to.equal(6);
    });

    it('catches up again after falling behind', async () => {
      const { log } = opened();
      const area = newArea();
      const following = follow(
        log,
        { from: START, prefixes: [`${area}-`], batch: 5, work: 5 },
        (batch, seen) => batch.caughtUp && seen.length >= 60,
      );
      await fill(log, area, 3, 20);
      expect(eventsOf(await following)).to.have.length(60);
    });

    it('advances the position if no event matches', async () => {
      const { log } = opened();
      const area = newArea();
      let goal = '';
      const following = follow(
        log,
        { from: START, prefixes: [`${newArea()}-`] },
        (batch) => goal !== '' && batch.position >= goal,
      );
      await follow(log, { from: START, prefixes: [`${area}-`] }, (batch) => batch.caughtUp);
      await fill(log, area, 1, 5);
      goal = await log.head();
      await fill(log, newArea(), 1, 1);
      const batches = await following;
      expect(eventsOf(batches)).to.deep.equal([]);
      const positions = batches.map((batch) => batch.position);
      expect(positions, 'and never back').to.deep.equal([...positions].sort());
    });

    it('misses nothing after a position that it delivered while idle', async () => {
      const { log } = opened();
      const [mine, other] = [newArea(), newArea()];
      for (let n = 0; n < 5; n += 1) {
        await appendOne(log, `${other}-${n}`, newEvents(2), 'no-stream');
        const head = await log.head();
        const idle = await follow(log, { from: START, prefixes: [`${mine}-${n}`] }, (batch) => batch.position >= head);
        const events = newEvents(2);
        await appendOne(log, `${mine}-${n}`, events, 'no-stream');
        const found = await follow(
          log,
          { from: idle.at(-1)?.position ?? START, prefixes: [`${mine}-${n}`] },
          hasAll(2),
        );
        expect(idsOf(eventsOf(found))).to.deep.equal(idsOf(events));
      }
    });

    it('ends when it is aborted: while idle, within a batch, or before it began', async () => {
      const { log } = opened();
      const area = newArea();
      await fill(log, area, 1, 20);
      const idle = (batch: Batch): boolean => batch.caughtUp && batch.events.length === 0;
      const busy = (batch: Batch): boolean => batch.events.length > 0;
      for (const [name, abortsAt] of [
        ['idle', idle],
        ['busy', busy],
      ] as const) {
        const stop = new AbortController();
        let ended = false;
        let later = 0;
        const iteration = (async () => {
          for await (const batch of log.subscribe(START, {
            batch: 2,
            signal: stop.signal,
            prefixes: name === 'idle' ? [`${newArea()}-`] : [`${area}-`],
          })) {
            if (stop.signal.aborted) later += 1;
            if (abortsAt(batch)) setTimeout(() => stop.abort(), name === 'idle' ? 20 : 0);
            if (name === 'busy') await sleep(10);
          }
          ended = true;
        })();
        await iteration;
        expect([ended, later], name).to.deep.equal([true, 0]);
      }
      for await (const batch of log.subscribe(START, { batch: 2, signal: AbortSignal.abort() }))
        expect.fail(`a batch of ${batch.events.length}`);
    });

    it('allows a consumer to leave', async () => {
      const { log } = opened();
      const area = newArea();
      await fill(log, area, 1, 20);
      let batches = 0;
      for await (const batch of log.subscribe(START, {
        batch: 2,
        signal: new AbortController().signal,
        prefixes: [`${area}-`],
      })) {
        batches += 1;
        if (batch.events.length > 0) break;
      }
      expect(batches).to.be.above(0);
    });
  });
}
