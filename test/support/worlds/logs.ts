/** Logs with generated events. */
import { leafHashOf } from '../../../src/events/tree/leaf.js';
import type { EventLog, EncodedEvent, StoredEvent } from '../../../src/events/core/log.js';
import { MerkleTree } from '../../../src/events/tree/merkle.js';
import { wholeLog } from '../../../src/engines/transfer.js';

/** Texts that often cause encoding errors. */
const TEXTS = ['plain', 'ü€😀', '\u2028"\\/', '', '\ud7ff\u{10ffff}'];

const eventOf = (n: number): EncodedEvent => ({
  id: crypto.randomUUID(),
  type: `Type${n % 3}`,
  version: 1 + (n % 2),
  json: JSON.stringify({
    n,
    text: TEXTS[n % TEXTS.length]!,
    nested: { z: [1.5, -1e-9, 1e21, null, true], a: {} },
    ...(n % 4 === 0 && { $sealed: { subject: `s${n}`, box: 'AAAA' } }),
  }),
  metadata: {
    $correlationId: crypto.randomUUID(),
    recorded_at: new Date(1_767_600_000_000 + n).toISOString(),
    actor: { kind: 'provider', id: 'demo' },
  },
});

/** Appends `count` events, one to three at a time, to `streams` streams in mixed order. */
export async function fillLog(log: EventLog, count: number, streams: number, from = 0): Promise<void> {
  const revisions = new Map<string, number>();
  for (let n = from; n < from + count;) {
    const stream = `area${n % 2}-${(n * n) % streams}`;
    const events = Array.from({ length: Math.min(1 + (n % 3), from + count - n) }, (_, at) => eventOf(n + at));
    const last = revisions.get(stream) ?? (await lastRevision(log, stream));
    const [outcome] = await log.append([{ stream, events, expected: last < 0 ? 'no-stream' : last }]);
    if (outcome?.outcome !== 'appended') throw new Error(`${stream} was not at ${last}`);
    revisions.set(stream, outcome.revision);
    n += events.length;
  }
}

async function lastRevision(log: EventLog, stream: string): Promise<number> {
  let last = -1;
  for await (const { revision } of log.read(stream)) last = revision;
  return last;
}

export async function eventsOf(log: EventLog): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of wholeLog(log, new AbortController().signal)) events.push(event);
  return events;
}

/** Returns all members except the position. */
export const contentOf = (events: readonly StoredEvent[]): Omit<StoredEvent, 'position' | 'json'>[] =>
  events.map(({ stream, revision, id, type, version, data, metadata }) => ({
    stream,
    revision,
    id,
    type,
    version,
    data,
    metadata,
  }));

/** Returns the Merkle root in hexadecimal. */
export function rootOf(events: readonly StoredEvent[]): string {
  const tree = new MerkleTree();
  for (const event of events) tree.append(leafHashOf(event));
  return tree.root().toString('hex');
}
