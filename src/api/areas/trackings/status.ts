/** Pushes of current statuses, for sources that do not know the history of a parcel (rule 5 of the protocol). */
import { z } from 'zod';
import { foldOutcomes, groupByParcel, type ReadEvent } from '../../../commands/captures/outcomes.js';
import type { Ingest } from '../../../commands/trackings/ingest.js';
import { pushedFrom } from '../../../commands/trackings/pushed.js';
import { readEvent } from '../../../events/otep/check/event.js';
import type { Finding } from '../../../events/otep/check/findings.js';
import { readSubject } from '../../../events/otep/check/subject.js';
import { PROFILE } from '../../../events/otep/model.js';
import { instantAt } from '../../../events/otep/time.js';
import type { ProviderCaller } from '../../core/callers.js';
import { fieldOf, type FieldError } from '../../core/errors.js';
import { pushWarnings, toIngestResponse, ingestResponseSchema, MAX_EVENTS } from './ingest-response.js';
import { mapperOf, type RecordUnmapped, type Unmapped } from './mapping.js';
import { operation, type Operation } from '../../core/operation.js';
import { eventOfStatus, isRecord, statusesIn, statusesSchema, SYNTHESIZED } from './statuses.js';

export interface OtepStatusOptions {
  readonly ingest: Ingest;
  readonly localize: (errors: readonly FieldError[], language: string | undefined) => Record<string, unknown>[];
  readonly countEvents: (outcome: 'accepted' | 'updated' | 'duplicate' | 'rejected', count: number) => void;
  readonly recordUnmapped: RecordUnmapped;
}

export function otepStatus({ ingest, localize, countEvents, recordUnmapped }: OtepStatusOptions): Operation[] {
  return [
    operation({
      name: 'otepIngestStatus',
      area: 'OTEP',
      summary: 'Push current statuses of parcels',
      description: `For providers that do not know the history of parcels. Other providers use \`otepIngest\`. Send one status, an array, or \`{ statuses: [...] }\`, with at most ${MAX_EVENTS} statuses. Each change of status creates an event with \`source.ref\` \`${SYNTHESIZED}\`. An unchanged status is a duplicate of the event that reported it. Statuses without a time get the time of the request, in the order of the list.`,
      rest: { method: 'post', path: '/v1/otep/ingest/status', body: 'document' },
      callers: ['provider'],
      writes: true,
      input: z.object({ document: z.unknown() }),
      documented: statusesSchema,
      output: ingestResponseSchema,
      answers: {
        413: '`TOO_MANY_EVENTS`: the request has too many statuses. Or the body is too large.',
        422: '`NOTHING_ACCEPTED`: all statuses were rejected. The problem document has the same members.',
      },
      run: async ({ document }, { caller, cause, time, header, wrote }) => {
        const pusher = caller as ProviderCaller;
        const unmapped: Unmapped[] = [];
        const read = statusesIn(document).map(({ value, path }, index) =>
          readStatus(value, path, { pusher, time, unmapped }, index),
        );
        const events = read.map(({ event }) => event);
        const groups = groupByParcel(events);
        const { outcomes, position } = await ingest(
          pusher,
          groups.map(({ push }) => push),
          cause,
        );
        if (unmapped.length > 0) recordUnmapped(pusher.id, unmapped);
        wrote(position);
        const eventOutcomes = foldOutcomes(events, pusher.id, groups, outcomes, new Set());
        for (const { outcome } of eventOutcomes) countEvents(outcome, 1);
        const entries = eventOutcomes.map(({ errors, ...outcomeFields }, index) => ({
          timeline: 0,
          index,
          ...outcomeFields,
          warnings: read[index]!.warnings,
          ...(errors && { errors: errors.map((error) => ({ field: fieldOf(error.path), ...error }) as FieldError) }),
        }));
        return toIngestResponse(entries, (errors) => localize(errors, header('accept-language')));
      },
    }),
  ];
}

function readStatus(
  value: unknown,
  path: string,
  { pusher, time, unmapped }: { pusher: ProviderCaller; time: number; unmapped: Unmapped[] },
  index: number,
): { readonly event: ReadEvent; readonly warnings?: readonly FieldError[] | undefined } {
  if (!isRecord(value)) return { event: { errors: [{ code: 'INVALID_TYPE', path, params: { expected: 'object' } }] } };
  const { subject: parcelSubject, event } = eventOfStatus(value, time, index);
  const hasSubject = value['subject'] !== undefined;
  const parcel = readSubject(parcelSubject, { path: hasSubject ? `${path}/subject` : path });
  const number = isRecord(parcelSubject) ? parcelSubject['tracking_number'] : undefined;
  const mapRaw = mapperOf(pusher, number, unmapped);
  const read = readEvent(event, { path, now: instantAt(time), profile: PROFILE, mapRaw });
  const warnings = pushWarnings(read, path);
  if (!parcel.subject || !read.event) {
    const errors = [...parcel.errors, ...read.errors].map(({ code, path, params }: Finding) => ({
      code,
      path,
      ...(params && { params }),
    }));
    return { event: { errors }, warnings };
  }
  const pushed = pushedFrom(read.event, pusher);
  const subjectPath = hasSubject ? `${path}/subject` : `${path}/tracking_number`;
  const status: ReadEvent = {
    eventId: pushed.scan!.event_id,
    idPath: path,
    parcels: [{ subject: parcel.subject, path: subjectPath }],
    pushed: { ...pushed, rule: 'status_change' },
  };
  return { event: status, warnings };
}
