/** Converts an EPCIS 2.0 document to native events. Pure; never fetches an address that a document names. */
import { LIMITS } from '../../events/otep/check/limits.js';
import { settleCustody } from './custody.js';
import { DEFAULT_PREFIXES, expand, prefixesOf, type Prefixes } from './context.js';
import { checkBareEvent, checkDocument, checkQueryDocument } from './document-schema.js';
import { checkEvent } from './event-schema.js';
import { ownName, readExtension, type Restored } from './extension.js';
import { foreignLocation, isAtConsignee, parcelsOf } from './foreign.js';
import { eventHashes } from './hash.js';
import { X_EPCIS, foreignContentOf, withPrefixes } from './foreign-content.js';
import { statusOf } from './mapping.js';
import { bareWord, BIZ_STEP, DISPOSITION } from './names.js';
import type { EpcisReading, EventReading, InputEvent, Issue } from './reading.js';
import { isRecord, textOf, type JsonRecord } from './records.js';
import { inZone, isZoneOffset, nativeTime } from './times.js';

/**
 * Reads an EPCISDocument, an EPCISQueryDocument, a bare event, or a list of events. The document and each event are
 * checked as by the JSON Schema of EPCIS 2.0.1. A list is not a document of the schema: its events are checked like
 * events of a document. The caller must limit depth and size.
 */
export function readEpcis(document: unknown): EpcisReading {
  if (Array.isArray(document)) return readList(document, '', DEFAULT_PREFIXES);
  if (!isRecord(document))
    return refused([
      { code: 'WRONG_TYPE', path: '', message: 'must be an EPCIS document, an event, or a list of events' },
    ]);
  const prefixes = prefixesOf(document['@context']);
  switch (document['type']) {
    case 'EPCISDocument': {
      const errors = checkDocument(document);
      return errors.length > 0
        ? refused(errors)
        : readList(listAt(document, 'epcisBody', 'eventList'), '/epcisBody/eventList', prefixes);
    }
    case 'EPCISQueryDocument': {
      const errors = checkQueryDocument(document);
      const path = ['epcisBody', 'queryResults', 'resultsBody', 'eventList'];
      return errors.length > 0 ? refused(errors) : readList(listAt(document, ...path), `/${path.join('/')}`, prefixes);
    }
    default:
      return readBareEvent(document);
  }
}

const refused = (errors: readonly Issue[]): EpcisReading => ({ valid: false, errors });

/** Returns the list at a path that the document check has already verified. */
const listAt = (document: JsonRecord, ...path: readonly string[]): readonly unknown[] =>
  path.reduce<unknown>((at, name) => (at as JsonRecord)[name], document) as readonly unknown[];

function readBareEvent(event: JsonRecord): EpcisReading {
  if (typeof event['type'] !== 'string')
    return refused(checkEvent(event, '').filter((issue) => issue.path === '/type'));
  const errors = checkBareEvent(event);
  if (errors.length > 0)
    return {
      valid: true,
      events: [{ valid: false, index: 0, pointer: '', errors: [...errors, ...checkEvent(event, '')] }],
    };
  return { valid: true, events: [readEvent(event, 0, '', DEFAULT_PREFIXES)] };
}

function readList(list: readonly unknown[], pointer: string, prefixes: Prefixes): EpcisReading {
  return {
    valid: true,
    events: settleCustody(list.map((event, index) => readEvent(event, index, `${pointer}/${index}`, prefixes))),
  };
}

function readEvent(event: unknown, index: number, pointer: string, outer: Prefixes): EventReading {
  const errors = checkEvent(event, pointer);
  if (errors.length > 0) return { valid: false, index, pointer, errors };
  const valid = event as JsonRecord;
  const prefixes = prefixesOf(valid['@context'], outer);
  const declaration = isRecord(valid['errorDeclaration']) ? valid['errorDeclaration'] : undefined;
  const occurredAt = nativeTime(valid['eventTime'] as string);
  const declaredAt = declaration && nativeTime(declaration['declarationTime'] as string);
  if (occurredAt === null || declaredAt === null) {
    return {
      valid: false,
      index,
      pointer,
      errors: [outOfRange(`${pointer}/${occurredAt === null ? 'eventTime' : 'errorDeclaration/declarationTime'}`)],
    };
  }
  const restored = readExtension(ownMembers(valid, prefixes), occurredAt, textOf(valid['recordTime']));
  const hashes = restored === null ? eventHashes(valid, prefixes) : undefined;
  const frame = {
    valid: true,
    index,
    pointer,
    ...(restored === null
      ? { ...parcelsOf(valid), ours: false, hashes: hashes! }
      : { subjects: [restored.subject], ours: true }),
  } as const;
  const id = restored?.event.event_id ?? idOf(valid) ?? hashes!.given;
  if (declaration !== undefined)
    return { ...frame, event: retraction(id, declaration, declaredAt!, { prefixes, ours: restored !== null }) };
  if (restored !== null) {
    const { recordedAt } = restored;
    return { ...frame, event: nativeEvent(restored, valid), ...(recordedAt !== undefined && { recordedAt }) };
  }
  const step = textOf(valid['bizStep']);
  const word = step === undefined ? undefined : bareWord(step, BIZ_STEP, prefixes);
  return {
    ...frame,
    event: foreignEvent(valid, word, id, localTime(occurredAt, valid), prefixes),
    ...(word === 'accepting' && { accepting: true }),
  };
}

/** Applies the zone from `eventTimeZoneOffset`, because most software writes the time itself in UTC. */
function localTime(occurredAt: string, { eventTimeZoneOffset: zone }: JsonRecord): string {
  return typeof zone === 'string' && isZoneOffset(zone) ? inZone(occurredAt, zone) : occurredAt;
}

/** Returns the event's own id; undefined if it is too long for a native event, which then gets its hash as id. */
function idOf(event: JsonRecord): string | undefined {
  const id = textOf(event['eventID']);
  return id === undefined || id.length > LIMITS.eventId ? undefined : id;
}

const outOfRange = (path: string): Issue => ({
  code: 'TIME_OUT_OF_RANGE',
  path,
  message: 'must be in the years 0000 to 9999 in UTC',
});

/** Returns the members of the OTEP namespace by their local names, at both levels that this service writes. */
function ownMembers(event: JsonRecord, prefixes: Prefixes): JsonRecord | undefined {
  let own: Record<string, unknown> | undefined;
  for (const name in event) {
    const local = name.includes(':') ? ownName(expand(name, prefixes)) : undefined;
    if (local === undefined) continue;
    const value = event[name];
    (own ??= {})[local] = isRecord(value) ? (ownMembers(value, prefixes) ?? value) : value;
  }
  return own;
}

/** Restores a native event, including the part of `x-epcis` that is written in the EPCIS event itself. */
function nativeEvent({ event, kept }: Restored, valid: JsonRecord): InputEvent {
  if (kept.length === 0) return event;
  const given = Object.fromEntries(
    kept.filter((name) => Object.hasOwn(valid, name)).map((name) => [name, valid[name]]),
  );
  const rest = event[X_EPCIS];
  return { ...event, [X_EPCIS]: { ...given, ...(isRecord(rest) && rest) } };
}

/**
 * Converts an event without an OTEP status: the status follows from its step, and the other content is stored in
 * `x-epcis`.
 */
function foreignEvent(
  event: JsonRecord,
  step: string | undefined,
  event_id: string,
  occurred_at: string,
  prefixes: Prefixes,
): InputEvent {
  const location = foreignLocation(event);
  const disposition = textOf(event['disposition']);
  const damaged = disposition !== undefined && bareWord(disposition, DISPOSITION, prefixes) === 'damaged';
  const kept = foreignContentOf(event, occurred_at, prefixes);
  return {
    event_id,
    occurred_at,
    status_code: statusOf(step, { inHand: false, atConsignee: step === 'receiving' && isAtConsignee(event, prefixes) }),
    ...(location !== undefined && { location }),
    ...(damaged && { incident_reason: { code: 'damaged' } }),
    ...(step !== undefined && step.length <= LIMITS.code && { raw: { code: step } }),
    ...(Object.keys(kept).length > 0 && { [X_EPCIS]: kept }),
  };
}

/** An error declaration repeats its event and retracts it, so it has the id of the retracted event. */
function retraction(
  id: string,
  declaration: JsonRecord,
  declaredAt: string,
  { prefixes, ours }: { readonly prefixes: Prefixes; readonly ours: boolean },
): InputEvent {
  // The default content of this service's own retractions is not stored. A foreign declaration has its own time, which
  // is stored and written back.
  const plain =
    ours &&
    declaredAt === declaration['declarationTime'] &&
    declaration['reason'] === 'did_not_occur' &&
    Object.keys(declaration).length === 2;
  return {
    event_id: id,
    retracts: id,
    occurred_at: declaredAt,
    ...(!plain && { [X_EPCIS]: withPrefixes({ errorDeclaration: declaration }, prefixes) }),
  };
}
