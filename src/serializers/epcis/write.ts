/** Converts a journey to EPCIS 2.0 events. Pure: the same journey gives the same bytes. */
import type { Journey, RetractedEvent, TimelineEvent } from '../../events/otep/model.js';
import { instantOf } from '../../events/otep/time.js';
import { subjectExtension, writeExtension } from './extension.js';
import { shownCarrier } from '../support/vendor-subject.js';
import { epcOf, names } from './identifiers.js';
import { restoreForeignContent, giveBackDeclaration, X_EPCIS, type Given, type Own } from './foreign-content.js';
import { initialPast, applyEvent, termsFor, type Past } from './mapping.js';
import { placeUri } from './places.js';
import { isRecord, type JsonRecord } from './records.js';
import { eventTimeOf, stampOf } from './times.js';
import { EPCIS_CONTEXT, OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

/**
 * Returns the EPCISDocument of a journey, valid by the JSON Schema of EPCIS 2.0.1. Its creation date is the time of the
 * journey's last change, so an unchanged journey gives an unchanged document.
 */
export function writeDocument(journey: Journey): JsonRecord {
  const carrier = shownCarrier(journey);
  const others = journey.carrierMatch?.alternatives ?? [];
  return {
    '@context': [EPCIS_CONTEXT, { [OTEP_PREFIX]: OTEP_NAMESPACE }],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: lastChange(journey),
    ...(carrier !== undefined && { 'otep:carrier': carrier }),
    ...(others.length > 0 && { 'otep:alternatives': others }),
    epcisBody: { eventList: writeEvents(journey) },
  };
}

/** Returns the events of a journey in timeline order, then each retracted event followed by its error declaration. */
export function writeEvents(journey: Journey): JsonRecord[] {
  const { timeline, retracted } = journey;
  const epc = epcOf(timeline.subject);
  const frame: Frame = {
    journey,
    epcList: epc === undefined ? [] : [epc],
    own: { epc, isIt: (other) => names(timeline.subject, other) },
    subject: subjectExtension(timeline.subject),
  };
  const past = initialPast();
  const out = timeline.events.map((event) => {
    const written = writeEvent(event, past, frame);
    applyEvent(past, event.status_code);
    return written;
  });
  for (const one of retracted) {
    const written = writeEvent(one.event, pastOf(one.event, timeline.events), frame);
    out.push(written, declareError(written, one));
  }
  return out;
}

/** Values that all events of a journey share. */
interface Frame {
  readonly journey: Journey;
  readonly epcList: readonly string[];
  readonly own: Own;
  readonly subject: JsonRecord;
}

const NOTHING_GIVEN: Given = { members: {}, rest: undefined };

function writeEvent(event: TimelineEvent, past: Past, { journey, epcList, own, subject }: Frame): JsonRecord {
  const { eventTime, eventTimeZoneOffset } = eventTimeOf(event.occurred_at);
  const { members, naming, rest } =
    event[X_EPCIS] === undefined ? NOTHING_GIVEN : restoreForeignContent(event[X_EPCIS], own);
  const kept = Object.keys(members);
  const out: Record<string, unknown> = {
    type: 'ObjectEvent',
    eventID: `urn:uuid:${journey.uuidOf(event)}`,
    eventTime,
    eventTimeZoneOffset,
  };
  if (event.recorded_at !== undefined) out['recordTime'] = stampOf(event.recorded_at);
  Object.assign(out, naming ?? { epcList });
  out['action'] = 'OBSERVE';
  if (members['action'] === undefined && members['bizStep'] === undefined)
    writeWords(out, event, past, event.source?.provider ?? journey.carrier ?? '');
  Object.assign(out, members);
  writeExtension(out, event, { subject, eventTime, kept, extensions: extensionsOf(event, rest) });
  return out;
}

/** Writes the CBV terms of a native event. A foreign event is written with its own terms instead. */
function writeWords(out: Record<string, unknown>, event: TimelineEvent, past: Past, provider: string): void {
  const { action, bizStep, disposition, stays } = termsFor(event, past);
  out['action'] = action;
  out['bizStep'] = bizStep;
  if (disposition !== undefined) out['disposition'] = disposition;
  const id = event.location && placeUri(event.location, provider);
  if (id === undefined) return;
  out['readPoint'] = { id };
  if (stays) out['bizLocation'] = { id };
}

function extensionsOf(event: TimelineEvent, rest: unknown): JsonRecord {
  const out: Record<string, unknown> = {};
  for (const name in event) {
    if (name.startsWith('x-') && name !== X_EPCIS) out[name] = event[name as `x-${string}`];
  }
  if (rest !== undefined) out[X_EPCIS] = rest;
  return out;
}

/** Returns the past of a retracted event: the events before its time. */
function pastOf(event: TimelineEvent, events: readonly TimelineEvent[]): Past {
  const past = initialPast();
  const end = instantOf(event.occurred_at) ?? '';
  for (const { occurred_at, status_code } of events) {
    if ((instantOf(occurred_at) ?? '') >= end) break;
    applyEvent(past, status_code);
  }
  return past;
}

/**
 * Returns the error declaration of an event. A foreign declaration is written back unchanged; the one of this service
 * states that the scan did not happen.
 */
function declareError(written: JsonRecord, { retracted_at, extensions }: RetractedEvent): JsonRecord {
  const declarationTime = stampOf(retracted_at);
  const given = giveBackDeclaration(extensions?.[X_EPCIS]);
  if (given === undefined) return { ...written, errorDeclaration: { declarationTime, reason: 'did_not_occur' } };
  const context = [written['@context'], given['@context']].filter(isRecord);
  return {
    ...written,
    ...(context.length > 0 && { '@context': Object.assign({}, ...context) as JsonRecord }),
    errorDeclaration: given.errorDeclaration,
  };
}

const NEVER = '1970-01-01T00:00:00Z';

/**
 * Returns when the last event or retraction was recorded; for a document that was never stored, the time of its last
 * event.
 */
function lastChange({ timeline, retracted }: Journey): string {
  const recorded = timeline.events.map((event) => event.recorded_at).filter((time) => time !== undefined);
  const times = recorded.length > 0 ? recorded : timeline.events.map((event) => event.occurred_at);
  return latest([...times, ...retracted.map((one) => one.retracted_at)]);
}

function latest(times: readonly string[]): string {
  let last = NEVER;
  let lastInstant = '';
  for (const time of times) {
    if (time === last) continue;
    const instant = instantOf(time);
    if (instant !== null && instant > lastInstant) [last, lastInstant] = [time, instant];
  }
  return stampOf(last);
}
