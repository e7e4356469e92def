/** Hand-written journeys for tests of single aspects. */
import { derivedId, journeyOf } from '../../../src/events/otep/identity.js';
import { OTEP_VERSION, type Journey, type Subject, type TimelineEvent } from '../../../src/events/otep/model.js';
import { instantOf } from '../../../src/events/otep/time.js';
import { deriveTimeline, type Scan } from '../../../src/events/otep/timeline.js';
import { NOW } from './timelines.js';

export type Given = { readonly status_code: string } & Partial<TimelineEvent>;

/** Scans in the order given, an hour apart from 2026-01-02T08:00:00Z on, recorded at noon of the next day. */
const scanOf = (given: Given, index: number): Scan => {
  const event = {
    otep_version: OTEP_VERSION,
    event_id: `scan-${index}`,
    recorded_at: '2026-01-03T12:00:00.000Z',
    occurred_at: `2026-01-02T${String(8 + index).padStart(2, '0')}:00:00Z`,
    ...given,
  };
  return { instant: instantOf(event.occurred_at)!, event };
};

/** `retracted`: scans that were retracted an hour after they were recorded. */
export function journeyWith(
  events: readonly Given[],
  subject: Partial<Subject> = {},
  retracted: readonly Given[] = [],
): Journey {
  const about = { tracking_number: 'JD014600001', ...subject };
  const taken = retracted.map((given, index) => ({
    event: deriveTimeline(about, [scanOf(given, events.length + index)], NOW).events[0]!,
    retracted_at: '2026-01-03T13:00:00.000Z',
  }));
  const journey = journeyOf(deriveTimeline(about, events.map(scanOf), NOW), taken);
  return {
    ...journey,
    uuidOf: (event) => derivedId('test', event.event_id),
    revision: events.length,
    carrier: 'demo-carrier',
  };
}

/** Copies a journey to new objects: the output of a serializer must not depend on object identity. */
export const copyOf = (journey: Journey): Journey => ({
  ...journey,
  timeline: structuredClone(journey.timeline),
  retracted: structuredClone(journey.retracted),
});
