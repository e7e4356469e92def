/**
 * A unece:Consignment with its transport events in the UN/CEFACT web vocabulary (terms equal in D22A and D23B).
 *
 * The document contains its context: only the terms that it uses, defined as in the published context. A reader
 * therefore needs no network and gets the same graph as with the published context. That context has hundreds of
 * kilobytes and an address per release. A term that is missing from it cannot be dropped silently.
 */
import type { Journey, Location, Source, TimelineEvent } from '../../events/otep/model.js';
import { incidentReason } from '../../events/otep/reasons.js';
import type { SerializeContext } from '../format.js';
import { otherCarriers, shownCarrier } from '../support/vendor-subject.js';
import { parcelNumber, trackingAddress } from '../support/parcel.js';
import { wordsOf } from '../support/label.js';
import { nativeMembers, OTEP_TERMS } from '../support/members.js';
import { hasAddress, placeOf } from '../support/place.js';
import { rec24Iri, UNECE } from '../support/rec24.js';
import { utcOf } from '../support/utc.js';

type Node = Record<string, unknown>;
type Kind = 'xsd:string' | 'xsd:dateTime' | '@id' | '@vocab';

const terms = (kind: Kind, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { '@id': `unece:${name}`, '@type': kind }]));
const classes = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { '@id': `unece:${name}` }]));

const CONTEXT = {
  unece: UNECE,
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  otep: OTEP_TERMS,
  id: '@id',
  type: '@type',
  ...classes(
    'Consignment',
    'TransportEvent',
    'LogisticsLocation',
    'GeographicalCoordinate',
    'TradeAddress',
    'TradeParty',
    'Note',
  ),
  ...terms(
    '@id',
    'transportEvent',
    'deliveryTransportEvent',
    'occurrenceLogisticsLocation',
    'physicalGeographicalCoordinate',
    'latitudeMeasure',
    'longitudeMeasure',
    'postalAddress',
    'certifyingParty',
    'carrierParty',
    'applicableNote',
  ),
  ...terms('@vocab', 'reportedConditionTypeCode'),
  ...terms('xsd:dateTime', 'receivedDateTime'),
  ...terms(
    'xsd:string',
    'identifier',
    'carrierAssignedId',
    'consignorAssignedId',
    'description',
    'reasonTypeCode',
    'actualOccurrenceDateTime',
    'estimatedOccurrenceDateTime',
    'scheduledOccurrenceDateTime',
    'name',
    'cityName',
    'postcodeCode',
    'countryId',
    'countrySubDivisionName',
    'subject',
    'content',
  ),
};

const putMembers = nativeMembers('otep:', ['recorded_at', 'description']);

export function consignment(journey: Journey, context: SerializeContext): unknown {
  const { timeline, retracted, planned, uuidOf } = journey;
  const [carrier, others] = [shownCarrier(journey), otherCarriers(journey)];
  const { subject } = timeline;
  return {
    '@context': CONTEXT,
    id: trackingAddress(journey, context),
    type: 'Consignment',
    identifier: parcelNumber(subject),
    ...(subject.tracking_number !== undefined && { carrierAssignedId: subject.tracking_number }),
    ...(subject.order_id !== undefined && { consignorAssignedId: subject.order_id }),
    ...(carrier !== undefined && { carrierParty: { type: 'TradeParty', identifier: carrier } }),
    transportEvent: timeline.events.map((event) => transportEvent(event, uuidOf(event))),
    ...(planned && {
      deliveryTransportEvent: { type: 'TransportEvent', scheduledOccurrenceDateTime: utcOf(planned.by) },
      'otep:planned_delivery': JSON.stringify(planned),
    }),
    'otep:subject': JSON.stringify(subject),
    ...(others !== undefined && { 'otep:alternatives': others }),
    ...(retracted.length > 0 && { 'otep:retracted': JSON.stringify(retracted) }),
  };
}

function transportEvent(event: TimelineEvent, uuid: string): Node {
  const node: Node = { id: `urn:uuid:${uuid}`, type: 'TransportEvent' };
  if (event.description !== undefined) node.description = event.description;
  const code = rec24Iri(event.status_code);
  if (code !== undefined) node.reportedConditionTypeCode = code;
  const time = event.anomaly === 'in_the_future' ? 'estimatedOccurrenceDateTime' : 'actualOccurrenceDateTime';
  node[time] = utcOf(event.occurred_at);
  if (event.recorded_at !== undefined) node.receivedDateTime = utcOf(event.recorded_at);
  const place = placeOf(event.location);
  if (place) node.occurrenceLogisticsLocation = location(place);
  const { incident_reason: reason, source } = event;
  if (reason) {
    const number = incidentReason(reason.code)?.rec24;
    if (number) node.reasonTypeCode = number;
    node.applicableNote = {
      type: 'Note',
      subject: wordsOf(reason.code),
      ...(reason.text !== undefined && { content: reason.text }),
    };
  }
  if (source?.name !== undefined || source?.provider !== undefined) node.certifyingParty = party(source);
  putMembers(event, (name, value) => {
    node[name] = value;
  });
  return node;
}

function party({ provider, name }: Source): Node {
  const node: Node = { type: 'TradeParty' };
  if (provider !== undefined) node.identifier = provider;
  if (name !== undefined) node.name = name;
  return node;
}

function location(place: Location): Node {
  const node: Node = { type: 'LogisticsLocation' };
  if (place.code !== undefined) node.identifier = place.code;
  if (place.name !== undefined) node.name = place.name;
  if (place.latitude !== undefined && place.longitude !== undefined) {
    node.physicalGeographicalCoordinate = {
      type: 'GeographicalCoordinate',
      latitudeMeasure: measure(place.latitude),
      longitudeMeasure: measure(place.longitude),
    };
  }
  if (hasAddress(place)) node.postalAddress = address(place);
  return node;
}

function address({ city, region, postal_code, country }: Location): Node {
  const node: Node = { type: 'TradeAddress' };
  if (city !== undefined) node.cityName = city;
  if (region !== undefined) node.countrySubDivisionName = region;
  if (postal_code !== undefined) node.postcodeCode = postal_code;
  if (country !== undefined) node.countryId = country;
  return node;
}

/** Degrees. A measure is a node in this vocabulary, which has no term for its number, so rdf:value is used. */
const measure = (value: number): Node => ({ 'rdf:value': { '@value': String(value), type: 'xsd:double' } });
