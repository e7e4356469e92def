/** The CBV event hash: the text that is hashed, changes that must not affect the hash, and changes that must. */
import { expect } from 'chai';
import fc from 'fast-check';
import { DEFAULT_PREFIXES, prefixesOf } from '../../../src/serializers/epcis/context.js';
import { eventHash, preHash } from '../../../src/serializers/epcis/hash.js';
import { sscc } from '../../support/inputs/timelines.js';

const EVENT = {
  type: 'ObjectEvent',
  eventTime: '2026-03-01T10:00:00+01:00',
  eventTimeZoneOffset: '+01:00',
  action: 'OBSERVE',
  bizStep: 'departing',
  epcList: ['urn:epc:id:sscc:4012345.0000000333', 'urn:epc:id:sscc:4012345.0000000111'],
  readPoint: { id: 'urn:epc:id:sgln:4012345.00011.987' },
};
const PREFIXES = prefixesOf({ ex: 'https://x.example/ns/' });
const hash = (event: object) => eventHash({ ...event }, PREFIXES);
const pre = (more: object) => preHash({ ...EVENT, ...more }, PREFIXES);
const START =
  'eventType=ObjectEventeventTime=2026-03-01T09:00:00.000ZeventTimeZoneOffset=+01:00' +
  'epcListepc=https://id.gs1.org/00/040123450000001112epc=https://id.gs1.org/00/040123450000003338action=OBSERVE';
const STEP = 'bizStep=https://ref.gs1.org/cbv/BizStep-departing';
const PLACE = 'readPointid=https://id.gs1.org/414/4012345000115/254/987';

describe('EPCIS event hash', () => {
  it('is computed from the canonical text', () => {
    expect(pre({})).to.equal(START + STEP + PLACE);
    expect(
      pre({
        disposition: 'in_transit',
        bizLocation: { id: 'geo:1,2', 'ex:a': 'b' },
        persistentDisposition: { unset: ['damaged'], set: ['stolen', 'damaged'] },
      }),
    ).to.equal(
      `${START}${STEP}disposition=https://ref.gs1.org/cbv/Disp-in_transitpersistentDispositionset=https://ref.gs1.org/cbv/Disp-damagedset=https://ref.gs1.org/cbv/Disp-stolen` +
        `unset=https://ref.gs1.org/cbv/Disp-damaged${PLACE}bizLocationid=geo:1,2bizLocation{https://x.example/ns/}a=b`,
    );
    expect(
      pre({
        quantityList: [
          { quantity: 2.5, epcClass: 'urn:epc:class:lgtin:4012345.012345.998877', uom: 'KGM' },
          { epcClass: 'urn:epc:idpat:sgtin:4012345.012345.*', quantity: 1 },
        ],
      }),
    ).to.include(
      'quantityListquantityElementepcClass=https://id.gs1.org/01/04012345123456/10/998877quantity=2.5uom=KGMquantityElementepcClass=https://id.gs1.org/01/04012345123456quantity=1action=OBSERVE',
    );
    expect(
      pre({
        sourceList: [{ type: 'owning_party', source: 'urn:epc:id:pgln:4012345.00000' }],
        bizTransactionList: [{ type: 'po', bizTransaction: 'urn:x:2' }, { bizTransaction: 'urn:x:1' }],
      }),
    ).to.equal(
      `${START}${STEP}${PLACE}bizTransactionListbizTransaction=urn:x:1type=https://ref.gs1.org/cbv/BTT-pobizTransaction=urn:x:2sourceListtype=https://ref.gs1.org/cbv/SDT-owning_partysource=https://id.gs1.org/417/4012345000009`,
    );
    expect(
      pre({
        sensorElementList: [
          {
            sensorReport: [
              { value: 26, type: 'Temperature' },
              { type: 'ex:T', booleanValue: true, component: 'x' },
            ],
            sensorMetadata: { time: '2026-03-01T10:00:00Z', 'ex:m': 'n' },
          },
        ],
      }),
    ).to.equal(
      `${START}${STEP}${PLACE}sensorElementsensorMetadatatime=2026-03-01T10:00:00.000ZsensorReporttype=https://gs1.org/voc/Temperaturevalue=26` +
        'sensorReporttype=https://x.example/ns/Tcomponent=https://ref.gs1.org/cbv/Comp-xbooleanValue=true' +
        'sensorElementsensorMetadata{https://x.example/ns/}m=n',
    );
    expect(pre({ 'ex:b': { 'ex:list': ['3', '1'], 'ex:none': {} }, 'ex:a': ' 0 ', ilmd: { 'ex:lot': '7' } })).to.equal(
      `${START}${STEP}${PLACE}ilmd{https://x.example/ns/}lot=7{https://x.example/ns/}a=0{https://x.example/ns/}b{https://x.example/ns/}list=1{https://x.example/ns/}list=3{https://x.example/ns/}none`,
    );
  });

  it('writes numbers without an exponent, and sorts by code point', () => {
    const [far, near] = ['\u{1f4e6}', '\uffee'];
    expect(pre({ 'ex:n': [2.5e21, -1.25e-7, 5e-8, 1.0], 'ex:s': [far, near] })).to.equal(
      `${START}${STEP}${PLACE}${['-0.000000125', '0.00000005', '1', '2500000000000000000000'].map((number) => `{https://x.example/ns/}n=${number}`).join('')}{https://x.example/ns/}s=${near}{https://x.example/ns/}s=${far}`,
    );
  });

  it('is the same for every notation of the event', () => {
    const [, second] = EVENT.epcList;
    for (const same of [
      { ...EVENT, eventTime: '2026-03-01T09:00:00.0004Z' },
      { ...EVENT, bizStep: 'urn:epcglobal:cbv:bizstep:departing' },
      { ...EVENT, epcList: [second, 'https://x.example/00/040123450000003338?a=b'] },
      {
        ...EVENT,
        recordTime: '2026-03-02T00:00:00Z',
        eventID: 'urn:x:1',
        errorDeclaration: { declarationTime: '2026-03-02T00:00:00Z' },
        'rdfs:comment': 'told again',
        '@context': {},
      },
      Object.fromEntries(Object.entries(EVENT).reverse()),
    ])
      expect(hash(same)).to.equal(hash(EVENT));
    expect(eventHash({ ...EVENT, 'a:b': '1' }, prefixesOf({ a: 'urn:ns:' }))).to.equal(
      eventHash({ ...EVENT, 'urn:ns:b': '1' }, DEFAULT_PREFIXES),
    );
  });

  it('is the same for a parcel whose SSCC is a URN with any company prefix or a link with any domain', () => {
    fc.assert(
      fc.property(
        sscc,
        fc.integer({ min: 6, max: 12 }),
        fc.webUrl({ withQueryParameters: false, withFragments: false }),
        (number, length, site) => {
          const urn = `urn:epc:id:sscc:${number.slice(1, length + 1)}.${number[0]}${number.slice(length + 1, 17)}`;
          const link = `${site.replace(/\/$/, '')}/00/${number}?linkType=gs1:pip`;
          const [one, other] = [urn, link].map((epc) => hash({ ...EVENT, epcList: [epc] }));
          expect(one).to.equal(other);
          expect(one).to.equal(hash({ ...EVENT, epcList: [`https://id.gs1.org/00/${number}`] }));
        },
      ),
    );
  });

  it('does not depend on the order of lists or members, nor on the form of a term', () => {
    const words = (step: string, disposition: string) => ({ ...EVENT, bizStep: step, disposition });
    const plain = hash(words('departing', 'in_transit'));
    for (const [step, disposition] of [
      ['https://ref.gs1.org/cbv/BizStep-departing', 'https://ref.gs1.org/cbv/Disp-in_transit'],
      ['cbv:BizStep-departing', 'cbv:Disp-in_transit'],
      ['urn:epcglobal:cbv:bizstep:departing', 'urn:epcglobal:cbv:disp:in_transit'],
    ] as const)
      expect(hash(words(step, disposition))).to.equal(plain);
    const whole = {
      ...words('departing', 'in_transit'),
      'ex:a': { 'ex:x': '1', 'ex:y': ['b', 'a'] },
      'ex:b': '2',
      bizLocation: { id: 'urn:x:loc:1' },
    };
    const epcs = fc.uniqueArray(
      sscc.map((number) => `https://id.gs1.org/00/${number}`),
      { minLength: 2, maxLength: 6 },
    );
    const shuffled = (values: string[]) => fc.shuffledSubarray(values, { minLength: values.length });
    fc.assert(
      fc.property(
        epcs.chain((list) => fc.tuple(fc.constant(list), shuffled(list))),
        shuffled(Object.keys(whole)),
        ([list, other], names) => {
          const event = Object.fromEntries(names.map((name) => [name, whole[name as keyof typeof whole]]));
          expect(hash({ ...event, epcList: other, 'ex:a': { 'ex:y': ['a', 'b'], 'ex:x': '1' } })).to.equal(
            hash({ ...whole, epcList: list }),
          );
        },
      ),
    );
  });

  it('rounds times half up to milliseconds, across second, day and year', () => {
    const time = (eventTime: string) => /eventTime=(.*?)eventTimeZoneOffset/.exec(pre({ eventTime }))![1];
    expect(time('2026-03-01T10:00:00.0004999Z')).to.equal('2026-03-01T10:00:00.000Z');
    expect(time('2026-03-01T10:00:00.9995Z')).to.equal('2026-03-01T10:00:01.000Z');
    expect(time('2026-12-31T23:59:59.9999999999+00:00')).to.equal('2027-01-01T00:00:00.000Z');
    expect(time('2026-03-01T00:30:00+05:45')).to.equal('2026-02-28T18:45:00.000Z');
  });

  it('differs if anything else changes', () => {
    const different = [
      EVENT,
      { ...EVENT, type: 'ex:Event' },
      { ...EVENT, eventTime: '2026-03-01T10:00:00.0005+01:00' },
      { ...EVENT, eventTimeZoneOffset: '+02:00' },
      { ...EVENT, certificationInfo: 'urn:x:c' },
      { ...EVENT, action: 'ADD' },
      { ...EVENT, bizStep: 'arriving' },
      { ...EVENT, epcList: EVENT.epcList.slice(1) },
      { ...EVENT, epcList: undefined, childEPCs: EVENT.epcList },
      { ...EVENT, readPoint: { id: 'urn:epc:id:sgln:4012345.00011.0' } },
      { ...EVENT, 'ex:postcode': '01234' },
      { ...EVENT, 'ex:postcode': '1234' },
      { ...EVENT, 'ex:postcode': {} },
    ];
    expect(new Set(different.map(hash)).size).to.equal(different.length);
  });
});
