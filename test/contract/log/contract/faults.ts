import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { LogUnavailable, START, type StreamAppend } from '../../../../src/events/core/log.js';
import {
  appendOne,
  appendSurely,
  eventsOf,
  follow,
  idsOf,
  listed,
  newArea,
  newEvents,
  type LogFaults,
  type OpenedLog,
} from './opened.js';
import { expectNoneLostNoneTwice } from './readers.js';
import { skip } from '../../../support/run-summary.js';

export function faultContract(opened: () => OpenedLog): void {
  describe('when the engine fails', () => {
    let faults: LogFaults;
    before(function () {
      const given = opened().faults;
      if (!given) return skip(this, 'this engine cannot be broken from here');
      faults = given;
    });

    it('appends once although responses are lost', async () => {
      const { log } = opened();
      const area = newArea();
      const single = newEvents(2);
      await faults.loseAnswers(1);
      expect(
        await appendSurely(log, [{ stream: `${area}-1`, events: single, expected: 'no-stream' }]),
      ).to.have.nested.property('[0].revision', 1);
      const bulk = Array.from({ length: 20 }, (_, n): StreamAppend => ({
        stream: `${area}-bulk-${n}`,
        events: newEvents(2),
        expected: 'no-stream',
      }));
      await faults.loseAnswers(5);
      for (const outcome of await appendSurely(log, bulk))
        expect(outcome).to.include({ outcome: 'appended', revision: 1 });
      const stored = await log.readMany(bulk.map((append) => append.stream));
      for (const { stream, events } of bulk) expect(idsOf(stored.get(stream) ?? [])).to.deep.equal(idsOf(events));
      expect(idsOf(await listed(log.read(`${area}-1`)))).to.deep.equal(idsOf(single));
    });

    it('fails an append with LogUnavailable rather than hang, and works again afterwards', async () => {
      const { log } = opened();
      const stream = `${newArea()}-1`;
      const events = newEvents(1);
      await faults.stop();
      try {
        const failure = await appendOne(log, stream, events, 'no-stream').catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(LogUnavailable);
      } finally {
        await faults.start();
      }
      expect(await appendSurely(log, [{ stream, events, expected: 'no-stream' }])).to.have.nested.property(
        '[0].revision',
        0,
      );
      expect(idsOf(await listed(log.read(stream)))).to.deep.equal(idsOf(events));
    });

    it('continues subscriptions after the connection was cut', async () => {
      const { log } = opened();
      const area = newArea();
      const events = newEvents(40);
      const following = follow(log, { from: START, prefixes: [`${area}-`], batch: 3 }, (_, seen) => seen.length >= 40);
      for (let n = 0; n < 40; n += 1) {
        if (n % 10 === 5) await faults.resetConnections();
        await appendSurely(log, [
          { stream: `${area}-1`, events: events.slice(n, n + 1), expected: n === 0 ? 'no-stream' : n - 1 },
        ]);
      }
      expect(idsOf(eventsOf(await following))).to.deep.equal(idsOf(events));
    });

    it('continues after the engine was restarted', async () => {
      const { log } = opened();
      const area = newArea();
      const [before, after] = [newEvents(5), newEvents(5)];
      const following = follow(log, { from: START, prefixes: [`${area}-`] }, (_, seen) => seen.length >= 10);
      await appendOne(log, `${area}-1`, before, 'no-stream');
      await follow(log, { from: START, prefixes: [`${area}-`] }, (_, seen) => seen.length >= 5);
      await faults.stop();
      await sleep(300);
      await faults.start();
      await appendSurely(log, [{ stream: `${area}-1`, events: after, expected: 4 }]);
      expect(idsOf(await listed(log.read(`${area}-1`))), 'its data are there').to.deep.equal(
        idsOf([...before, ...after]),
      );
      expect(idsOf(eventsOf(await following))).to.deep.equal(idsOf([...before, ...after]));
    });

    it('shows readers each committed event once, although connections break and responses are lost under 16 writers', () =>
      expectNoneLostNoneTwice(opened(), 25, async (finished) => {
        // The number of rounds is limited because the last writer could otherwise lose every response.
        for (let round = 0; round < 8 && !finished(); round += 1) {
          await sleep(60);
          await faults.loseAnswers(2);
          await faults.resetConnections();
        }
      }));
  });
}
