/**
 * Pushing EPCIS documents: with a result for every event, or as a capture job of the EPCIS REST bindings.
 */
import { z } from 'zod';
import type { Capture } from '../../../commands/captures/capture.js';
import { BEHAVIOURS, type Behaviour, type Refusal } from '../../../events/captures/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { CaptureJob, CaptureQueries } from '../../../projections/captures/queries.js';
import type { ProviderCaller } from '../../core/callers.js';
import { isSecurity, captureProblemType, eventExceptionOf } from './exceptions.js';
import { ANNOUNCED_HEADERS, behaviourOf, epcFormatOf, checkVersions, EPCIS_HEADERS } from './headers.js';
import { fieldError, fieldOf, type FieldError } from '../../core/errors.js';
import { statusOf } from '../../core/messages/messages.js';
import { epcisInputSchema } from '../trackings/epcis-input.js';
import { toIngestResponse, ingestResponseSchema, MAX_EVENTS } from '../trackings/ingest-response.js';
import { MAX_BODY_BYTES } from '../../core/body.js';
import { operation, type Context, type Operation } from '../../core/operation.js';

export interface EpcisCaptureOptions {
  readonly capture: Capture;
  readonly captures: Pick<CaptureQueries, 'byId'>;
  /** Waits briefly until queries return all events stored before the call; returns whether they do. */
  readonly isCurrent: () => Promise<boolean>;
  /** Translates errors into the caller's language. */
  readonly localize: (errors: readonly FieldError[], language: string | undefined) => Record<string, unknown>[];
  readonly countEvents: (outcome: 'accepted' | 'updated' | 'duplicate' | 'rejected', count: number) => void;
}

const CONSUMES = ['application/json', 'application/ld+json'];
const HEADERS_READ =
  'Header `GS1-Capture-Error-Behaviour`: `proceed` (store valid events) or `rollback` (all events or none)';
const document = z
  .unknown()
  .meta({ description: 'An EPCISDocument, an EPCISQueryDocument, one event, or an array of events.' });

const LIMITS = {
  'GS1-EPCIS-Capture-Limit': String(MAX_EVENTS),
  'GS1-EPCIS-Capture-File-Size-Limit': String(MAX_BODY_BYTES),
};
const documentedHeaders = (behaviour: Behaviour) => ({
  ...ANNOUNCED_HEADERS,
  ...LIMITS,
  'GS1-Capture-Error-Behaviour': behaviour,
});

const jobResponseSchema = z
  .object({
    captureID: z.uuid(),
    createdAt: z.string(),
    finishedAt: z.string().optional(),
    running: z.boolean(),
    success: z.boolean(),
    captureErrorBehaviour: z.enum(BEHAVIOURS),
    errors: z.array(
      z.looseObject({
        type: z.string(),
        title: z.string(),
        status: z.int(),
        detail: z.string(),
        path: z.string(),
        code: z.string(),
      }),
    ),
  })
  .meta({
    description:
      'While the job runs, `success` is true. Afterwards it is true if all events were captured, and false if events were rejected: with `proceed` the other events were captured, with `rollback` none.',
  });

export function epcisCapture({
  capture,
  captures,
  isCurrent,
  localize,
  countEvents,
}: EpcisCaptureOptions): Operation[] {
  const requestOf = (document: unknown, { caller, commandId, time, header }: Context, defaultBehaviour: Behaviour) => {
    checkVersions(header);
    epcFormatOf(header, 'read');
    return {
      id: derivedId('capture', (caller as ProviderCaller).id, commandId),
      document,
      behaviour: behaviourOf(header, defaultBehaviour),
      time,
    };
  };

  return [
    operation({
      name: 'otepIngestEpcis',
      area: 'OTEP',
      summary: 'Push scans as EPCIS 2.0 events',
      description: `Stores up to ${MAX_EVENTS} events and returns a result per event once they are durable. ${HEADERS_READ}, default \`proceed\`. An event with several parcels has one result: it is accepted if it is new for at least one parcel, otherwise it is a duplicate. The service detects duplicates by \`eventID\`, or without it by the CBV event hash. An error declaration retracts an event. An event without parcels is stored only with its capture.`,
      rest: {
        method: 'post',
        path: '/v1/otep/ingest/epcis',
        body: 'document',
        consumes: CONSUMES,
        headers: () => EPCIS_HEADERS,
        announces: documentedHeaders('proceed'),
      },
      callers: ['provider'],
      writes: true,
      input: z.object({ document }),
      documented: epcisInputSchema,
      output: ingestResponseSchema,
      answers: {
        400: 'The body is not an EPCIS 2.0 document, or a header has an unknown value.',
        406: 'The requested version of EPCIS or CBV is not supported.',
        413: 'The document has too many events or parcels, or the body is too large.',
        422: 'No event was accepted. The problem document has the same members.',
      },
      run: async ({ document }, context) => {
        const { outcomes, position } = await capture.take(
          context.caller as ProviderCaller,
          requestOf(document, context, 'proceed'),
          context.cause,
        );
        context.wrote(position);
        for (const { outcome } of outcomes) countEvents(outcome, 1);
        const entries = outcomes.map(({ errors, ...outcomeFields }, index) => ({
          timeline: 0,
          index,
          ...outcomeFields,
          ...(errors && { errors: errors.map(fieldErrorOf) }),
        }));
        return toIngestResponse(entries, (errors) => localize(errors, context.header('accept-language')));
      },
    }),

    operation({
      name: 'epcisCapture',
      area: 'EPCIS',
      summary: 'Capture an EPCIS 2.0 document as a job',
      description: `Responds once the capture is stored durably. Poll the job at the URL in \`Location\`. ${HEADERS_READ}, default \`rollback\`.`,
      rest: {
        method: 'post',
        path: '/v1/otep/epcis/capture',
        body: 'document',
        consumes: CONSUMES,
        status: 202,
        announces: documentedHeaders('rollback'),
        problemType: captureProblemType,
        headers: ({ captureID }: { readonly captureID: string }) => ({
          ...EPCIS_HEADERS,
          Location: `/api/v1/otep/epcis/capture/${captureID}`,
        }),
      },
      callers: ['provider'],
      writes: true,
      awaits: ['captures'],
      input: z.object({ document }),
      documented: epcisInputSchema,
      output: z.object({ captureID: z.uuid() }),
      answers: {
        400: 'The body is not an EPCIS 2.0 document, or a header has an unknown value.',
        406: 'The requested version of EPCIS or CBV is not supported.',
        413: 'The document has too many events or parcels, or the body is too large.',
      },
      run: async ({ document }, context) => {
        const request = requestOf(document, context, 'rollback');
        context.wrote(await capture.submit(context.caller as ProviderCaller, request, context.cause));
        return { captureID: request.id };
      },
    }),

    operation({
      name: 'epcisCaptureJob',
      area: 'EPCIS',
      summary: 'Get the status of a capture job',
      description: 'Poll until `running` is false. The job is reported as ended once its events can be queried.',
      rest: {
        method: 'get',
        path: '/v1/otep/epcis/capture/:capture_id',
        headers: () => EPCIS_HEADERS,
        announces: ANNOUNCED_HEADERS,
        problemType: captureProblemType,
      },
      callers: ['provider'],
      reads: ['captures'],
      input: z.object({ capture_id: z.string().max(64) }),
      output: jobResponseSchema,
      answers: { 404: 'The caller has no such capture job.' },
      run: async ({ capture_id }, { caller, header }) => {
        const job = z.uuid().safeParse(capture_id).success ? await captures.byId(capture_id) : undefined;
        if (job?.provider !== (caller as ProviderCaller).id) throw fieldError('NOT_FOUND', 'capture_id');
        // The job is reported as running until queries return its events.
        return toJobResponse(job.end && !(await isCurrent()) ? asRunning(job) : job, (errors) =>
          localize(errors, header('accept-language')),
        );
      },
    }),
  ];
}

const fieldErrorOf = (refusal: Refusal): FieldError => ({ field: fieldOf(refusal.path), ...refusal }) as FieldError;

const asRunning = ({ end: _end, finished_at: _at, ...job }: CaptureJob): CaptureJob => ({ ...job, finished_at: null });

function toJobResponse(
  { id, behaviour, created_at, finished_at, end }: CaptureJob,
  localize: (errors: readonly FieldError[]) => Record<string, unknown>[],
): z.infer<typeof jobResponseSchema> {
  return {
    captureID: id,
    createdAt: created_at,
    ...(finished_at !== null && { finishedAt: finished_at }),
    running: end === undefined,
    success: end?.success ?? true,
    captureErrorBehaviour: behaviour,
    errors: localize((end?.errors ?? []).map(fieldErrorOf)).map(exceptionOf),
  };
}

/** An error in the format of problem documents of the EPCIS bindings. */
function exceptionOf(error: Record<string, unknown>): z.infer<typeof jobResponseSchema>['errors'][number] {
  const { code, path, message } = error as { code: string; path: string; message: string };
  return {
    ...error,
    type: eventExceptionOf(code),
    title: message,
    status: isSecurity(code) ? statusOf('FORBIDDEN') : statusOf('INVALID_INPUT'),
    detail: message,
    path,
    code,
  };
}
