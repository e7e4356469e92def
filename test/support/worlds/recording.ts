/**
 * The complete path of a pushed timeline without a server: it is checked, decided, encrypted and folded. The result is
 * the row that readers see.
 */
import { pushedFrom } from '../../../src/commands/trackings/pushed.js';
import { trackings } from '../../../src/commands/trackings/decider.js';
import { encode, type KeyRing } from '../../../src/events/core/codec.js';
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
  const number = identifiersOf(subject)[0]!;
  const id = trackingId(OWNER, number, 0);
  const pushed = events.map((event) => pushedFrom(event, { id: OWNER.id, kind: 'carrier' }));
  const opening = { owner: OWNER, number, generation: 0, profile: PROFILE };
  const open = trackings.decide(trackings.initial(), { kind: 'open', id, subject, opening, writers: [] }).facts;
  const state = open.reduce(
    (before, fact) => trackings.evolve(before, { type: fact.type.type, id: fact.id, data: fact.data as JsonObject }),
    trackings.initial(),
  );
  const { facts, reply } = trackings.decide(state, { kind: 'push', id, provider: OWNER.id, subject, pushed });
  const refused = reply.filter(({ outcome }) => outcome !== 'accepted');
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
  const metadata = { recorded_at: '2026-07-01T00:00:00.000Z' };
  const encoded = await encode(
    [...open, ...facts].map((fact) => ({ fact, metadata })),
    keyRing,
  );
  return trackingOf(
    encoded.map((event, revision) => ({
      ...event,
      data: JSON.parse(event.json) as JsonObject,
      stream: trackingStream(id),
      revision,
      position: String(revision),
    })),
  );
}
