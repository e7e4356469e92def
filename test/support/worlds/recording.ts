/**
 * The complete path of a pushed timeline without a server: it is checked, decided, encrypted and folded. The result is
 * the row that readers see.
 */
import { pushedFrom } from '../../../src/commands/trackings/pushed.js';
import { trackings } from '../../../src/commands/trackings/decider.js';
import { addPersonalHashes } from '../../../src/commands/trackings/personal-hash.js';
import { encode, type Fact, type KeyRing } from '../../../src/events/core/codec.js';
import type { InputEvent } from '../../../src/events/otep/check/event.js';
import type { JsonObject } from '../../../src/events/core/log.js';
import { PROFILE, type Subject } from '../../../src/events/otep/model.js';
import { identifiersOf, trackingId, trackingStream } from '../../../src/events/trackings/events.js';
import { trackingOf } from '../../../src/projections/trackings/fold.js';
import type { TrackingRow } from '../../../src/projections/trackings/row.js';

const OWNER = { kind: 'provider', id: 'demo-carrier' } as const;

/** One key for all subjects; `existing` returns it as if no key had been destroyed. */
export const fixedKeys = (key = Buffer.alloc(32, 7)): KeyRing => {
  const all = (subjects: readonly string[]) => Promise.resolve(new Map(subjects.map((subject) => [subject, key])));
  return { keysFor: all, existing: all };
};

/** Throws if an event is rejected: the caller generates only valid events. */
export async function record(
  subject: Subject,
  events: readonly InputEvent[],
  keyRing: KeyRing = fixedKeys(),
): Promise<TrackingRow> {
  const { row, outcomes } = await recordPushes(subject, [events], { keyRing });
  const refused = outcomes.flat().filter((outcome) => outcome !== 'accepted');
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
  return row;
}

interface RecordOptions {
  readonly keyRing?: KeyRing;
  readonly provider?: string;
  /** Position in the log of the first event. */
  readonly from?: number;
  /** The subject of each push, if they differ. */
  readonly subjects?: readonly Subject[];
  /** Time at which each push is recorded. */
  readonly recordedAt?: (push: number) => string;
}

/** The row after several pushes of one parcel by one provider, and the outcome of each event. */
export async function recordPushes(
  subject: Subject,
  pushes: readonly (readonly InputEvent[])[],
  {
    keyRing = fixedKeys(),
    provider = OWNER.id,
    from = 0,
    recordedAt = () => '2026-07-01T00:00:00.000Z',
    subjects = [],
  }: RecordOptions = {},
): Promise<{ readonly row: TrackingRow; readonly outcomes: string[][] }> {
  const owner = { kind: 'provider', id: provider } as const;
  const number = identifiersOf(subject)[0]!;
  const id = trackingId(owner, number, 0);
  const opening = { owner, number, generation: 0, profile: PROFILE };
  let state = trackings.initial();
  const outcomes: string[][] = [];
  const occurrences: { fact: Fact; metadata: JsonObject }[] = [];
  const add = (facts: readonly Fact[], push: number) => {
    for (const fact of facts) {
      // As in the log: data without undefined members.
      const data = JSON.parse(JSON.stringify(fact.data)) as JsonObject;
      state = trackings.evolve(state, { type: fact.type.type, id: fact.id, data });
      occurrences.push({ fact, metadata: { recorded_at: recordedAt(push) } });
    }
  };
  add(trackings.decide(state, { kind: 'open', id, subject, opening, writers: [] }).facts, 0);
  for (const [push, events] of pushes.entries()) {
    const pushed = events.map((event) => pushedFrom(event, { id: provider, kind: 'carrier' }));
    await addPersonalHashes(id, pushed, (subjects) => keyRing.keysFor(subjects));
    const { facts, reply } = trackings.decide(state, {
      kind: 'push',
      id,
      provider,
      subject: subjects[push] ?? subject,
      pushed,
    });
    outcomes.push(reply.map((one) => ('code' in one ? one.code : one.outcome)));
    add(facts, push);
  }
  const encoded = await encode(occurrences, keyRing);
  const row = trackingOf(
    encoded.map((event, revision) => ({
      ...event,
      data: JSON.parse(event.json) as JsonObject,
      stream: trackingStream(id),
      revision,
      position: String(from + revision).padStart(10, '0'),
    })),
  );
  return { row, outcomes };
}
