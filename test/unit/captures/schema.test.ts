/**
 * The structural checks of EPCIS give the same verdict as the ratified JSON Schema, on the samples and on changed
 * samples.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { ValidateFunction } from 'ajv';
import type { EpcisReading, Issue } from '../../../src/serializers/epcis/reading.js';
import { readEpcis } from '../../../src/serializers/epcis/read.js';
import { needs, officialSchema, samples } from '../../support/inputs/epcis.js';
import { isFullDepth, runs } from '../../support/depth.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const verdict = (reading: EpcisReading): boolean => reading.valid && reading.events.every((event) => event.valid);
const issuesOf = (reading: EpcisReading): readonly Issue[] =>
  reading.valid ? reading.events.flatMap((event) => (event.valid ? [] : event.errors)) : reading.errors;
const SAMPLES = samples();

/** Replacement values: valid and invalid ones of every type in the schema. */
const VALUES: Json[] = [
  null,
  true,
  0,
  -1.5,
  '',
  'text',
  [],
  {},
  [[]],
  [{}],
  'departing',
  'Departing',
  'in_transit',
  'damaged',
  'active',
  'po',
  'location',
  'Temperature',
  'x',
  'ALARM_CONDITION',
  'OBSERVE',
  'ADD',
  'DELETE',
  'observe',
  'did_not_occur',
  'ObjectEvent',
  'AggregationEvent',
  'AssociationEvent',
  'TransactionEvent',
  'TransformationEvent',
  'EPCISDocument',
  'EPCISQueryDocument',
  'ex:SomeEvent',
  '2.0',
  '2',
  '2.',
  'CEL',
  'cel',
  'f0',
  'fg',
  'urn:epcglobal:cbv:bizstep:departing',
  'urn:epcglobal:cbv:disp:active',
  'https://ref.gs1.org/cbv/BizStep-departing',
  'https://ns.gs1.org/cbv/BizStep-departing',
  'cbv:BizStep-departing',
  'https://gs1.org/voc/Temperature',
  'http://www.gs1.org/voc/Temperature',
  'gs1:Temperature',
  'urn:epc:id:sscc:4012345.0111111111',
  'ni:///sha-256;0?ver=CBV2.0',
  'https://a.example/b c',
  'https://a.example/ä',
  'https://a.example/%zz',
  'https://a.example/%2f?x#y',
  'https://[::1]:80/',
  'https://[::zz]/',
  'https://a:b/',
  'https://u:p@h:1/p',
  'x:',
  'x:/',
  'x://',
  'a:b:c',
  '1:b',
  '_:b0',
  ':x',
  '/a/b',
  'geo:1.5,2',
  '2026-01-01T10:00:00Z',
  '2026-01-01t10:00:00z',
  '2026-01-01 10:00:00Z',
  '2026-01-01T10:00:00',
  '2026-01-01',
  '2026-02-30T10:00:00Z',
  '2024-02-29T10:00:00Z',
  '2026-01-01T10:00:00.1234567890123+01:00',
  '2026-01-01T10:00:00+0100',
  '2026-01-01T10:00:00+01',
  '2026-01-01T23:59:60Z',
  '2026-01-01T22:59:60Z',
  '2026-01-01T00:59:60+01:00',
  '2026-01-01T18:59:60-05:00',
  '2026-01-01T10:00:00+24:00',
  '2026-01-01T24:00:00Z',
  '2026-13-01T10:00:00Z',
  '+01:00',
  '-14:00',
  '+14:01',
  '+0100',
  'Z',
  '+15:00',
  ['urn:x:1'],
  ['urn:x:1', 'urn:x:1'],
  ['urn:x:1', 'urn:x:2'],
  { id: 'urn:x:1' },
  { id: 5 },
  { set: ['damaged'] },
  { unset: ['damaged', 'damaged'] },
  { set: [] },
  { set: ['damaged'], other: 1 },
  { 'ex:a': 1 },
  { a: 1 },
  { declarationTime: '2026-01-01T10:00:00Z' },
  [{ epcClass: 'urn:x:1' }],
  [{ epcClass: 'urn:x:1', quantity: '1' }],
  [{ sensorReport: [{ type: 'Temperature' }] }],
  [{ type: 'po', bizTransaction: 'urn:x:1' }],
  [{ bizTransaction: 'urn:x:1' }],
  [{ type: 'location', source: 'urn:x:1' }],
  [{ type: 'urn:x:t', destination: 'urn:x:1' }],
];

const NAMES = [
  'foo',
  'ex:foo',
  'https://x.example/foo',
  'a b:c',
  '@context',
  'id',
  'type',
  'eventID',
  'eventTime',
  'recordTime',
  'eventTimeZoneOffset',
  'certificationInfo',
  'errorDeclaration',
  'epcList',
  'parentID',
  'childEPCs',
  'childQuantityList',
  'quantityList',
  'inputEPCList',
  'outputEPCList',
  'inputQuantityList',
  'outputQuantityList',
  'transformationID',
  'action',
  'bizStep',
  'disposition',
  'persistentDisposition',
  'readPoint',
  'bizLocation',
  'bizTransactionList',
  'sourceList',
  'destinationList',
  'sensorElementList',
  'ilmd',
  'epcisHeader',
  'sender',
  'queryName',
  'subscriptionID',
  'vocabularyList',
  'constructor',
  '__proto__',
];

interface Mutation {
  readonly at: number;
  readonly kind: 'remove' | 'replace' | 'add' | 'repeat' | 'empty';
  readonly name: string;
  readonly value: Json;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('remove', 'replace', 'replace', 'add', 'add', 'repeat', 'empty'),
  name: fc.constantFrom(...NAMES),
  value: fc.constantFrom(...VALUES),
});

/** Every value of a document with the object or list that contains it. */
function places(value: Json, out: { holder: Json[] | { [name: string]: Json }; key: string }[] = []) {
  if (typeof value !== 'object' || value === null) return out;
  for (const [key, child] of Object.entries(value)) {
    out.push({ holder: value, key });
    places(child, out);
  }
  return out;
}

function mutate(document: Json, { at, kind, name, value }: Mutation): void {
  const all = places(document);
  if (all.length === 0) return;
  const { holder, key } = all[at % all.length]!;
  const record = holder as { [name: string]: Json };
  const child = record[key];
  if (kind === 'replace') record[key] = structuredClone(value);
  else if (kind === 'remove' && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (kind === 'remove') delete record[key];
  else if (kind === 'add' && child !== null && typeof child === 'object' && !Array.isArray(child)) {
    Object.defineProperty(child, name, {
      value: structuredClone(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else if (kind === 'repeat' && Array.isArray(child) && child.length > 0) child.push(structuredClone(child[0]!));
  else if (kind === 'empty' && Array.isArray(child)) child.length = 0;
}

describe('EPCIS checks', () => {
  before(function () {
    needs(this, 'standards');
    needs(this, 'samples');
  });
  let official: ValidateFunction;
  before(() => {
    official = officialSchema();
  });

  const agree = (document: unknown, where = () => ''): void => {
    const reading = readEpcis(document);
    if (verdict(reading) === official(document)) return;
    expect.fail(
      `${where()} ${JSON.stringify([issuesOf(reading).slice(0, 2), official(document), official.errors?.slice(0, 2)])}`,
    );
  };

  it(`give the verdict of the schema for all ${SAMPLES.length} samples, and accept ${SAMPLES.filter(({ document }) => verdict(readEpcis(document))).length} of them`, () => {
    expect(SAMPLES).to.have.length(47);
    for (const { document } of SAMPLES) agree(document);
  });

  it('give the verdict of the schema for broken variants of the samples', () => {
    let invalid = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...SAMPLES),
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        (sample, mutations) => {
          const document = structuredClone(sample.document) as Json;
          for (const one of mutations) mutate(document, one);
          agree(document);
          invalid += official(document) ? 0 : 1;
        },
      ),
      { numRuns: runs(2000) },
    );
    expect(invalid, 'variants that are really broken').to.be.within(runs(500), runs(1800));
  });

  // One test for each sample, because each sample is checked several thousand times.
  const full = SAMPLES.filter((sample) => sample.name.startsWith('WithFull'));
  let judged = 0;
  for (const { name, document } of full) {
    it(`give the verdict of the schema for every member of ${name}, with any value`, () => {
      const seen = new Set<string>();
      const changed = structuredClone(document) as Json;
      const walk = (holder: Json, path: string): void => {
        if (typeof holder !== 'object' || holder === null || seen.has(path) || path.includes('ext1:')) return;
        seen.add(path);
        const record = holder as { [name: string]: Json };
        for (const key of Object.keys(record)) {
          const was = record[key]!;
          walk(was, `${path}/${Array.isArray(holder) ? '' : key}`);
          // At sampled depth each member gets a quarter of the values, and the next member another quarter.
          for (const value of VALUES.filter((_, index) => isFullDepth || (index + seen.size) % 4 === 0)) {
            record[key] = value;
            agree(changed, () => `${path}/${key} = ${JSON.stringify(value)}`);
            judged += 1;
          }
          record[key] = was;
        }
      };
      walk(changed, '');
    });
  }

  it('check more than 20,000 of these, or a quarter of them', () => {
    expect(judged).to.be.greaterThan(isFullDepth ? 20_000 : 5_000);
  });

  it('give the verdict of the schema for a bare event, and treat an event of a list as one of a document', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), fc.option(mutation), fc.boolean(), (sample, broken, withContext) => {
        const { epcisBody } = structuredClone(sample.document) as { epcisBody: { eventList?: Json[] } };
        const event = (epcisBody.eventList ?? [])[0] as { [name: string]: Json } | undefined;
        if (event === undefined) return;
        if (broken !== null) mutate(event, broken);
        if (withContext) event['@context'] = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
        if (event['type'] !== 'EPCISDocument' && event['type'] !== 'EPCISQueryDocument') agree(event);
        const document = {
          '@context': {},
          type: 'EPCISDocument',
          schemaVersion: '2.0',
          creationDate: '2026-01-01T00:00:00Z',
          epcisBody: { eventList: [event] },
        };
        expect(verdict(readEpcis([event]))).to.equal(official(document));
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe('EPCIS checks, without the schema', () => {
  it('point to the invalid place', () => {
    const event = {
      type: 'ObjectEvent',
      eventTime: '2026-01-01T00:00:00Z',
      eventTimeZoneOffset: '+00:00',
      action: 'OBSERVE',
      epcList: ['urn:x:1'],
    };
    const document = (broken: object) => ({
      '@context': {},
      type: 'EPCISDocument',
      schemaVersion: '2.0',
      creationDate: '2026-01-01T00:00:00Z',
      epcisBody: { eventList: [event, { ...event, ...broken }] },
    });
    const wrong = (broken: object) => issuesOf(readEpcis(document(broken))).map(({ code, path }) => `${code} ${path}`);
    const at = '/epcisBody/eventList/1';
    expect(wrong({ action: undefined })).to.deep.equal([`WRONG_TYPE ${at}/action`]);
    expect(wrong({ bizStep: 'urn:epcglobal:cbv:bizstep:departing' })).to.deep.equal([`NOT_A_WORD ${at}/bizStep`]);
    expect(wrong({ eventTime: '2026-01-01', eventTimeZoneOffset: 'Z' })).to.deep.equal([
      `NOT_A_TIME ${at}/eventTime`,
      `NOT_AN_OFFSET ${at}/eventTimeZoneOffset`,
    ]);
    expect(wrong({ 'a/b~c': 1, ilmd: {} })).to.deep.equal([
      `UNKNOWN_MEMBER ${at}/a~1b~0c`,
      `ILMD_WITHOUT_ADD ${at}/ilmd`,
    ]);
    expect(wrong({ epcList: ['urn:x:1', 'x', 'urn:x:1'] })).to.deep.equal([
      `NOT_UNIQUE ${at}/epcList`,
      `NOT_A_URI ${at}/epcList/1`,
    ]);
    expect(wrong({ readPoint: {}, errorDeclaration: { reason: 'none' } })).to.deep.equal([
      `REQUIRED ${at}/readPoint/id`,
      `REQUIRED ${at}/errorDeclaration/declarationTime`,
      `NOT_A_WORD ${at}/errorDeclaration/reason`,
    ]);
    expect(wrong({ sensorElementList: [{ sensorReport: [] }] })).to.deep.equal([
      `TOO_FEW ${at}/sensorElementList/0/sensorReport`,
    ]);
    const { epcList: _, ...nothing } = event;
    expect(issuesOf(readEpcis([nothing])).map(({ code, path }) => `${code} ${path}`)).to.deep.equal([
      'NOTHING_OBSERVED /0',
    ]);
    expect(issuesOf(readEpcis(event)).map(({ code, path }) => `${code} ${path}`)).to.deep.equal(['REQUIRED /@context']);
    expect(issuesOf(readEpcis({ type: 'EPCISDocument' })).map(({ code, path }) => `${code} ${path}`)).to.deep.equal([
      'REQUIRED /@context',
      'REQUIRED /schemaVersion',
      'REQUIRED /creationDate',
      'REQUIRED /epcisBody',
    ]);
    for (const none of [null, 5, 'text', {}, { type: 5 }])
      expect(readEpcis(none).valid, JSON.stringify(none)).to.equal(false);
  });
});
