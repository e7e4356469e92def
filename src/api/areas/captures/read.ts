/** Reads an EPCIS document into events for a capture. Each event is checked like any pushed event. */
import { createHash } from 'node:crypto';
import type { Parcel, ReadEvent } from '../../../commands/captures/outcomes.js';
import type { Pusher } from '../../../commands/trackings/targets.js';
import { pushedFrom } from '../../../commands/trackings/pushed.js';
import type { Refusal } from '../../../events/captures/events.js';
import type { ReceivedEvent } from '../../../events/captures/text.js';
import { readEvent, type InputEvent } from '../../../events/otep/check/event.js';
import type { Finding } from '../../../events/otep/check/findings.js';
import { readSubject } from '../../../events/otep/check/subject.js';
import { PROFILE, type Subject } from '../../../events/otep/model.js';
import { instantAt, type Instant } from '../../../events/otep/time.js';
import { isStandardContext } from '../../../serializers/epcis/page-context.js';
import { readEpcis } from '../../../serializers/epcis/read.js';
import type { EventReading, ValidReading } from '../../../serializers/epcis/reading.js';
import { isRecord, textsOf, type JsonRecord } from '../../../serializers/epcis/records.js';
import { ApiError, fieldOf } from '../../core/errors.js';
import { MAX_EVENTS } from '../trackings/ingest-response.js';
import { eventsOf, memberPath } from './pointers.js';

/** Maximum number of parcels in one document, summed over its events. */
export const MAX_PARCELS = 5_000;
/** Maximum size in characters of all events with several parcels, counted once per parcel. */
const MAX_TOTAL_LENGTH = 8_388_608;

/** Throws INVALID_EPCIS for an invalid EPCIS document, TOO_MANY_EVENTS, and TOO_MANY_PARCELS. */
export function readCapture(document: unknown, pusher: Pusher, time: number): ReadEvent[] {
  const reading = readEpcis(document);
  if (!reading.valid)
    throw new ApiError('INVALID_EPCIS', {
      errors: reading.errors.map((error) => ({ field: fieldOf(error.path), ...error })),
    });
  checkSize(reading.events);
  const now = instantAt(time);
  const sourceEvents = eventsOf(document, reading.events);
  const context = declaredContext(document, reading.events[0]?.pointer);
  return reading.events.map((event, index) =>
    event.valid
      ? readCapturedEvent(event, { event: sourceEvents[index]!, ...context }, { pusher, now })
      : { errors: event.errors },
  );
}

/** The `@context` of a document without the standard's own. A single event contains its context itself. */
function declaredContext(document: unknown, pointer: string | undefined): Pick<ReceivedEvent, 'context'> {
  if (!isRecord(document) || pointer === '') return {};
  const context = [document['@context'] ?? []].flat().filter((part) => !isStandardContext(part));
  return context.length === 0 ? {} : { context };
}

function checkSize(events: readonly EventReading[]): void {
  const limitError = (code: 'TOO_MANY_EVENTS' | 'TOO_MANY_PARCELS', max: number) =>
    new ApiError(code, {
      params: { max },
      errors: [{ field: 'eventList', path: (events[0]?.pointer ?? '').replace(/\/\d+$/, ''), code, params: { max } }],
    });
  if (events.length > MAX_EVENTS) throw limitError('TOO_MANY_EVENTS', MAX_EVENTS);
  const multiParcelEvents = events.filter((event) => event.valid && event.subjects.length > 1) as ValidReading[];
  const parcels = multiParcelEvents.reduce(
    (sum, { subjects }) => sum + subjects.length,
    events.length - multiParcelEvents.length,
  );
  const totalLength = multiParcelEvents.reduce(
    (sum, { subjects, event }) => sum + subjects.length * JSON.stringify(event).length,
    0,
  );
  if (parcels > MAX_PARCELS || totalLength > MAX_TOTAL_LENGTH) throw limitError('TOO_MANY_PARCELS', MAX_PARCELS);
}

function readCapturedEvent(
  reading: ValidReading,
  received: ReceivedEvent,
  { pusher, now }: { readonly pusher: Pusher; readonly now: Instant },
): ReadEvent {
  const { pointer, ours, hashes, accepting } = reading;
  const sourceEvent = received.event as JsonRecord;
  const errors: Refusal[] = [];
  const addErrors = (findings: readonly Finding[], path: (finding: Finding) => string) => {
    for (const finding of findings)
      errors.push({ code: finding.code, path: path(finding), ...(finding.params && { params: finding.params }) });
  };
  const parcels: Parcel[] = [];
  reading.subjects.forEach((subject, index) => {
    if (!hasIdentifiers(subject)) return;
    const path = ours ? memberPath(sourceEvent, pointer, '/subject', ours) : pointer + reading.names![index]!;
    const read = readSubject(subject, { path });
    if (read.subject) parcels.push({ subject: read.subject, path });
    else addErrors(read.errors, () => path);
  });
  const read = readEvent(reading.event, { path: '', now, profile: PROFILE });
  addErrors(read.errors, (finding) => memberPath(sourceEvent, pointer, finding.path, ours));
  if (errors.length > 0) return { errors };
  const input = read.event!;
  // Foreign events are compared by their hashes. Native scans are compared by content, as in a native push.
  const { scan, retraction } = pushedFrom(input, pusher, {
    compared: ours && input.retracts === undefined,
    amends: false,
  });
  // In place: V8 handles copies with an added member several times slower from then on.
  if (scan && hashes) scan.cbv_hash = hashes.given;
  return {
    eventId: input.eventId!,
    idPath: memberPath(sourceEvent, pointer, '/event_id', ours),
    parcels,
    received,
    pushed: {
      ...(scan && { scan }),
      ...(retraction && { retraction: ours ? retraction : { ...retraction, fingerprint: declarationPrint(input) } }),
      ...(hashes && { hashes }),
      ...(accepting && scan?.status_code === 'picked_up' && { rule: 'first_custody' as const }),
    },
  };
}

/**
 * Equal for two error declarations with the same reason and corrective events, whenever they were made. Another reason
 * for the same event is other content.
 */
function declarationPrint({ extensions }: InputEvent): string {
  const { errorDeclaration } = extensions['x-epcis'] as { readonly errorDeclaration: JsonRecord };
  const { reason, correctiveEventIDs = [] } = errorDeclaration;
  const content = JSON.stringify([reason, textsOf(correctiveEventIDs).toSorted()]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

const hasIdentifiers = (subject: Subject): boolean => Object.keys(subject).length > 0;
