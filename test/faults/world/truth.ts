/** Conditions that must hold after a fault, checked on the log, the read models and the messages in Kafka. */
import { expect } from 'chai';
import type { EventLog, StoredEvent } from '../../../src/events/core/log.js';
import type { TopicReader } from '../../support/clients/kafka-client.js';
import { eventually } from '../../support/eventually.js';

/** All events, in the order of the log. */
export async function readAll(log: EventLog): Promise<StoredEvent[]> {
  const head = await log.head();
  const events: StoredEvent[] = [];
  const stop = new AbortController();
  if (head !== '') {
    for await (const batch of log.subscribe('', { batch: 1_000, signal: stop.signal })) {
      events.push(...batch.events);
      if (batch.position >= head) stop.abort();
    }
  }
  return events;
}

/** Every acknowledged scan is there, and no scan is there twice. */
export function expectAllOnce(events: readonly StoredEvent[], acknowledged: ReadonlySet<string>): void {
  const counts = new Map<string, number>();
  for (const { type, data } of events) {
    if (type === 'TrackingEventRecorded')
      counts.set(data['event_id'] as string, (counts.get(data['event_id'] as string) ?? 0) + 1);
  }
  expect(
    [...counts].filter(([, count]) => count > 1),
    'stored twice',
  ).to.deep.equal([]);
  expect(
    [...acknowledged].filter((id) => !counts.has(id)),
    'lost',
  ).to.deep.equal([]);
}

/** Every event of the log was sent at least once. The first appearances of a stream's events are in its order. */
export async function expectAllRelayed(events: readonly StoredEvent[], inbox: TopicReader): Promise<void> {
  const missing = () => {
    const seen = new Set(inbox.messages.map(({ text }) => (JSON.parse(text!) as { id: string }).id));
    return events.filter(({ id }) => !seen.has(id));
  };
  const named = () => missing().map(({ stream, revision }) => `${stream}@${revision}`);
  await eventually(
    () => missing().length === 0,
    () => `not relayed: ${named().join()}`,
    { every: 200 },
  );
  const last = new Map<string, number>();
  const seen = new Set<string>();
  for (const { text } of inbox.messages) {
    const { id, subject, revision } = JSON.parse(text!) as { id: string; subject: string; revision: number };
    if (seen.has(id)) continue;
    seen.add(id);
    expect(revision, subject).to.equal((last.get(subject) ?? -1) + 1);
    last.set(subject, revision);
  }
}
