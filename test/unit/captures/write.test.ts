/** Writing EPCIS: the mapping table, identifiers and times. */
import { expect } from 'chai';
import fc from 'fast-check';
import { STATUS_CODES } from '../../../src/events/otep/codes.js';
import { journeyOf } from '../../../src/events/otep/identity.js';
import type { Journey, Subject, TimelineEvent } from '../../../src/events/otep/model.js';
import { instantOf } from '../../../src/events/otep/time.js';
import { deriveTimeline } from '../../../src/events/otep/timeline.js';
import { epcis } from '../../../src/serializers/epcis.js';
import { journey, NOW } from '../../support/inputs/timelines.js';
import { runs } from '../../support/depth.js';

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const SUBJECT: Subject = { tracking_number: 'PKG 1/2' };
const context = { baseUrl: 'https://tracking.example' };

/** A journey with the given statuses, one per hour. */
function journeyThrough(statuses: readonly (string | Partial<TimelineEvent>)[], subject = SUBJECT): Journey {
  const scans = statuses.map((given, hour) => {
    const event = typeof given === 'string' ? { status_code: given } : given;
    const occurred_at = event.occurred_at ?? `2026-03-01T${String(hour).padStart(2, '0')}:00:00+01:00`;
    return {
      instant: instantOf(occurred_at)!,
      event: { otep_version: '0.1', event_id: `e${hour}`, status_code: 'in_transit', ...event, occurred_at },
    };
  });
  return journeyOf(deriveTimeline(subject, scans, NOW));
}

const documentOf = (of: Journey): Json => epcis.serialize(of, context) as Json;
const eventsOf = (of: Journey): Json[] => epcis.events!(of, context) as Json[];
const words = ({ action, bizStep, disposition }: Json) =>
  [action, bizStep, disposition].filter((word) => word !== undefined).join(' ');
const wordsOf = (...statuses: string[]) => eventsOf(journeyThrough(statuses)).map(words);

describe('writing EPCIS', () => {
  describe('terms', () => {
    const TABLE: Readonly<Record<string, string>> = {
      information_submitted: 'ADD commissioning active',
      booking_confirmed: 'OBSERVE other active',
      awaiting_pickup: 'OBSERVE staging_outbound in_progress',
      out_for_pickup: 'OBSERVE other in_progress',
      picked_up: 'OBSERVE accepting in_transit',
      pickup_failed: 'OBSERVE other in_progress',
      pickup_rescheduled: 'OBSERVE staging_outbound in_progress',
      received: 'OBSERVE receiving in_progress',
      arrival_scan: 'OBSERVE arriving in_progress',
      in_transit: 'OBSERVE transporting in_transit',
      package_outbound: 'OBSERVE departing in_transit',
      removed_from_route: 'OBSERVE holding in_progress',
      route_cancelled: 'OBSERVE holding in_progress',
      out_for_delivery: 'OBSERVE transporting in_transit',
      delivered: 'OBSERVE receiving',
      delivery_failed: 'OBSERVE other in_transit',
      delivery_rescheduled: 'OBSERVE holding in_progress',
      return_to_sender: 'OBSERVE receiving returned',
      rejected_by_recipient: 'OBSERVE other returned',
      cancelled: 'DELETE decommissioning inactive',
    };

    for (const { code } of STATUS_CODES) {
      it(`writes ${code} as ${TABLE[code]}`, () => expect(wordsOf(code)).to.deep.equal([TABLE[code]]));
    }

    it('commissions a parcel once', () => {
      expect(wordsOf('information_submitted', 'information_submitted')).to.deep.equal([
        'ADD commissioning active',
        'OBSERVE commissioning active',
      ]);
    });

    it('distinguishes a cancelled label from a voided shipment and from any other cancellation', () => {
      expect(wordsOf('information_submitted', 'awaiting_pickup', 'cancelled').at(-1)).to.equal(
        'DELETE decommissioning inactive',
      );
      expect(wordsOf('picked_up', 'package_outbound', 'cancelled').at(-1)).to.equal(
        'OBSERVE void_shipping in_progress',
      );
      expect(wordsOf('picked_up', 'cancelled').at(-1)).to.equal('OBSERVE other in_progress');
    });

    it('derives the disposition from the incident reason', () => {
      const through = (code: string) =>
        eventsOf(journeyThrough([{ status_code: 'removed_from_route', incident_reason: { code } }])).map(words);
      expect(through('damaged')).to.deep.equal(['OBSERVE holding damaged']);
      expect(through('lost')).to.deep.equal(['OBSERVE holding unknown']);
      expect(through('weather')).to.deep.equal(['OBSERVE holding in_progress']);
    });
  });

  describe('identifiers and places', () => {
    const epcOf = (subject: Subject) => eventsOf(journeyThrough(['in_transit'], subject))[0]!['epcList'];
    const placesOf = (event: Partial<TimelineEvent>) => {
      const [{ readPoint, bizLocation }] = eventsOf(journeyThrough([event])) as [Json];
      return [readPoint?.id, bizLocation?.id];
    };

    it('names a parcel by its SSCC, else by its piece id, else by a private URN', () => {
      expect(epcOf({ tracking_number: 'T1', gs1_sscc: '140123451122233341', piece_id: 'urn:x:1' })).to.deep.equal([
        'https://id.gs1.org/00/140123451122233341',
      ]);
      expect(epcOf({ tracking_number: 'T1', gs1_sscc: '140123451122233340', piece_id: 'urn:x:1' })).to.deep.equal([
        'urn:x:1',
      ]);
      expect(epcOf({ tracking_number: 'PKG 1/2', piece_id: 'no uri' })).to.deep.equal([
        'urn:otep:parcel:obj:PKG%201%2F2',
      ]);
    });

    it('has the place of every event and the place where the parcel stays', () => {
      const location = { code: '4012345000009' };
      const gln = 'https://id.gs1.org/414/4012345000009';
      expect(placesOf({ status_code: 'arrival_scan', location })).to.deep.equal([gln, gln]);
      expect(placesOf({ status_code: 'package_outbound', location })).to.deep.equal([gln, undefined]);
      expect(placesOf({ location: { latitude: -0.0000001, longitude: 9.5 } })).to.deep.equal([
        'geo:-0.0000001,9.5',
        undefined,
      ]);
      expect(placesOf({ location: { code: 'DEHAM', city: 'Hamburg' } })).to.deep.equal([
        'urn:otep:loc:unlocode:DEHAM',
        undefined,
      ]);
      expect(placesOf({ location: { code: 'HUB:7' }, source: { provider: 'acme' } })).to.deep.equal([
        'urn:otep:loc:code:acme:HUB%3A7',
        undefined,
      ]);
      expect(placesOf({ location: { city: 'São Paulo', country: 'BR' } })).to.deep.equal([
        'urn:otep:loc:address:BR:::S%C3%A3o%20Paulo:',
        undefined,
      ]);
      expect(placesOf({ location: {} })).to.deep.equal([undefined, undefined]);
    });
  });

  describe('times', () => {
    const timeOf = (occurred_at: string) => {
      const [event] = eventsOf(journeyThrough([{ occurred_at }])) as [Json];
      return [event['eventTime'], event['eventTimeZoneOffset'], event['otep:occurred_at']];
    };

    it('keeps the notation of a time if EPCIS allows it', () => {
      expect(timeOf('2026-01-02T03:04:05.123456789+05:45')).to.deep.equal([
        '2026-01-02T03:04:05.123456789+05:45',
        '+05:45',
        undefined,
      ]);
      expect(timeOf('2026-01-02T03:04:05Z')).to.deep.equal(['2026-01-02T03:04:05Z', '+00:00', undefined]);
      expect(timeOf('2026-01-02T03:04:05-00:00')).to.deep.equal(['2026-01-02T03:04:05-00:00', '+00:00', undefined]);
    });

    it('writes any other time in UTC and keeps the original notation next to it', () => {
      expect(timeOf('2026-01-02t03:04:05.500z')).to.deep.equal([
        '2026-01-02T03:04:05.5Z',
        '+00:00',
        '2026-01-02t03:04:05.500z',
      ]);
      expect(timeOf('2026-01-02T03:04:00+23:59')).to.deep.equal([
        '2026-01-01T03:05:00Z',
        '+00:00',
        '2026-01-02T03:04:00+23:59',
      ]);
    });
  });

  it('writes a retracted event and then its error declaration', () => {
    const [event] = journeyThrough([{ status_code: 'delivered', 'x-note': 1 }]).timeline.events;
    const [observed, declared] = eventsOf({
      ...journeyThrough([]),
      retracted: [{ event: event!, retracted_at: '2026-03-02T00:00:00Z' }],
    }) as [Json, Json];
    const { errorDeclaration, ...same } = declared;
    expect(same).to.deep.equal(observed);
    expect(errorDeclaration).to.deep.equal({ declarationTime: '2026-03-02T00:00:00Z', reason: 'did_not_occur' });
  });

  it('writes foreign members only as a whole that the standard accepts, and never names of this service', () => {
    const through = (given: unknown) => eventsOf(journeyThrough([{ status_code: 'received', 'x-epcis': given }]))[0]!;
    const sensors = [{ sensorReport: [{ type: 'Temperature', value: 4.5, uom: 'CEL' }] }];
    const transformation = { type: 'TransformationEvent', transformationID: 'urn:x:t' };
    expect(through({ bizStep: 'unloading', sensorElementList: sensors, ...transformation })).to.deep.include({
      type: 'ObjectEvent',
      bizStep: 'unloading',
      sensorElementList: sensors,
      'otep:extensions': { '@type': '@json', '@value': { 'x-epcis': transformation } },
    });
    for (const bad of [
      5,
      {},
      { sensorElementList: [{}] },
      { 'otep:status_code': 'delivered' },
      { '@context': { otep: 'urn:x:' } },
      { '@context': { a: 'urn:otep:epcis:' } },
      { '@context': { cbv: 'urn:x:' } },
    ]) {
      const event = through(bad);
      expect(event, JSON.stringify(bad)).to.deep.include({
        bizStep: 'receiving',
        'otep:status_code': 'received',
        'otep:extensions': { '@type': '@json', '@value': { 'x-epcis': bad } },
      });
      expect(event).not.to.have.any.keys('sensorElementList', '@context');
    }
  });

  it('writes the same bytes for the same journey, except for the creation date', () => {
    fc.assert(
      fc.property(journey(), (of) => {
        expect(JSON.stringify(documentOf(of))).to.equal(JSON.stringify(documentOf(structuredCloneOf(of))));
      }),
      { numRuns: runs(50) },
    );
    expect(documentOf(journeyThrough(['picked_up', 'in_transit']))['creationDate']).to.equal(
      '2026-03-01T01:00:00+01:00',
    );
  });
});

const structuredCloneOf = (of: Journey): Journey => ({
  ...of,
  timeline: structuredClone(of.timeline),
  retracted: structuredClone(of.retracted),
});
