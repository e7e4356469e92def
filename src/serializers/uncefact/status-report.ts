/**
 * UNECE-MultimodalTransportConsignmentStatusReport, D23B. Content that has no member in the schema is written in
 * `x-otep`.
 */
import { STATUS_CODES } from '../../events/otep/codes.js';
import type { Journey, Location, TimelineEvent } from '../../events/otep/model.js';
import { incidentReason } from '../../events/otep/reasons.js';
import type { SerializeContext } from '../format.js';
import { parcelNumber, trackingAddress } from '../support/parcel.js';
import { wordsOf } from '../support/label.js';
import { placeCode, placeOf } from '../support/place.js';
import { shownCarrier } from '../support/vendor-subject.js';
import { utcOf } from '../support/utc.js';

type Node = Record<string, unknown>;

/** Codes of UN/ECE and GS1 in UNTDID 3055, the list of code list agencies. */
const UNECE = '6';
const GS1 = '9';

const rec24 = (content: string): Node => ({ content, listAgencyId: UNECE });
const CONDITIONS = new Map<string, Node>(STATUS_CODES.map((row) => [row.code, rec24(row.rec24)]));
/** UNTDID 1001: transport status report. */
const TRANSPORT_STATUS_REPORT = rec24('44');

/**
 * `transportEvent` contains what happened, when and where. `reportedLogisticsStatus` contains the status of the
 * consignment after each event, and the reason. An experimental code has no number in Rec 24: such an event has no
 * typeCode, and has a status only for its incident reason. An event in the future has an estimated time.
 */
export function statusReport(journey: Journey, context: SerializeContext): unknown {
  const { timeline, retracted, planned, carrierMatch } = journey;
  const carrier = shownCarrier(journey);
  const { events, subject, otep_version: _version, ...summary } = timeline;
  const transportEvent: Node[] = [];
  const reportedLogisticsStatus: Node[] = [];
  for (const event of events) {
    const time = utcOf(event.occurred_at);
    const place = placeOf(event.location);
    const where = place && location(place);
    transportEvent.push(toTransportEvent(event, time, where));
    if (changesCondition(event) && (CONDITIONS.has(event.status_code) || event.incident_reason))
      reportedLogisticsStatus.push(condition(event, time, where));
  }
  return {
    exchangedDocument: exchangedDocument(journey, context),
    specifiedConsignment: [
      {
        id: [{ content: parcelNumber(subject) }],
        ...(subject.tracking_number !== undefined && { carrierAssignedId: { content: subject.tracking_number } }),
        ...(subject.order_id !== undefined && { consignorAssignedId: { content: subject.order_id } }),
        ...(carrier !== undefined && { carrier: { id: [{ content: carrier }] } }),
        transportEvent,
        ...(planned && {
          deliveryEvent: { scheduledOccurrenceDateTime: utcOf(planned.by), 'x-otep': { planned_delivery: planned } },
        }),
        reportedLogisticsStatus,
        'x-otep': {
          ...summary,
          subject,
          ...(retracted.length > 0 && { retracted }),
          ...(carrierMatch && carrierMatch.alternatives.length > 0 && { alternatives: carrierMatch.alternatives }),
        },
      },
    ],
  };
}

/** An event in the future, or after the end of the journey, does not change the condition of the consignment. */
const changesCondition = ({ anomaly }: TimelineEvent): boolean =>
  anomaly !== 'in_the_future' && anomaly !== 'after_terminal';

/**
 * The issue time of the report is the record time of its last change. A timeline without events has no such time, but
 * the schema requires one. In that case the document is referenced by its address, which the schema allows.
 */
function exchangedDocument(journey: Journey, context: SerializeContext): unknown {
  const { timeline, retracted, revision } = journey;
  const times = [
    ...timeline.events.map((event) => event.recorded_at ?? event.occurred_at),
    ...retracted.map((one) => one.retracted_at),
  ].map(utcOf);
  if (times.length === 0) return trackingAddress(journey, context);
  return {
    id: { content: `${parcelNumber(timeline.subject)}/${revision}` },
    typeCode: TRANSPORT_STATUS_REPORT,
    issueDateTime: times.reduce((latest, time) => (Date.parse(time) > Date.parse(latest) ? time : latest)),
  };
}

function toTransportEvent(event: TimelineEvent, time: string, where: Node | undefined): Node {
  const { otep_version: _version, location: _location, ...native } = event;
  const node: Node = {};
  const code = CONDITIONS.get(event.status_code);
  if (code) node.typeCode = code;
  node[event.anomaly === 'in_the_future' ? 'estimatedOccurrenceDateTime' : 'actualOccurrenceDateTime'] = time;
  if (where) node.occurrenceLogisticsLocation = where;
  node['x-otep'] = native;
  return node;
}

function condition(
  { event_id, status_code, status_id, incident_reason }: TimelineEvent,
  time: string,
  where: Node | undefined,
): Node {
  const node: Node = {};
  const code = CONDITIONS.get(status_code);
  if (code) node.conditionCode = code;
  node.referenceDateTime = time;
  if (incident_reason) {
    const number = incidentReason(incident_reason.code)?.rec24;
    if (number) node.reasonCode = [rec24(number)];
    node.reason = [{ content: incident_reason.text ?? wordsOf(incident_reason.code) }];
  }
  if (where) node.specifiedLogisticsLocation = [where];
  node['x-otep'] = { event_id, status_id };
  return node;
}

function location(place: Location): Node {
  const { name, code, latitude, longitude, ...rest } = place;
  const node: Node = {};
  if (code !== undefined) {
    const kind = placeCode(code, place.country);
    node.id = [kind === 'own' ? { content: code } : { content: code, schemeAgencyId: kind === 'gln' ? GS1 : UNECE }];
  }
  // The schema's place has no address. A place without a name and code is named by its postal code, city, region and
  // country.
  const shown = name ?? (code === undefined ? addressOf(rest) : '');
  if (shown !== '') node.name = [{ content: shown }];
  if (latitude !== undefined && longitude !== undefined)
    node.physicalGeographicalCoordinate = { latitude: degrees(latitude), longitude: degrees(longitude) };
  for (const _ in rest) {
    node['x-otep'] = rest;
    break;
  }
  return node;
}

const addressOf = ({ postal_code, city, region, country }: Location): string =>
  [[postal_code, city].filter(Boolean).join(' '), region, country].filter(Boolean).join(', ');

/**
 * The schema requires a decimal text, but JavaScript writes a number below a millionth with an exponent. DD is the
 * degree in UN/ECE Rec 20.
 */
const degrees = (value: number): Node => ({
  content: Math.abs(value) < 1e-6 ? value.toFixed(12) : String(value),
  unitCode: 'DD',
});
