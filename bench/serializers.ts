/** (d) Formats: a timeline's serializer plus JSON.stringify of its result, against that JSON.stringify alone. */
import { derivedId } from '../src/events/otep/identity.js';
import type { Journey } from '../src/events/otep/model.js';
import { instantAt, instantOf } from '../src/events/otep/time.js';
import { deriveTimeline, type Scan } from '../src/events/otep/timeline.js';
import { FORMATS } from '../src/serializers/index.js';
import { timelineOf } from './documents.js';
import { median } from './support.js';
import { count, type Line } from './table.js';

const EVENTS = 20;
const CONTEXT = { baseUrl: 'https://tms.example' };
/** Duration of one side of a round, in milliseconds. */
const SLICE = 40;
/** Timelines between two checks of the clock. */
const BATCH = 16;

export interface SerializersOptions {
  readonly rounds: number;
}

/** Returns timelines per second of every format, and the share of time that JSON.stringify takes. */
export function measureSerializers({ rounds }: SerializersOptions): Promise<Line[]> {
  const journeys = Array.from({ length: BATCH }, (_, index) => richJourney(`BN${index}`));
  const sides = FORMATS.map(({ name, serialize }) => {
    const values = journeys.map((journey) => serialize(journey, CONTEXT));
    return {
      name,
      whole: () => journeys.map((journey) => JSON.stringify(serialize(journey, CONTEXT))),
      alone: () => values.map((value) => JSON.stringify(value)),
      rates: [] as number[],
      ratios: [] as number[],
    };
  });
  for (const side of sides) [side.whole, side.alone].forEach(rate);
  for (let round = 0; round < rounds; round++) {
    for (const { whole, alone, rates, ratios } of sides) {
      const both = rate(whole);
      rates.push(both);
      ratios.push(both / rate(alone));
    }
  }
  return Promise.resolve(
    sides.map(({ name, rates, ratios }) => ({
      name,
      value: `${count(median(rates))} timelines/s (${EVENTS} events)`,
      ratio: median(ratios),
      reference: 'JSON.stringify of the result',
      goal: '0.25',
    })),
  );
}

function rate(work: () => unknown): number {
  const started = performance.now();
  let done = 0;
  for (; performance.now() - started < SLICE; done += BATCH) work();
  return (done / (performance.now() - started)) * 1_000;
}

/** A stored journey in its owner's view. */
function richJourney(number: string): Journey {
  const { subject, events } = timelineOf(number, EVENTS) as {
    subject: Journey['timeline']['subject'];
    events: (Scan['event'] & { occurred_at: string })[];
  };
  const scans = events.map((event, index) => ({
    instant: instantOf(event.occurred_at)!,
    event: {
      ...event,
      otep_version: '0.1',
      event_id: derivedId('bench', number, index),
      recorded_at: '2026-10-20T08:00:00.000Z',
    },
  }));
  const uuids = new Map(scans.map(({ event }) => [event.event_id, derivedId('stored', event.event_id)]));
  return {
    timeline: deriveTimeline({ order_id: '4711', ...subject }, scans, instantAt(Date.UTC(2026, 10, 1))),
    retracted: [],
    uuidOf: (event) => uuids.get(event.event_id)!,
    revision: EVENTS,
    carrier: 'demo-carrier',
  };
}
