import { expect } from 'chai';
import { START, type JsonObject } from '../../../../src/events/core/log.js';
import { contentOf } from '../../../support/worlds/logs.js';
import { appendOne, eventsOf, follow, idsOf, listed, newArea, newEvent, newEvents, type OpenedLog } from './opened.js';

/** Valid JSON that stores tend to change. */
const TRICKY: JsonObject = {
  'Grüße, 日本語, עברית, 👩‍👩‍👧': 'e\u0301 is not \u00e9',
  'a.b$c': '$set',
  empty: { string: '', list: [], object: {}, null: null },
  numbers: [0, -1, 0.1, 1e21, 1e-7, 9007199254740991, 123456789.12345679],
  text: 'line\nbreak\ttab "quote" \\slash\\ \u2028 \u0001 </script>',
  order: { z: 1, a: 2, m: 3 },
};

export function readContract(opened: () => OpenedLog): void {
  describe('read', () => {
    it('returns data, metadata, version, type and id unchanged', async () => {
      const { log } = opened();
      const stream = `${newArea()}-Straße 1/ü`;
      const events = [
        newEvent(TRICKY, {
          metadata: { ...TRICKY, $causationId: 'c', actor: { user: 1 } },
          version: 7,
          type: 'GrößeGeändert',
        }),
        newEvent({}, { metadata: {}, version: 32767 }),
      ];
      await appendOne(log, stream, events, 'no-stream');
      const stored = await listed(log.read(stream));
      expect(contentOf(stored)).to.deep.equal(
        events.map(({ json: _json, ...event }, revision) => ({ ...event, stream, revision })),
      );
      expect(JSON.stringify(stored[0]?.data), 'also the order of the keys').to.equal(JSON.stringify(TRICKY));
      for (const { data, json } of [
        ...stored,
        ...eventsOf(await follow(log, { from: START, prefixes: [stream] }, (_, seen) => seen.length === 2)),
      ])
        if (json !== undefined) expect(JSON.parse(json)).to.deep.equal(data);
    });

    it('returns large documents', async () => {
      const { log } = opened();
      const stream = `${newArea()}-1`;
      const event = newEvent({ text: 'Grüße 👋 '.repeat(50_000), list: Array.from({ length: 5_000 }, (_, n) => n) });
      await appendOne(log, stream, [event], 'no-stream');
      expect((await listed(log.read(stream)))[0]?.data).to.deep.equal(event.data);
    });

    it('reads a long stream from any revision on, oldest first', async () => {
      const { log } = opened();
      const stream = `${newArea()}-1`;
      const events = newEvents(1_200);
      for (let n = 0; n < 1_200; n += 300)
        await appendOne(log, stream, events.slice(n, n + 300), n === 0 ? 'no-stream' : n - 1);
      expect(idsOf(await listed(log.read(stream)))).to.deep.equal(idsOf(events));
      expect(idsOf(await listed(log.read(stream, 1_100)))).to.deep.equal(idsOf(events.slice(1_100)));
      expect(await listed(log.read(stream, 1_200)), 'behind its end').to.deep.equal([]);
    });

    it('allows a reader to leave early', async () => {
      const { log } = opened();
      const stream = `${newArea()}-1`;
      await appendOne(log, stream, newEvents(500), 'no-stream');
      for await (const event of log.read(stream)) {
        if (event.revision === 3) break;
      }
      expect(await listed(log.read(stream, 499))).to.have.length(1);
    });

    it('finds nothing in a stream that does not exist', async () => {
      expect(await listed(opened().log.read(`${newArea()}-1`))).to.deep.equal([]);
    });

    it('reads single events at any place, in the requested order, and omits those that do not exist', async () => {
      const { log } = opened();
      const area = newArea();
      const events = newEvents(5);
      const others = newEvents(3);
      await log.append([
        { stream: `${area}-1`, events, expected: 'no-stream' },
        { stream: `${area}-2`, events: others, expected: 'no-stream' },
      ]);
      const at = (stream: number, revision: number) => ({ stream: `${area}-${stream}`, revision });
      const picked = await log.pick([at(1, 4), at(2, 0), at(2, 1), at(2, 9), at(3, 0), at(1, 0)]);
      expect(idsOf(picked)).to.deep.equal(idsOf([events[4]!, others[0]!, others[1]!, events[0]!]));
      expect(picked[0]).to.deep.equal((await listed(log.read(`${area}-1`, 4)))[0]);
      expect(await log.pick([])).to.deep.equal([]);
    });

    it('reads many streams at once, and omits those without events', async () => {
      const { log } = opened();
      const area = newArea();
      const appends = Array.from({ length: 40 }, (_, n) => ({
        stream: `${area}-${n}`,
        events: newEvents((n % 4) + 1),
        expected: 'no-stream' as const,
      }));
      await log.append(appends);
      const stored = await log.readMany([...appends.map((append) => append.stream), `${area}-none`]);
      expect([...stored.keys()].sort()).to.deep.equal(appends.map((append) => append.stream).sort());
      for (const { stream, events } of appends) expect(idsOf(stored.get(stream) ?? [])).to.deep.equal(idsOf(events));
      expect((await log.readMany([])).size).to.equal(0);
    });
  });

  describe('positions', () => {
    it('START is before every event', async () => {
      const outcome = await appendOne(opened().log, `${newArea()}-1`, newEvents(1), 'no-stream');
      expect(outcome.outcome === 'appended' && outcome.position > START).to.equal(true);
    });

    it('the head is at the last append, and grows', async () => {
      const { log } = opened();
      const area = newArea();
      for (let n = 0; n < 5; n += 1) {
        const outcome = await appendOne(log, `${area}-${n}`, newEvents(2), 'no-stream');
        expect(outcome.outcome === 'appended' && (await log.head()) >= outcome.position).to.equal(true);
      }
    });

    it('accepts its own positions, and rejects everything else', async () => {
      const { log } = opened();
      const outcome = await appendOne(log, `${newArea()}-1`, newEvents(1), 'no-stream');
      if (outcome.outcome !== 'appended') throw new Error('A new stream takes its first event.');
      expect(log.isPosition(outcome.position)).to.equal(true);
      expect(log.isPosition(await log.head())).to.equal(true);
      const { position } = outcome;
      const garbage = [
        'x',
        '-1',
        ' ',
        '1.5',
        `${position} `,
        ` ${position}`,
        `${position}\n`,
        `${position}0`,
        position.slice(1),
        '9'.repeat(60),
        "0'; drop table",
      ];
      for (const text of garbage) expect(log.isPosition(text), JSON.stringify(text)).to.equal(false);
    });
  });
}
