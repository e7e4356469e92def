import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import {
  decode,
  encode,
  eventTypes,
  sealedOf,
  unseal,
  type Fact,
  type KeyRing,
} from '../../../src/events/core/codec.js';
import { eventType, personal, WrittenByNewerVersion } from '../../../src/events/core/event-types.js';
import type { JsonObject, EncodedEvent, StoredEvent } from '../../../src/events/core/log.js';
import { TrackingEventRecorded } from '../../../src/events/trackings/events.js';
import { runs } from '../../support/depth.js';

const KEY = randomBytes(32);
const keyRing: KeyRing = {
  keysFor: (subjects) =>
    Promise.resolve(new Map(subjects.filter((subject) => subject !== 'erased').map((subject) => [subject, KEY]))),
  existing: () => Promise.resolve(new Map()),
};
const keys = new Map([['p1', KEY]]);

const ExampleEvent = eventType(
  'Told',
  z.object({
    what: z.string(),
    name: personal(z.string()),
    place: z
      .object({
        city: z.string(),
        house: personal(z.string()),
        owner: z.object({ phone: personal(z.string()) }).optional(),
      })
      .optional(),
  }),
);
const value = { what: 'x', name: 'Petra', place: { city: 'Hamburg', house: '7', owner: { phone: '0170' } } };
const metadata = { recorded_at: '2026-07-01T00:00:00.000Z' };
const encodeAll = (facts: readonly Fact[], ring = keyRing): Promise<EncodedEvent[]> =>
  encode(
    facts.map((fact) => ({ fact, metadata })),
    ring,
  );
/** The JSON that the log stores. */
const encodeOne = async (
  data: object,
  { subject = 'p1', id = 'e1', type = ExampleEvent as never } = {},
): Promise<JsonObject> => JSON.parse((await encodeAll([{ id, type, data, subject }]))[0]!.json) as JsonObject;

describe('event codec', () => {
  it('encrypts personal data, and stores the rest as plaintext', async () => {
    const stored = await encodeOne(value);
    expect(JSON.stringify(stored)).to.not.match(/Petra|0170|"7"/);
    const { $sealed: box, ...open } = stored;
    expect(open).to.deep.equal({ what: 'x', place: { city: 'Hamburg', owner: {} } });
    expect(box).to.have.keys('subject', 'box');
    expect(unseal(stored, 'e1', keys)).to.deep.equal(value);
  });

  it('decodes every scan unchanged', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const scans = fc.record(
      {
        event_id: text,
        provider: text,
        status_code: text,
        description: text,
        location: fc.record(
          {
            city: text,
            name: text,
            latitude: fc.double({ noNaN: true, min: -90, max: 90 }),
            longitude: fc.constant(1),
            exact: fc.record({ latitude: fc.constant(1.2345), longitude: fc.constant(2) }),
          },
          { requiredKeys: [] },
        ),
        source: fc.record({ type: text, name: text, public_name: text }, { requiredKeys: [] }),
        proof: fc.record({ kind: text, url: text }),
        extensions: fc.dictionary(
          text.map((name) => `x-${name}`),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: ['event_id'] },
    );
    await fc.assert(
      fc.asyncProperty(scans, async (scan) => {
        const stored = await encodeOne(scan, { type: TrackingEventRecorded as never });
        for (const secret of [scan.description, scan.proof?.url])
          if (secret !== undefined && secret.length > 8)
            expect(JSON.stringify(stored)).to.not.contain(JSON.stringify(secret));
        expect(unseal(stored, 'e1', keys)).to.deep.equal(JSON.parse(JSON.stringify(scan)));
      }),
      { numRuns: runs(200) },
    );
  });

  it('encrypts with a new nonce each time', async () => {
    const boxes = await Promise.all(Array.from({ length: 1_500 }, async () => sealedOf(await encodeOne(value))!.box));
    expect(new Set(boxes.map((box) => box.slice(0, 16))).size, 'nonces').to.equal(1_500);
  });

  it('encrypts nothing and requests no key without personal data', async () => {
    const [event] = await encodeAll([{ id: 'e1', type: ExampleEvent as never, data: { what: 'x' } }], {
      ...keyRing,
      keysFor: () => Promise.reject(new Error('asked')),
    });
    expect(event).to.deep.equal({ id: 'e1', type: 'Told', version: 1, json: '{"what":"x"}', metadata });
  });

  it('encrypts all data of an event that is personal as a whole', async () => {
    const stored = await encodeOne({ name: 'Petra' });
    expect(stored).to.have.keys('$sealed');
    expect(unseal(stored, 'e1', keys)).to.deep.equal({ name: 'Petra' });
  });

  it('rejects personal data without a subject', async () => {
    const failure = await encodeAll([{ id: 'e1', type: ExampleEvent as never, data: value }]).catch(
      (error: Error) => error.message,
    );
    expect(failure).to.contain('names no subject');
  });

  it('requests the keys of all subjects at once', async () => {
    const requestedSubjects: (readonly string[])[] = [];
    await encodeAll(
      ['p1', 'p2', 'p1'].map((subject, index) => ({
        id: `e${index}`,
        type: ExampleEvent as never,
        data: value,
        subject,
      })),
      {
        ...keyRing,
        keysFor: (subjects) => {
          requestedSubjects.push(subjects);
          return keyRing.keysFor(subjects);
        },
      },
    );
    expect(requestedSubjects).to.deep.equal([['p1', 'p2']]);
  });

  it('does not change its input', async () => {
    const given = structuredClone(value);
    await encodeOne(given);
    expect(given).to.deep.equal(value);
  });

  it('returns only the plaintext part without the key, and stores no personal data then', async () => {
    expect(unseal(await encodeOne(value), 'e1', new Map())).to.deep.equal({
      what: 'x',
      place: { city: 'Hamburg', owner: {} },
    });
    const later = await encodeOne(value, { subject: 'erased' });
    expect(later).to.deep.equal({ what: 'x', place: { city: 'Hamburg', owner: {} } });
  });

  it('rejects ciphertext that was changed, moved to another event, or encrypted with another key', async () => {
    const stored = await encodeOne(value);
    const { subject, box } = sealedOf(stored)!;
    const bytes = Buffer.from(box, 'base64url');
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(
        () => unseal({ ...stored, $sealed: { subject, box: changed.toString('base64url') } }, 'e1', keys),
        `byte ${at}`,
      ).to.throw();
    }
    expect(() => unseal(stored, 'e2', keys)).to.throw();
    expect(() => unseal(stored, 'e1', new Map([['p1', randomBytes(32)]]))).to.throw();
    for (const cut of [0, 5, 27])
      expect(
        () =>
          unseal({ ...stored, $sealed: { subject, box: bytes.subarray(0, cut).toString('base64url') } }, 'e1', keys),
        `cut at ${cut}`,
      ).to.throw();
  });
});

describe('versions of events', () => {
  const Old = eventType('Changed', z.object({ b: z.string() }), {
    version: 3,
    upcast: { 1: ({ a, ...rest }) => ({ ...rest, b: a! }), 2: (data) => ({ ...data, b: `${String(data['b'])}!` }) },
  });
  const types = eventTypes([Old as never]);
  const stored = (version: number, data: JsonObject): StoredEvent => ({
    stream: 's',
    revision: 0,
    position: '1',
    id: 'e',
    type: 'Changed',
    version,
    data,
    metadata: {},
  });

  it('are upgraded step by step, only on read', () => {
    const event = stored(1, { a: 'x', c: 1 });
    expect(decode(event, types)).to.deep.equal({ b: 'x!', c: 1 });
    expect(event.data).to.deep.equal({ a: 'x', c: 1 });
    expect(decode(stored(2, { b: 'x' }), types)).to.deep.equal({ b: 'x!' });
    expect(decode(stored(3, { b: 'x' }), types)).to.deep.equal({ b: 'x' });
  });

  it('need an upcaster for each step', () => {
    expect(() => eventType('Changed', z.object({}), { version: 3, upcast: { 1: (data) => data } })).to.throw(
      'upcaster from version 2',
    );
  });

  it('of a newer service are distinguished; unknown types are passed on', () => {
    expect(() => decode(stored(4, {}), types)).to.throw(WrittenByNewerVersion);
    expect(decode({ ...stored(9, { a: 1 }), type: 'Unheard' }, types)).to.deep.equal({ a: 1 });
  });
});
