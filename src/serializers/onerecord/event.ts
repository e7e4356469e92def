/** The cargo:LogisticsEvent of each event of a timeline, for the timeline's cargo:Piece. */
import { STATUS_CODES } from '../../events/otep/codes.js';
import {
  IDENTIFIERS,
  type DeliveryPlan,
  type Journey,
  type Source,
  type Subject,
  type TimelineEvent,
} from '../../events/otep/model.js';
import { derivedId } from '../../events/otep/identity.js';
import { labelOf, wordsOf } from '../support/label.js';
import { nativeMembers } from '../support/members.js';
import { placeOf } from '../support/place.js';
import { rec24Iri, REC24_LIST } from '../support/rec24.js';
import { dateTime, embeddedId, type Node } from './nodes.js';
import { location } from './place.js';

export interface Links {
  readonly baseUrl: string;
  /** Address of the collection. */
  readonly address: string;
}

/**
 * Codes of the closed list codes:StatusCode that mean the same as OTEP codes. The other OTEP codes use Rec 24 codes,
 * because the property is open.
 */
const STATUS_CODE: Readonly<Record<string, string>> = {
  picked_up: 'DPU',
  received: 'FIW',
  package_outbound: 'FOW',
  delivered: 'DDL',
};

const STATUS_LIST = 'https://onerecord.iata.org/ns/code-lists/StatusCode';
const EVENT_CODES = new Map<string, Node>(
  STATUS_CODES.map(({ code }) => [
    code,
    { '@id': code in STATUS_CODE ? `${STATUS_LIST}#${STATUS_CODE[code]}` : rec24Iri(code) },
  ]),
);

const ACTUAL = { '@id': 'cargo:ACTUAL' };
const PLANNED = { '@id': 'cargo:PLANNED' };
/** Rec 24 code of a scheduled delivery. */
const SCHEDULED = { '@id': `${REC24_LIST}#209` };
const EXPECTED = { '@id': 'cargo:EXPECTED' };
const putMembers = nativeMembers('otep:', ['recorded_at', 'proof.kind', 'proof.url']);

/** Returns the logistics events of a journey, then the planned delivery if there is one. */
export function logisticsEvents({ timeline, planned, uuidOf }: Journey, links: Links): Node[] {
  const piece = { '@id': pieceIri(timeline.subject, links.address), '@type': 'cargo:Piece' };
  const companies = new Map<string, Node>();
  const events = timeline.events.map((event, index) => {
    const uuid = uuidOf(event);
    const node = logisticsEvent(event, uuid, links);
    // A node is described at its first occurrence and only referenced afterwards.
    node['cargo:eventFor'] =
      index === 0 ? { ...piece, 'cargo:otherIdentifiers': identifiers(timeline.subject, uuid) } : piece;
    const organization = event.source && company(event.source, companies);
    if (organization) node['cargo:recordingOrganization'] = organization;
    return node;
  });
  return planned ? [...events, { ...plannedDelivery(planned, links), 'cargo:eventFor': piece }] : events;
}

const plannedDelivery = (planned: DeliveryPlan, { address }: Links): Node => ({
  '@id': `${address}#planned-delivery`,
  '@type': 'cargo:LogisticsEvent',
  'cargo:eventDate': dateTime(planned.by),
  'cargo:eventCode': SCHEDULED,
  'cargo:eventName': 'Delivery, scheduled',
  'cargo:eventTimeType': PLANNED,
  'cargo:partialEventIndicator': false,
  'otep:planned_delivery': JSON.stringify(planned),
});

function logisticsEvent(event: TimelineEvent, uuid: string, { address, baseUrl }: Links): Node {
  const node: Node = {
    '@id': `${address}#${uuid}`,
    '@type': 'cargo:LogisticsEvent',
    'cargo:eventDate': dateTime(event.occurred_at),
  };
  if (event.recorded_at !== undefined) node['cargo:creationDate'] = dateTime(event.recorded_at);
  const code = EVENT_CODES.get(event.status_code);
  if (code) node['cargo:eventCode'] = code;
  node['cargo:eventName'] = eventName(event);
  node['cargo:eventTimeType'] = event.anomaly === 'in_the_future' ? EXPECTED : ACTUAL;
  node['cargo:partialEventIndicator'] = false;
  const place = placeOf(event.location);
  if (place) node['cargo:eventLocation'] = location(place, uuid, baseUrl);
  if (event.proof) node['cargo:externalReferences'] = proof(event.proof, uuid);
  putMembers(event, (name, value) => {
    node[name] = value;
  });
  return node;
}

/**
 * For example "Delivery failed: recipient absent (nobody at home)". The reason is in the name because the model has no
 * property for it.
 */
function eventName({ status_code, incident_reason }: TimelineEvent): string {
  const label = labelOf(status_code);
  if (!incident_reason) return label;
  const text = incident_reason.text === undefined ? '' : ` (${incident_reason.text})`;
  return `${label}: ${wordsOf(incident_reason.code)}${text}`;
}

const proof = ({ kind, url }: NonNullable<TimelineEvent['proof']>, parent: string): Node => ({
  '@id': embeddedId(parent, 'ExternalReference'),
  '@type': 'cargo:ExternalReference',
  'cargo:documentType': kind,
  ...(url !== undefined && { 'cargo:documentLink': url }),
});

/** Returns the company that recorded the event, described once. A source that has only a type names no company. */
function company({ name, provider }: Source, known: Map<string, Node>): Node | undefined {
  const called = name ?? provider;
  if (called === undefined) return undefined;
  const key = `${provider ?? ''}\u0000${called}`;
  const before = known.get(key);
  if (before) return before;
  const reference = { '@id': `internal:${derivedId('onerecord', 'Company', key)}`, '@type': 'cargo:Company' };
  known.set(key, reference);
  return { ...reference, 'cargo:name': called, ...(provider !== undefined && { 'cargo:shortName': provider }) };
}

/**
 * Returns the piece's own IRI, or else its SSCC as a GS1 Digital Link, or else a fragment of the timeline's address.
 */
function pieceIri({ piece_id, gs1_sscc }: Subject, address: string): string {
  if (piece_id !== undefined && /^(?:https?:\/\/|urn:)[^\s<>"{}|\\^`]+$/i.test(piece_id)) return piece_id;
  return gs1_sscc === undefined ? `${address}#piece` : `https://id.gs1.org/00/${gs1_sscc}`;
}

function identifiers(subject: Subject, parent: string): Node[] {
  return IDENTIFIERS.filter((type) => subject[type] !== undefined).map((type) => ({
    '@id': embeddedId(parent, `OtherIdentifier:${type}`),
    '@type': 'cargo:OtherIdentifier',
    'cargo:otherIdentifierType': type,
    'cargo:textualValue': subject[type],
  }));
}
