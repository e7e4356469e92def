/** Input of `convert`: each format in which events are pushed, recognized by its form. */
import { checkDocument } from '../../../events/otep/check/document.js';
import type { MapRaw } from '../../../events/otep/check/status.js';
import { readSubject } from '../../../events/otep/check/subject.js';
import { PROFILE, type Journey, type Subject } from '../../../events/otep/model.js';
import { instantAt } from '../../../events/otep/time.js';
import { readEpcis } from '../../../serializers/epcis/read.js';
import type { EventReading, ValidReading } from '../../../serializers/epcis/reading.js';
import { ApiError, fieldOf } from '../../core/errors.js';
import { fieldErrorOf } from './ingest-response.js';
import { eventOfStatus, isRecord, statusesIn } from './statuses.js';

/** The time of the request, and the status mapping of its caller. */
export interface ConversionContext {
  readonly now: number;
  /** Status mapping of the calling provider; absent: raw codes are not mapped. */
  readonly mapRaw?: MapRaw | undefined;
}

/** The journey in a document. Throws INVALID_INPUT, INVALID_EPCIS and NOT_ONE_PARCEL. */
export function journeyFrom(document: unknown, context: ConversionContext): Journey {
  if (isStatuses(document)) return fromStatuses(document, context);
  if (isEpcis(document)) return fromEpcis(document, context);
  if (!isRecord(document) || !Array.isArray(document['timelines'])) return fromOtep(document, context, fieldErrorOf);
  const timelines = document['timelines'] as readonly unknown[];
  if (timelines.length !== 1) throw notOneParcel(timelines.length);
  return fromOtep(timelines[0], context, (finding) =>
    fieldErrorOf({ ...finding, path: `/timelines/0${finding.path}` }),
  );
}

/** EPCIS documents and events have a `type`, or are a list. Native documents have no `type` and are never a list. */
const isEpcis = (document: unknown): boolean =>
  Array.isArray(document) || (isRecord(document) && typeof document['type'] === 'string');

/** A status names its parcel, or has no time. It has no events and no EPCIS `type`. */
function isStatuses(document: unknown): boolean {
  if (Array.isArray(document)) return document.length > 0 && document.every(isStatus);
  return isRecord(document) && ('statuses' in document || isStatus(document));
}

const isStatus = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['type'] !== 'string' &&
  !('events' in value) &&
  ('status_code' in value || 'raw' in value) &&
  ('tracking_number' in value || !('occurred_at' in value));

function fromOtep(document: unknown, { now, mapRaw }: ConversionContext, toFieldError: typeof fieldErrorOf): Journey {
  const { journey, errors } = checkDocument(document, { now: instantAt(now), mapRaw });
  if (!journey) throw new ApiError('INVALID_INPUT', { errors: errors.map(toFieldError) });
  return journey;
}

/** Reads statuses as a push would: each becomes an event of the parcel that all of them name. */
function fromStatuses(document: unknown, context: ConversionContext): Journey {
  const list = statusesIn(document);
  const invalidStatuses = list.filter(({ value }) => !isRecord(value));
  if (invalidStatuses.length > 0)
    throw new ApiError('INVALID_INPUT', {
      errors: invalidStatuses.map(({ path }) => ({
        field: fieldOf(path),
        path,
        code: 'INVALID_TYPE',
        params: { expected: 'object' },
      })),
    });
  const converted = list.map(({ value }, index) => eventOfStatus(value as Record<string, unknown>, context.now, index));
  const subjectKeys = new Set(
    converted.map(({ subject }) => JSON.stringify(readSubject(subject, { path: '' }).subject)),
  );
  if (subjectKeys.size !== 1) throw notOneParcel(subjectKeys.size);
  const timeline = {
    otep_version: '0.1',
    profile: PROFILE,
    subject: converted[0]!.subject,
    events: converted.map(({ event }) => event),
  };
  const pathOf = (path: string): string => {
    const [, index, rest = ''] = /^\/events\/(\d+)(.*)$/.exec(path) ?? [];
    if (index !== undefined) return list[Number(index)]!.path + rest;
    const first = list[0]!;
    return 'subject' in (first.value as object) ? first.path + path : first.path + path.replace(/^\/subject/, '');
  };
  return fromOtep(timeline, context, (finding) => fieldErrorOf({ ...finding, path: pathOf(finding.path) }));
}

function fromEpcis(document: unknown, context: ConversionContext): Journey {
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
    {
      otep_version: '0.1',
      profile: 'parcel',
      subject,
      events: events.map(({ event, recordedAt: recorded_at }) => ({ ...event, ...(recorded_at && { recorded_at }) })),
    },
    context,
    (finding) => fieldErrorOf({ ...finding, path: pointerOf(finding.path) }),
  );
}

/** Returns the only subject; throws NOT_ONE_PARCEL, because a timeline describes one parcel. */
function onlySubjectOf(events: readonly (EventReading & { readonly valid: true })[]): Subject {
  const subjects = new Map(
    events.flatMap(({ subjects }) => subjects.map((subject) => [JSON.stringify(subject), subject] as const)),
  );
  const [subject, ...others] = subjects.values();
  if (!subject || others.length > 0 || events.some(({ subjects }) => subjects.length === 0))
    throw notOneParcel(subjects.size);
  return subject;
}

const notOneParcel = (count: number): ApiError =>
  new ApiError('NOT_ONE_PARCEL', {
    params: { count },
    errors: [{ field: 'document', path: '', code: 'NOT_ONE_PARCEL', params: { count } }],
  });
