/** The schema of a stored event type does not change without a higher version. */
import { expect } from 'chai';
import { z } from 'zod';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { eventType, personal, type EventType } from '../../../src/events/core/event-types.js';
import {
  fingerprintsOf,
  FINGERPRINTS_FILE,
  compareFingerprints,
  readFingerprints,
} from '../../support/checks/event-fingerprints.js';

const upcast = { 1: <T>(data: T) => data };
/** The fingerprint of the event type `OrderHeld` with this schema. */
const held = (schema: z.ZodObject, version = 1) =>
  fingerprintsOf([eventType('OrderHeld', schema, { version, upcast }) as unknown as EventType]);
const BEFORE = z.object({ order_id: z.int(), reason: z.enum(['late', 'lost']) });
const refused = (now: z.ZodObject, version = 1, before: z.ZodObject = BEFORE) =>
  compareFingerprints(held(before), held(now, version)).refused;

describe('schemas of stored event types', () => {
  it(`are recorded in ${FINGERPRINTS_FILE}`, () => {
    const { unrecorded, refused } = compareFingerprints(readFingerprints(), fingerprintsOf(EVENT_TYPES.values()));
    expect(refused, refused.join('\n')).to.deep.equal([]);
    expect(unrecorded, `run npm run fingerprints and commit ${FINGERPRINTS_FILE}`).to.deep.equal([]);
  });

  it('stay the same if members, values or descriptions are only written differently', () => {
    const same = z.object({ reason: z.enum(['lost', 'late']), order_id: z.int().describe('Of the order.') });
    expect(refused(same)).to.deep.equal([]);
  });

  for (const [change, now, shown] of [
    ['an optional member', BEFORE.extend({ note: z.string().optional() }), 'note? added'],
    ['a removed member', BEFORE.omit({ reason: true }), 'reason removed'],
    ['another kind of member', BEFORE.extend({ order_id: z.string() }), 'order_id: "integer" -> "string"'],
    ['an additional value', BEFORE.extend({ reason: z.enum(['late', 'lost', 'cold']) }), '"cold'],
    ['a shorter text', BEFORE.extend({ reason: z.string().max(9) }), 'maxLength: 9'],
    ['a member that became personal', BEFORE.extend({ reason: personal(z.enum(['late', 'lost'])) }), 'personal added'],
    ['a list instead of a single value', BEFORE.extend({ order_id: z.array(z.int()) }), 'integer[]'],
  ] as const)
    it(`reject ${change} under the same version`, () => {
      const [sentence, ...others] = refused(now);
      expect(others).to.deep.equal([]);
      expect(sentence)
        .to.match(/^src\/events\/orders\/events\.ts:\d+: the schema of OrderHeld changed/)
        .and.include(shown)
        .and.include('{ version: 2, upcast: { ..., 1: (data) => data } }')
        .and.include('npm run fingerprints');
      expect(refused(now, 2), 'with a raised version').to.deep.equal([]);
      expect(compareFingerprints(held(BEFORE), held(now, 2)).unrecorded).to.deep.equal(['OrderHeld']);
    });

  it('show changes inside members and lists', () => {
    const inside = (member: z.ZodType) =>
      z.object({ stops: z.array(z.object({ at: z.object({ city: member }) })), kinds: z.record(z.string(), member) });
    const [sentence] = refused(inside(z.int()), 1, inside(z.string()));
    expect(sentence).to.include('stops.[].at.city: "string" -> "integer"').and.include('kinds.[string]:');
  });

  it('reject removed types and lower versions', () => {
    expect(compareFingerprints(held(BEFORE), {}).refused[0]).to.include('restore the type');
    expect(compareFingerprints(held(BEFORE, 2), held(BEFORE)).refused[0]).to.include('Restore version 2');
  });
});
