import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Batch, EncodedEvent, Position, StoredEvent, StreamAppend } from '../../../../src/events/core/log.js';
import { appendSurely, eventsOf, follow, newArea, newEvent, type OpenedLog } from './opened.js';

const WRITERS = 16;
const READERS = [{ batch: 1 }, { batch: 7, work: 1 }, { batch: 500 }];

/**
 * Every acknowledged event with its place. Stores assign log positions before the events become visible. So a reader
 * that trusts the highest position it saw skips events that commit later. A reader that reconnects can also skip or
 * repeat events at that point.
 */
type Oracle = Map<string, { readonly stream: string; readonly revision: number; readonly event: EncodedEvent }>;

/**
 * Appends to its own stream with pauses, and sometimes to a second stream in the same call. A failed append is retried
 * with the same ids.
 */
async function write(
  { log, disturb }: OpenedLog,
  oracle: Oracle,
  area: string,
  writer: number,
  appends: number,
): Promise<void> {
  const last = new Map<string, number>();
  for (let n = 0; n < appends; n += 1) {
    await sleep(Math.random() * 6);
    if (disturb && Math.random() < 0.1) await disturb();
    const streams = [`${area}-${writer}`, ...(Math.random() < 0.3 ? [`${area}-second-${writer}`] : [])];
    const bulk = streams.map((stream): StreamAppend => {
      const events = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => newEvent({ writer, n }));
      return { stream, events, expected: last.get(stream) ?? 'no-stream' };
    });
    const outcomes = await appendSurely(log, bulk);
    bulk.forEach(({ stream, events }, index) => {
      const outcome = outcomes[index];
      if (outcome?.outcome !== 'appended') throw new Error(`The only writer of ${stream} met a conflict.`);
      last.set(stream, outcome.revision);
      events.forEach((event, n) =>
        oracle.set(event.id, { stream, event, revision: outcome.revision - events.length + 1 + n }),
      );
    });
  }
}

function expectEachOnce(events: readonly StoredEvent[], oracle: Oracle, reader: string): void {
  const seen = new Set(events.map((event) => event.id));
  const lost = [...oracle.keys()].filter((id) => !seen.has(id));
  const strangers = [...seen].filter((id) => !oracle.has(id));
  expect({ lost: lost.length, twice: events.length - seen.size, strangers: strangers.length }, reader).to.deep.equal({
    lost: 0,
    twice: 0,
    strangers: 0,
  });
  expect(
    events.map((event) => event.position),
    `${reader}: log order`,
  ).to.deep.equal(events.map((event) => event.position).sort());
  const next = new Map<string, number>();
  for (const { id, stream, revision, data } of events) {
    const recorded = oracle.get(id);
    expect({ stream, revision, data }, reader).to.deep.equal({
      stream: recorded?.stream,
      revision: recorded?.revision,
      data: JSON.parse(recorded?.event.json ?? 'null') as unknown,
    });
    expect(revision, `${reader}: order of ${stream}`).to.equal(next.get(stream) ?? 0);
    next.set(stream, revision + 1);
  }
}

/**
 * Runs 16 writers and three readers at once, while `meanwhile` disturbs them. Every reader must see each acknowledged
 * event once.
 */
export async function expectNoneLostNoneTwice(
  opened: OpenedLog,
  appends: number,
  meanwhile: (finished: () => boolean) => Promise<void> = async () => undefined,
): Promise<void> {
  const area = newArea();
  const oracle: Oracle = new Map();
  let end: Position | undefined = undefined;
  const from = await opened.log.head();
  const atEnd = (batch: Batch): boolean => end !== undefined && batch.position >= end;
  const readers = READERS.map((reader) => follow(opened.log, { from, prefixes: [`${area}-`], ...reader }, atEnd));
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => write(opened, oracle, area, writer, appends)),
  ).finally(() => (writing = false));
  await Promise.all([writers, meanwhile(() => !writing)]);
  end = await opened.log.head();
  // A reader that is already waiting at the end checks again only when its position moves.
  await appendSurely(opened.log, [{ stream: `${area}end`, events: [newEvent()], expected: 'no-stream' }]);
  for (const [n, batches] of (await Promise.all(readers)).entries())
    expectEachOnce(eventsOf(batches), oracle, `reader ${n}`);
  const again = await follow(opened.log, { from, prefixes: [`${area}-`], batch: 100 }, atEnd);
  expectEachOnce(eventsOf(again), oracle, 'a reader afterwards');
}

export function readerContract(opened: () => OpenedLog): void {
  describe('readers next to 16 writers', () => {
    it('get each committed event once', () => expectNoneLostNoneTwice(opened(), 25));
  });
}
