/** What `convert` takes: each format that scans are pushed in, told apart by its form. */
import { checkDocument } from '../../../events/otep/check/document.js';
import type { Journey, Subject } from '../../../events/otep/model.js';
import { instantAt } from '../../../events/otep/time.js';
import { readEpcis } from '../../../serializers/epcis/read.js';
import type { EventReading, ValidReading } from '../../../serializers/epcis/reading.js';
import { ApiError, fieldOf } from '../../core/errors.js';
import { fieldErrorOf } from './ingest-answer.js';

/** The journey in a document. Throws INVALID_INPUT, INVALID_EPCIS and NOT_ONE_PARCEL. */
export const journeyFrom = (document: unknown, now: number): Journey =>
  isEpcis(document) ? fromEpcis(document, now) : fromOtep(document, now, fieldErrorOf);

/** EPCIS documents and events name their type, or are a list; nothing native does or is. */
const isEpcis = (document: unknown): boolean =>
  Array.isArray(document) ||
  (typeof document === 'object' && document !== null && typeof (document as { type?: unknown }).type === 'string');

function fromOtep(document: unknown, now: number, blame: typeof fieldErrorOf): Journey {
  const { journey, errors } = checkDocument(document, { now: instantAt(now) });
  if (!journey) throw new ApiError('INVALID_INPUT', { errors: errors.map(blame) });
  return journey;
}

function fromEpcis(document: unknown, now: number): Journey {
  const reading = readEpcis(document);
  const errors = reading.valid ? reading.events.flatMap((event) => (event.valid ? [] : event.errors)) : reading.errors;
  if (!reading.valid || errors.length > 0)
    throw new ApiError('INVALID_EPCIS', { errors: errors.map((error) => ({ field: fieldOf(error.path), ...error })) });
  const events = reading.events as readonly ValidReading[];
  const subject = onlySubjectOf(events);
  const pointerOf = (path: string): string => {
    const index = /^\/events\/(\d+)/.exec(path)?.[1];
    return (index === undefined ? events[0] : events[Number(index)])?.pointer ?? '';
  };
  return fromOtep(
    { otep_version: '0.1', profile: 'parcel', subject, events: events.map(({ event }) => event) },
    now,
    (finding) => fieldErrorOf({ ...finding, path: pointerOf(finding.path) }),
  );
}

/** A timeline is one parcel's. */
function onlySubjectOf(events: readonly (EventReading & { readonly valid: true })[]): Subject {
  const subjects = new Map(
    events.flatMap(({ subjects }) => subjects.map((subject) => [JSON.stringify(subject), subject] as const)),
  );
  const [subject, ...others] = subjects.values();
  if (!subject || others.length > 0 || events.some(({ subjects }) => subjects.length === 0))
    throw new ApiError('NOT_ONE_PARCEL', {
      params: { count: subjects.size },
      errors: [{ field: 'document', path: '', code: 'NOT_ONE_PARCEL', params: { count: subjects.size } }],
    });
  return subject;
}
