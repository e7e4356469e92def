/** EPCIS ingest against native ingest of the same events: documents with 100 events of ten parcels. */
import { readTimeline } from '../src/events/otep/check/envelope.js';
import { journeyOf } from '../src/events/otep/identity.js';
import { instantAt } from '../src/events/otep/time.js';
import { deriveTimeline } from '../src/events/otep/timeline.js';
import { scanOf } from '../src/events/otep/check/event.js';
import { derivedEventId } from '../src/events/otep/identity.js';
import { writeEvents } from '../src/serializers/epcis/write.js';
import { nextNumber, timelineOf } from './documents.js';
import { createClient, inParallel } from './http.js';
import { addProvider, type Subject } from './main-path.js';
import { median, seconds, startService, waitUntilIdle, type Databases } from './support.js';
import { count, type Line } from './table.js';

const CONNECTIONS = 16;

export interface EpcisOptions {
  readonly rounds: number;
  readonly requests: number;
}

/**
 * Rounds alternate between native timelines, this service's EPCIS output of them, and the same events in the form of a
 * foreign repository.
 */
export async function measureEpcis(databases: Databases, { rounds, requests }: EpcisOptions): Promise<Line[]> {
  const databaseUrl = await databases.fresh('epcis');
  const service = await startService(databaseUrl);
  const key = await addProvider(databaseUrl);
  const subject = { service, key };
  const many = Math.max(50, Math.round(requests / 2));
  const kinds = { native: () => native(), own: () => epcis(false), foreign: () => epcis(true) };
  const figures: Record<keyof typeof kinds, number[]> = { native: [], own: [], foreign: [] };
  for (let round = -1; round < rounds; round++) {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const rate = await measure(
        subject,
        kind === 'native' ? '/api/v1/otep/ingest' : '/api/v1/otep/ingest/epcis',
        Array.from({ length: many }, kinds[kind]),
      );
      if (round >= 0) figures[kind].push(rate);
      await waitUntilIdle(databaseUrl);
    }
  }
  await service.stop();
  const line = (name: string, kind: 'own' | 'foreign'): Line => ({
    name,
    value: `${count(median(figures[kind]))} events/s`,
    ratio: median(figures[kind]) / median(figures.native),
    reference: `${count(median(figures.native))}/s native ingest`,
    goal: '0.5',
  });
  return [line('EPCIS ingest of foreign events', 'foreign'), line("EPCIS ingest of this service's output", 'own')];
}

async function measure(
  { service, key }: Pick<Subject, 'service' | 'key'>,
  path: string,
  bodies: readonly Buffer[],
): Promise<number> {
  const client = createClient(service.url, CONNECTIONS, key);
  const took = await seconds(() =>
    inParallel(bodies, CONNECTIONS, async (body) => {
      const answer = await client.send('POST', path, { body });
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString().slice(0, 300)}`);
    }),
  );
  client.close();
  return (bodies.length * 100) / took;
}

const timelines = (): Record<string, unknown>[] => Array.from({ length: 10 }, () => timelineOf(nextNumber(), 10));
const native = (): Buffer => Buffer.from(JSON.stringify({ timelines: timelines() }));

function epcis(foreign: boolean): Buffer {
  const eventList = timelines()
    .flatMap((timeline) => writeEvents(journey(timeline)) as unknown as Record<string, unknown>[])
    .map((event) => (foreign ? plain(event) : event));
  return Buffer.from(
    JSON.stringify({
      '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', { otep: 'urn:otep:epcis:' }],
      type: 'EPCISDocument',
      schemaVersion: '2.0',
      creationDate: '2026-11-01T00:00:00Z',
      epcisBody: { eventList },
    }),
  );
}

/** Removes the OTEP extension, as in the events of any other repository. */
const plain = (event: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(event).filter(([name]) => !name.startsWith('otep:')));

function journey(document: Record<string, unknown>) {
  const now = instantAt(Date.now());
  const { subject, events } = readTimeline(document, { path: '', now });
  const scans = events.map(({ event }) =>
    scanOf(event as never, { eventId: derivedEventId('demo-carrier', event!.instant, event!.statusCode!) }),
  );
  return journeyOf(deriveTimeline(subject!, scans, now));
}
