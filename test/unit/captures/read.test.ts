/** Reading EPCIS: the round trip of documents that this service wrote, and the meaning of other systems' events. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Journey, RetractedEvent, TimelineEvent } from '../../../src/events/otep/model.js';
import { journeyOf } from '../../../src/events/otep/identity.js';
import { instantOf } from '../../../src/events/otep/time.js';
import { deriveTimeline, type Scan } from '../../../src/events/otep/timeline.js';
import { readEpcis } from '../../../src/serializers/epcis/read.js';
import type { InputEvent, ValidReading } from '../../../src/serializers/epcis/reading.js';
import { FORMATS } from '../../../src/serializers/index.js';
import { writeDocument } from '../../../src/serializers/epcis/write.js';
import { officialSchema, needs, samples } from '../../support/inputs/epcis.js';
import { journey, NOW } from '../../support/inputs/timelines.js';
import { runs } from '../../support/depth.js';

type Json = { [name: string]: unknown };

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function read(document: unknown): readonly ValidReading[] {
  const reading = readEpcis(document);
  expect(reading.valid, JSON.stringify(reading)).to.equal(true);
  return (reading.valid ? reading.events : []).map((event) => {
    expect(event.valid, JSON.stringify(event)).to.equal(true);
    return event as ValidReading;
  });
}

/** Builds the timeline of a subject and its retracted events from readings, without the times that the service sets. */
function replay(
  subject: Journey['timeline']['subject'],
  readings: readonly ValidReading[],
): Pick<Journey, 'timeline' | 'retracted'> {
  const retractions = new Map(
    readings.flatMap(({ event }) => (event.retracts === undefined ? [] : [[event.retracts, event] as const])),
  );
  const scans = readings.filter(({ event }) => event.retracts === undefined).map(({ event }) => scanOf(event));
  const retracted = scans
    .filter(({ event }) => retractions.has(event.event_id))
    .map((scan): RetractedEvent => {
      const { event_id: _id, retracts: _retracts, occurred_at, ...extensions } = retractions.get(scan.event.event_id)!;
      return {
        event: deriveTimeline(subject, [scan], NOW).events[0]!,
        retracted_at: occurred_at,
        ...(Object.keys(extensions).length > 0 && { extensions }),
      };
    });
  return {
    timeline: deriveTimeline(
      subject,
      scans.filter(({ event }) => !retractions.has(event.event_id)),
      NOW,
    ),
    retracted,
  };
}

const scanOf = (event: InputEvent): Scan => ({
  instant: instantOf(event.occurred_at)!,
  event: { otep_version: '0.1', ...event } as unknown as TimelineEvent,
});

const unrecorded = (of: Journey) => copy({ timeline: of.timeline, retracted: of.retracted });
const withoutRecordTimes = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === 'recorded_at' && typeof member === 'string' && member.startsWith('2026-07') ? undefined : member,
    ),
  );

const EVENT = {
  type: 'ObjectEvent',
  eventTime: '2026-03-01T10:00:00+01:00',
  eventTimeZoneOffset: '+01:00',
  action: 'OBSERVE',
  epcList: ['urn:epc:id:sscc:4012345.0111111111'],
};
const CONTEXT = ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', { ex: 'https://x.example/ns/' }];
const documentOf = (...events: object[]) => ({
  '@context': CONTEXT,
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-01T12:00:00Z',
  epcisBody: { eventList: events },
});
const one = (event: object): ValidReading => read(copy(documentOf({ ...EVENT, ...event })))[0]!;
const statusOf = (event: object) => one(event).event.status_code;

/** The journey of the first parcel after the readings were recorded. */
function journeyOfFirst(readings: readonly ValidReading[]): Journey {
  const { timeline, retracted } = replay(readings[0]!.subjects[0]!, readings);
  return journeyOf(timeline, retracted);
}
const journeyFrom = (...events: object[]): Journey => journeyOfFirst(read(documentOf(...events)));
/** Writes the journey of these events as EPCIS events again. */
const again = (...events: object[]): Json[] =>
  copy((writeDocument(journeyFrom(...events)) as { epcisBody: { eventList: Json[] } }).epcisBody.eventList);

describe('reading EPCIS', () => {
  describe('documents of this service', () => {
    it('return the same timeline and retractions, for 300 generated journeys', () => {
      fc.assert(
        fc.property(journey(), (of) => {
          const { subject } = of.timeline;
          const readings = read(copy(writeDocument(of)));
          for (const reading of readings) expect(reading.subjects).to.deep.equal([subject]);
          expect(withoutRecordTimes(replay(subject, readings))).to.deep.equal(withoutRecordTimes(unrecorded(of)));
        }),
        { numRuns: runs(300) },
      );
    });

    it('are recognised by the namespace, with any prefix, and without a context', () => {
      const of = journeyOf(
        deriveTimeline(
          { tracking_number: 'T1' },
          [
            scanOf({
              event_id: 'a',
              occurred_at: '2026-03-01T10:00:00Z',
              status_code: 'out_for_delivery',
              location: { city: 'Oslo' },
            }),
          ],
          NOW,
        ),
      );
      const text = JSON.stringify(writeDocument(of));
      const renamed = JSON.parse(text.replaceAll('"otep', '"track')) as Json;
      const [event] = (JSON.parse(text) as { epcisBody: { eventList: unknown[] } }).epcisBody.eventList;
      for (const document of [renamed, [event], { ...(event as Json), '@context': {} }]) {
        const [reading] = read(document);
        expect(reading).to.deep.include({ subjects: [{ tracking_number: 'T1' }] });
        expect(reading!.event).to.deep.include({
          event_id: 'a',
          status_code: 'out_for_delivery',
          location: { city: 'Oslo' },
        });
      }
    });

    it('are foreign if another namespace has the prefix of this service, or if its members are incomplete', () => {
      for (const members of [
        { '@context': { otep: 'urn:x:' }, 'otep:event_id': 'a', 'otep:status_code': 'delivered', 'otep:subject': {} },
        { 'otep:event_id': 'a', 'otep:status_code': 5 },
      ]) {
        expect(one({ ...members, bizStep: 'arriving' }).event.status_code).to.equal('arrival_scan');
      }
    });

    it('use the EPCIS time if the native one is another instant', () => {
      const members = {
        'otep:event_id': 'a',
        'otep:status_code': 'delivered',
        'otep:subject': { 'otep:tracking_number': 'T1' },
      };
      expect(one({ ...members, 'otep:occurred_at': '2026-03-01t09:00:00z' }).event.occurred_at).to.equal(
        '2026-03-01t09:00:00z',
      );
      expect(one({ ...members, 'otep:occurred_at': '2026-03-01T09:00:01Z' }).event.occurred_at).to.equal(
        EVENT.eventTime,
      );
    });
  });

  describe('events of other systems', () => {
    it('have the status of their step, in every notation', () => {
      const table = {
        commissioning: 'information_submitted',
        accepting: 'picked_up',
        receiving: 'received',
        arriving: 'arrival_scan',
        transporting: 'in_transit',
        departing: 'package_outbound',
        shipping: 'package_outbound',
        loading: 'x-epcis-loading',
        void_shipping: 'x-epcis-void_shipping',
      };
      for (const [step, status] of Object.entries(table)) {
        for (const written of [step, `https://ref.gs1.org/cbv/BizStep-${step}`, `cbv:BizStep-${step}`])
          expect(statusOf({ bizStep: written })).to.equal(status);
      }
      expect(
        statusOf({
          '@context': { cbv: 'urn:x:', words: 'https://ref.gs1.org/cbv/' },
          bizStep: 'cbv:BizStep-departing',
        }),
        'a prefix of the standard cannot be redefined',
      ).to.equal('package_outbound');
      expect(
        statusOf({
          '@context': { cbv: 'urn:x:', words: 'https://ref.gs1.org/cbv/' },
          bizStep: 'words:BizStep-departing',
        }),
      ).to.equal('package_outbound');
      expect(statusOf({ bizStep: 'ex:Out-For_Delivery' })).to.equal('x-epcis-out_for_delivery');
      expect(statusOf({ bizStep: 'https://x.example/' })).to.equal('x-epcis-unspecified');
      expect(statusOf({})).to.equal('x-epcis-unspecified');
    });

    it('mean a delivery only if the transfer ends', () => {
      const [hub, home] = [
        { id: 'urn:epc:id:sgln:4012345.00001.dock7' },
        { id: 'https://x.example/414/0614141007776' },
      ];
      const destinationList = [
        { type: 'location', destination: 'urn:epc:id:sgln:0614141.00777.0' },
        { type: 'owning_party', destination: 'urn:epc:id:pgln:4012345.00001' },
      ];
      const receiving = { bizStep: 'receiving', destinationList };
      expect(statusOf({ ...receiving, bizLocation: home })).to.equal('delivered');
      expect(statusOf({ ...receiving, readPoint: home })).to.equal('delivered');
      expect(statusOf({ ...receiving, readPoint: home, bizLocation: hub })).to.equal('received');
      expect(statusOf(receiving)).to.equal('received');
      expect(statusOf({ ...receiving, bizStep: 'arriving', bizLocation: home })).to.equal('arrival_scan');
      expect(
        statusOf({
          bizStep: 'receiving',
          bizLocation: hub,
          destinationList: [{ type: 'cbv:SDT-possessing_party', destination: 'urn:epc:id:pgln:4012345.00001' }],
        }),
      ).to.equal('delivered');
    });

    it('mean a pick-up if the parcel is accepted for the first time', () => {
      const accepting = (eventTime: string, more: object = {}) => ({
        ...EVENT,
        bizStep: 'accepting',
        eventTime,
        ...more,
      });
      const statuses = (...events: object[]) => read(documentOf(...events)).map(({ event }) => event.status_code);
      expect(statuses(accepting('2026-03-02T10:00:00Z'), accepting('2026-03-01T10:00:00Z'))).to.deep.equal([
        'in_transit',
        'picked_up',
      ]);
      expect(statuses(accepting('2026-03-02T10:00:00Z'), { ...EVENT, bizStep: 'departing' })).to.deep.equal([
        'in_transit',
        'package_outbound',
      ]);
      expect(
        statuses(accepting('2026-03-02T10:00:00Z'), { ...EVENT, bizStep: 'departing', epcList: ['urn:x:other'] }),
      ).to.deep.equal(['picked_up', 'package_outbound']);
      const wrong = { ...EVENT, bizStep: 'departing', eventID: 'urn:x:wrong' };
      const declared = { ...wrong, errorDeclaration: { declarationTime: '2026-03-03T00:00:00Z' } };
      expect(statuses(wrong, declared, accepting('2026-03-02T10:00:00Z')).at(-1)).to.equal('picked_up');
    });

    it('name every parcel once, with its kind', () => {
      const subjects = (event: object) => one(event).subjects;
      const sscc = { gs1_sscc: '040123451111111110' };
      expect(
        subjects({
          epcList: [
            'urn:epc:id:sscc:4012345.0111111111',
            'https://x.example/a/00/040123451111111110?y=1',
            'urn:otep:parcel:obj:PKG%201%2F2',
            'https://carrier.example/obj/7',
          ],
        }),
      ).to.deep.equal([sscc, { tracking_number: 'PKG 1/2' }, { piece_id: 'https://carrier.example/obj/7' }]);
      expect(
        subjects({
          type: 'AggregationEvent',
          epcList: undefined,
          parentID: 'urn:epc:id:sscc:4012345.0111111111',
          childEPCs: ['urn:epc:id:sgtin:4012345.011111.9876', 'https://x.example/01/04012345111118/21/9876'],
        }),
      ).to.deep.equal([sscc, { piece_id: 'https://id.gs1.org/01/04012345111118/21/9876' }]);
      expect(
        subjects({
          type: 'TransformationEvent',
          epcList: undefined,
          action: undefined,
          inputEPCList: ['urn:x:in'],
          outputEPCList: ['urn:x:out'],
        }),
      ).to.deep.equal([{ piece_id: 'urn:x:in' }, { piece_id: 'urn:x:out' }]);
      expect(subjects({ type: 'ex:Inspected', epcList: ['urn:x:1', 'no uri', 5] })).to.deep.equal([
        { piece_id: 'urn:x:1' },
      ]);
      expect(subjects({ epcList: [] })).to.deep.equal([]);
    });

    it('have a place: a number, coordinates, or a code', () => {
      const place = (id: string) => one({ readPoint: { id } }).event.location;
      expect(place('urn:epc:id:sgln:4012345.00001.0')).to.deep.equal({ code: '4012345000016' });
      expect(place('https://x.example/414/4012345000016/254/gate')).to.deep.equal({ code: '4012345000016' });
      expect(place('geo:48.2010,-16.3695,183;u=5')).to.deep.equal({ latitude: 48.201, longitude: -16.3695 });
      expect(place('geo:91,0')).to.deep.equal({ code: 'geo:91,0' });
      expect(place('urn:otep:loc:unlocode:DEHAM')).to.deep.equal({ code: 'DEHAM' });
      expect(place('urn:otep:loc:code:acme:HUB%3A7')).to.deep.equal({ code: 'HUB:7' });
      expect(place('urn:otep:loc:address:BR:::S%C3%A3o%20Paulo:')).to.deep.equal({ country: 'BR', city: 'São Paulo' });
      expect(one({ bizLocation: { id: 'https://x.example/loc/7' } }).event.location).to.deep.equal({
        code: 'https://x.example/loc/7',
      });
    });

    it('are identified by their event id, or else by their hash', () => {
      expect(one({ eventID: 'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8' }).event.event_id).to.equal(
        'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8',
      );
      const { event, hashes } = one({});
      const hash = hashes?.given;
      expect(event.event_id)
        .to.equal(hash)
        .and.match(/^ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/);
      // D1: the declaration time must be returned, so the declaration is stored even if it adds nothing to a native
      // one.
      const errorDeclaration = { declarationTime: '2026-03-03T00:00:00Z', reason: 'did_not_occur' };
      expect(one({ errorDeclaration }).event).to.deep.equal({
        event_id: hash,
        retracts: hash,
        occurred_at: '2026-03-03T00:00:00Z',
        'x-epcis': { errorDeclaration },
      });
    });

    it('keep their time, or the same instant if a native event cannot hold the notation', () => {
      const time = (eventTime: string, eventTimeZoneOffset = '+01:00') =>
        one({ eventTime, eventTimeZoneOffset }).event.occurred_at;
      expect(time('2026-03-01T10:00:00.123+01:00')).to.equal('2026-03-01T10:00:00.123+01:00');
      expect(time('2026-03-01 10:00:00.12345678901+0130', '+01:30')).to.equal('2026-03-01T10:00:00.123456789+01:30');
      expect(time('2016-12-31T23:59:60Z', '+00:00')).to.equal('2016-12-31T23:59:59.999999999Z');
      const late = readEpcis(documentOf({ ...EVENT, eventTime: '9999-12-31T23:00:00-02:00' }));
      expect(late)
        .to.deep.include({ valid: true })
        .and.have.nested.property('events[0].errors[0].code', 'TIME_OUT_OF_RANGE');
    });

    it('have the local time of the place, by the offset of the event (D4)', () => {
      const given = { eventTime: '2026-03-01T02:30:00.5Z', eventTimeZoneOffset: '-06:00' };
      const { event } = one(given);
      expect(event.occurred_at).to.equal('2026-02-28T20:30:00.5-06:00');
      // The original text is stored next to the time. The hash is the same because the instant is the same.
      expect(event).to.deep.nested.include({ 'x-epcis.eventTime': given.eventTime });
      expect(event.event_id).to.equal(one({ ...given, eventTime: event.occurred_at }).event.event_id);
      const [out] = again({ ...EVENT, ...given });
      expect(out).to.deep.include({ eventTime: '2026-02-28T20:30:00.5-06:00', eventTimeZoneOffset: '-06:00' });
      const journey = journeyFrom({ ...EVENT, ...given });
      expect(
        FORMATS.find(({ name }) => name === 'aftership')!.serialize(journey, { baseUrl: 'https://tms.example' }),
      ).to.have.nested.property('checkpoints[0].checkpoint_time', '2026-02-28T20:30:00-06:00');
      expect(
        FORMATS.find(({ name }) => name === 'shopify')!.serialize(journey, { baseUrl: 'https://tms.example' }),
      ).to.have.nested.property('fulfillment_events[0].happened_at', '2026-02-28T20:30:00-06:00');
      for (const [eventTime, offset, expectedTime] of [
        ['2026-03-01T02:30:00+05:30', '+00:00', '2026-02-28T21:00:00+00:00'],
        ['2026-03-01T02:30:00Z', '+00:00', '2026-03-01T02:30:00Z'],
        ['2026-03-01T02:30:00Z', '-00:00', '2026-03-01T02:30:00Z'],
        // The local year would be outside 0 to 9999.
        ['0000-01-01T00:30:00Z', '-01:00', '0000-01-01T00:30:00Z'],
        ['9999-12-31T23:30:00Z', '+01:00', '9999-12-31T23:30:00Z'],
      ] as const)
        expect(one({ eventTime, eventTimeZoneOffset: offset }).event.occurred_at, eventTime).to.equal(expectedTime);
    });

    it('report damage, and their original form', () => {
      expect(one({ bizStep: 'inspecting', disposition: 'cbv:Disp-damaged' }).event).to.deep.include({
        incident_reason: { code: 'damaged' },
        raw: { code: 'inspecting' },
      });
      expect(one({ bizStep: 'inspecting', disposition: 'unknown' }).event).not.to.have.property('incident_reason');
    });
  });

  describe('reading and writing again', () => {
    const FOREIGN = {
      ...EVENT,
      eventTimeZoneOffset: '-06:00',
      action: 'ADD',
      bizStep: 'loading',
      disposition: 'in_transit',
      'ex:weight': { 'ex:kg': '12' },
      ilmd: { 'ex:lot': '7' },
      certificationInfo: ['urn:x:c'],
      readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0', 'ex:dock': 7 },
      sensorElementList: [{ 'ex:s': 1, sensorReport: [{ type: 'ex:Tilt', value: 4.5 }] }],
      persistentDisposition: { set: ['damaged'] },
      bizTransactionList: [{ type: 'po', bizTransaction: 'urn:x:po' }],
      sourceList: [{ type: 'location', source: 'urn:x:s' }],
    };

    it('keeps sensor readings, business context and extensions, with the prefixes that they use', () => {
      const [event] = again(FOREIGN);
      const { eventTime: _time, epcList: _list, ...kept } = FOREIGN;
      expect(event).to.deep.include({
        ...kept,
        '@context': { ex: 'https://x.example/ns/' },
        epcList: ['https://id.gs1.org/00/040123451111111110'],
      });
    });

    it('keeps error declarations', () => {
      const errorDeclaration = {
        declarationTime: '2026-03-02T10:00:00+02:00',
        reason: 'incorrect_data',
        correctiveEventIDs: ['urn:x:2'],
        'ex:by': 'Jo',
      };
      const events = again({ ...FOREIGN, eventID: 'urn:x:1' }, { ...FOREIGN, eventID: 'urn:x:1', errorDeclaration });
      expect(events.map((event) => event['errorDeclaration'])).to.deep.equal([undefined, errorDeclaration]);
      expect(events[1]).to.deep.equal({ ...events[0], errorDeclaration });
    });

    it('keeps members without an ObjectEvent equivalent, but not the other parcels', () => {
      const aggregation = {
        ...EVENT,
        epcList: undefined,
        type: 'AggregationEvent',
        parentID: 'urn:epc:id:sscc:4012345.0111111111',
        childEPCs: ['urn:x:other'],
        action: 'ADD',
        'ex:a': 1,
      };
      const [event] = again(copy(aggregation));
      expect(event).to.deep.include({
        type: 'ObjectEvent',
        epcList: ['https://id.gs1.org/00/040123451111111110'],
        // The event must not say that the parent was commissioned.
        action: 'OBSERVE',
        'ex:a': 1,
      });
      expect(event!['otep:extensions']).to.deep.equal({
        '@type': '@json',
        '@value': { 'x-epcis': { type: 'AggregationEvent', action: 'ADD', parentID: aggregation.parentID } },
      });
      expect(JSON.stringify(event)).not.to.include('urn:x:other');
    });

    it('keeps aggregations, associations and transactions whose part for the parcel is valid alone (D5)', function () {
      const parent = 'urn:epc:id:sscc:4012345.0999999999';
      const own = 'https://id.gs1.org/00/040123451111111110';
      const { epcList: _list, ...bare } = EVENT;
      const child = (type: string, more: object = {}) => {
        const [first, other] = [EVENT.epcList[0], 'urn:epc:id:sscc:4012345.0333333333'];
        // The child is named first, so that the journey is that of the child.
        const lists = type === 'TransactionEvent' ? { epcList: [first, other] } : { childEPCs: [first, other] };
        const readings = read(copy(documentOf({ ...bare, type, parentID: parent, action: 'ADD', ...lists, ...more })));
        const at = readings[0]!.subjects.findIndex(({ gs1_sscc }) => own.endsWith(gs1_sscc!));
        const subject = readings[0]!.subjects[at]!;
        const { timeline, retracted } = replay(subject, readings);
        return copy(writeDocument(journeyOf(timeline, retracted))) as { epcisBody: { eventList: Json[] } };
      };
      for (const [type, naming, more] of [
        ['AggregationEvent', { childEPCs: [own] }, {}],
        ['AssociationEvent', { childEPCs: [own] }, {}],
        ['TransactionEvent', { epcList: [own] }, { bizTransactionList: [{ bizTransaction: 'urn:x:po' }] }],
      ] as const) {
        const document = child(type, more);
        const [event] = document.epcisBody.eventList;
        expect(event, type).to.deep.include({ type, parentID: parent, action: 'ADD', ...naming, ...more });
        expect(JSON.stringify(event)).not.to.include('0333333333').and.not.to.include('033333333');
        expect(read(document)[0]!.event, 'read again').to.deep.nested.include({ 'x-epcis.type': type });
        needs(this, 'standards');
        const valid = officialSchema();
        expect(valid(document), JSON.stringify(valid.errors)).to.equal(true);
      }
    });

    it('is stable: a written document is read as the same events, for all samples, and valid by the official schema', function () {
      needs(this, 'samples');
      needs(this, 'standards');
      const valid = officialSchema();
      let events = 0;
      for (const { name, document } of samples()) {
        for (const reading of read(document).filter(({ subjects }) => subjects.length > 0)) {
          const of = journeyOfFirst([
            reading,
            ...(reading.event.retracts === undefined
              ? []
              : [
                  {
                    ...reading,
                    event: {
                      ...reading.event,
                      retracts: undefined,
                      status_code: 'in_transit',
                    } as unknown as InputEvent,
                  },
                ]),
          ]);
          const written = copy(writeDocument(of));
          expect(valid(written), `${name}: ${JSON.stringify(valid.errors?.[0])}`).to.equal(true);
          expect(withoutRecordTimes(replay(reading.subjects[0]!, read(written))), name).to.deep.equal(
            withoutRecordTimes(unrecorded(of)),
          );
          events += 1;
        }
      }
      expect(events).to.be.greaterThan(50);
    });
  });
});
