import { expect } from 'chai';
import type { AppendOutcome, StreamAppend } from '../../../../src/events/core/log.js';
import { appendOne, idsOf, listed, newArea, newEvent, newEvents, type OpenedLog } from './opened.js';

const conflict = (actual: number): AppendOutcome => ({ outcome: 'conflict', actual });

export function appendContract(opened: () => OpenedLog): void {
  describe('append', () => {
    it('starts a stream, and continues after its last revision', async () => {
      const { log } = opened();
      const stream = `${newArea()}-1`;
      const first = await appendOne(log, stream, newEvents(2), 'no-stream');
      const second = await appendOne(log, stream, newEvents(3), 1);
      expect(first).to.include({ outcome: 'appended', revision: 1 });
      expect(second).to.include({ outcome: 'appended', revision: 4 });
      const stored = await listed(log.read(stream));
      expect(stored.map((event) => event.revision)).to.deep.equal([0, 1, 2, 3, 4]);
      expect(first).to.have.property('position', stored[1]?.position);
      expect(second).to.have.property('position', stored[4]?.position);
    });

    it('writes nothing after a wrong expectation, and returns the actual revision', async () => {
      const { log } = opened();
      const stream = `${newArea()}-1`;
      expect(await appendOne(log, stream, newEvents(1), 0), 'a revision of no stream').to.deep.equal(conflict(-1));
      const events = newEvents(3);
      await appendOne(log, stream, events, 'no-stream');
      expect(await appendOne(log, stream, newEvents(1), 'no-stream'), 'no-stream on a stream').to.deep.equal(
        conflict(2),
      );
      expect(await appendOne(log, stream, newEvents(2), 0), 'an old revision').to.deep.equal(conflict(2));
      expect(await appendOne(log, stream, newEvents(1), 7), 'a revision to come').to.deep.equal(conflict(2));
      expect(idsOf(await listed(log.read(stream)))).to.deep.equal(idsOf(events));
    });

    it('handles many streams one by one, in order, and no conflict stops the others', async () => {
      const { log } = opened();
      const area = newArea();
      await log.append([10, 50].map((n) => ({ stream: `${area}-${n}`, events: newEvents(n), expected: 'no-stream' })));
      const appends: StreamAppend[] = Array.from({ length: 100 }, (_, n) => ({
        stream: `${area}-${n}`,
        events: newEvents((n % 3) + 1),
        expected: 'no-stream',
      }));
      const outcomes = await log.append(appends);
      expect(outcomes).to.have.length(100);
      outcomes.forEach((outcome, n) => {
        if (n === 10 || n === 50) expect(outcome).to.deep.equal(conflict(n - 1));
        else expect(outcome).to.include({ outcome: 'appended', revision: n % 3 });
      });
      const stored = await log.readMany(appends.map((append) => append.stream));
      appends.forEach(({ stream, events }, n) => {
        if (n !== 10 && n !== 50) expect(idsOf(stored.get(stream) ?? [])).to.deep.equal(idsOf(events));
      });
    });

    it('accepts an empty list', async () => {
      expect(await opened().log.append([])).to.deep.equal([]);
    });

    it('recognises a retry at the same revision: returns the first result, and appends nothing twice', async () => {
      const { log } = opened();
      const area = newArea();
      const [first, second] = [newEvents(3), newEvents(2)];
      const start: StreamAppend = { stream: `${area}-1`, events: first, expected: 'no-stream' };
      const next: StreamAppend = { stream: `${area}-1`, events: second, expected: 2 };
      const [started] = await log.append([start]);
      expect(started, 'the first').to.not.have.property('repeated');
      expect((await log.append([start]))[0], 'at the end of the stream').to.deep.equal({ ...started, repeated: true });
      const [continued] = await log.append([next]);
      expect((await log.append([start]))[0], 'when the stream has gone on').to.deep.equal({
        ...started,
        repeated: true,
      });
      const fresh: StreamAppend = { stream: `${area}-2`, events: newEvents(1), expected: 'no-stream' };
      const bulk = await log.append([fresh, next]);
      expect(bulk[0]).to.include({ outcome: 'appended', revision: 0 }).and.not.have.property('repeated');
      expect(bulk[1], 'as a part of a bulk').to.deep.equal({ ...continued, repeated: true });
      expect(idsOf(await listed(log.read(`${area}-1`)))).to.deep.equal(idsOf([...first, ...second]));
    });

    it('takes the beginning of the stored events for a retry, and no other similarity', async () => {
      const { log } = opened();
      const stream = `${newArea()}-1`;
      const [a, b, c] = newEvents(3) as [
        ReturnType<typeof newEvent>,
        ReturnType<typeof newEvent>,
        ReturnType<typeof newEvent>,
      ];
      await appendOne(log, stream, [a, b, c], 'no-stream');
      expect(await appendOne(log, stream, [a, b], 'no-stream'), 'its beginning').to.include({
        outcome: 'appended',
        revision: 1,
      });
      expect(await appendOne(log, stream, [b, c], 'no-stream'), 'another place').to.deep.equal(conflict(2));
      expect(await appendOne(log, stream, [a, newEvent(), c], 'no-stream'), 'a stranger between').to.deep.equal(
        conflict(2),
      );
      expect(await appendOne(log, stream, [a, b, c, newEvent()], 'no-stream'), 'one more').to.deep.equal(conflict(2));
      expect(idsOf(await listed(log.read(stream)))).to.deep.equal(idsOf([a, b, c]));
    });

    it('lets one of 16 concurrent writers win each revision, and reports a conflict to the others', async () => {
      const { log } = opened();
      const stream = `${newArea()}-hot`;
      const won = await Promise.all(Array.from({ length: 16 }, () => contend(opened(), stream, 5)));
      const stored = await listed(log.read(stream));
      expect(stored.map((event) => event.revision)).to.deep.equal(Array.from({ length: 80 }, (_, n) => n));
      const winners = new Map(won.flatMap(({ revisions }) => revisions));
      expect(
        stored.map((event) => winners.get(event.revision)),
        'each revision holds the event of the writer who was told so',
      ).to.deep.equal(idsOf(stored));
      expect(
        won.reduce((sum, { conflicts }) => sum + conflicts, 0),
        'writers did collide',
      ).to.be.above(0);
    });
  });
}

interface Contended {
  readonly revisions: [revision: number, id: string][];
  readonly conflicts: number;
}

/**
 * Appends one event at a time until `wins` of them succeeded. After a conflict it uses the revision that the conflict
 * reports.
 */
async function contend({ log }: OpenedLog, stream: string, wins: number): Promise<Contended> {
  const revisions: Contended['revisions'] = [];
  let conflicts = 0;
  let last = -1;
  while (revisions.length < wins) {
    const event = newEvent();
    const outcome = await appendOne(log, stream, [event], last < 0 ? 'no-stream' : last);
    if (outcome.outcome === 'appended') revisions.push([outcome.revision, event.id]);
    else conflicts += 1;
    last = outcome.outcome === 'appended' ? outcome.revision : outcome.actual;
  }
  return { revisions, conflicts };
}
