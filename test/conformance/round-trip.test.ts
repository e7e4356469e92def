/** A timeline that is exported as EPCIS and pushed to a new tracking is the same timeline in the owner's view (B2). */
import { expect } from 'chai';
import fc from 'fast-check';
import { readEvent, type InputEvent } from '../../src/events/otep/check/event.js';
import { PROFILE, type Journey, type Subject, type TimelineEvent } from '../../src/events/otep/model.js';
import { journeyOfRow } from '../../src/projections/trackings/journeys.js';
import { epcis } from '../../src/serializers/epcis.js';
import { readEpcis } from '../../src/serializers/epcis/read.js';
import { otep } from '../../src/serializers/otep.js';
import { fixedKeys, record } from '../support/worlds/recording.js';
import { journey, NOW } from '../support/inputs/timelines.js';
import { runs } from '../support/depth.js';

const CONTEXT = { baseUrl: 'https://tms.example' };

type Json = Record<string, unknown>;
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The native document without the times that the service sets: when it recorded an event and its retraction. */
function comparableJson(of: Journey): Json {
  const { retracted = [], ...timeline } = plain(otep.serialize(of, CONTEXT)) as {
    retracted?: { event: Json }[];
    events: Json[];
  };
  const unstamped = ({ recorded_at: _recorded, ...event }: Json) => event;
  const byId = (a: Json, b: Json) => String(a['event_id']).localeCompare(String(b['event_id']));
  return {
    ...timeline,
    events: timeline.events.map(unstamped),
    retracted: retracted.map(({ event }) => unstamped(event)).sort(byId),
  };
}

function eventsIn(document: unknown, subject: Subject): readonly InputEvent[] {
  const reading = readEpcis(document);
  if (!reading.valid) throw new Error(JSON.stringify(reading.errors));
  return reading.events.map((event) => {
    if (!event.valid) throw new Error(JSON.stringify(event.errors));
    expect(event.subjects).to.deep.equal([subject]);
    return checked(event.event);
  });
}

/** The events that a carrier would have pushed for a generated journey: its scans, then its retractions. */
function pushOf({ timeline, retracted }: Journey): InputEvent[] {
  const scans = [...timeline.events, ...retracted.map(({ event }) => event)].map(
    ({ recorded_at: _ours, anomaly: _derived, ...event }) => event,
  );
  const declarations = retracted.map(({ event, retracted_at }) => ({
    retracts: event.event_id,
    occurred_at: retracted_at,
  }));
  return [...scans, ...declarations].map(checked);
}

function checked(event: unknown): InputEvent {
  const read = readEvent(plain(event), { path: '', now: NOW, profile: PROFILE });
  if (!read.event) throw new Error(JSON.stringify(read.errors));
  return read.event;
}

/** The owner's view of a new tracking after the events were pushed to it. */
async function ownersView(subject: Subject, events: readonly InputEvent[]): Promise<Journey> {
  const row = await record(subject, events);
  return journeyOfRow(row, { kind: 'full', keys: await fixedKeys().existing([row.id]) }, NOW);
}

describe('round trip: otep → epcis → otep', () => {
  it('keeps when the service recorded each event (formats F14), for 300 generated journeys', () => {
    fc.assert(
      fc.property(journey(), ({ timeline: given, ...any }) => {
        const recorded = ({ recorded_at }: { readonly recorded_at?: string | undefined }) => recorded_at;
        const timeline = { ...given, events: given.events.map((event, index) => withForeign(event, index)) };
        const reading = readEpcis(plain(epcis.serialize({ ...any, timeline, retracted: [] }, CONTEXT)));
        if (!reading.valid) throw new Error(JSON.stringify(reading.errors));
        expect(reading.events.map((one) => one.valid && one.recordedAt)).to.deep.equal(timeline.events.map(recorded));
      }),
      { numRuns: runs(300) },
    );
  });
});

/** Every second event comes from another system, which recorded it at another time. */
const withForeign = (event: TimelineEvent, index: number): TimelineEvent =>
  index % 2 === 0
    ? event
    : {
        ...event,
        'x-epcis': { type: 'ObjectEvent', recordTime: '2020-01-01T00:00:00Z', action: 'OBSERVE', bizStep: 'arriving' },
      };

describe('round trip: otep → epcis → ingest → otep', () => {
  it('gives an equal timeline in the view of the owner, for 300 generated journeys', async () => {
    await fc.assert(
      fc.asyncProperty(journey(), async (any) => {
        const first = await ownersView(any.timeline.subject, pushOf(any));
        const again = await ownersView(
          first.timeline.subject,
          eventsIn(plain(epcis.serialize(first, CONTEXT)), first.timeline.subject),
        );
        expect(comparableJson(again)).to.deep.equal(comparableJson(first));
        expect(comparableJson(first)['events']).to.have.length(any.timeline.events.length);
        expect(comparableJson(first)['retracted']).to.have.length(any.retracted.length);
      }),
      { numRuns: runs(300) },
    );
  });
});
