/** Webhooks about jobs, plans, documents, decisions and records. */
import { z } from 'zod';
import { RECORD_PREFIX, RecordPut, RecordRemoved } from '../events/datasets/events.js';
import { DISPATCH_PREFIX, DispatchDecisionRecorded } from '../events/dispatch/events.js';
import { DocumentLinked, LINK_PREFIX } from '../events/documents/events.js';
import { JOB_PREFIX, jobCounts, JobFinished } from '../events/jobs/events.js';
import { ORDER_PREFIX, orderIdOf } from '../events/orders/events.js';
import { derivedId } from '../events/otep/identity.js';
import { PLAN_PREFIX, PlanFailed, PlanSolved, type PlannedRoute } from '../events/plans/events.js';
import { ROUTE_PREFIX } from '../events/routes/events.js';
import { given, oneOf, type Changes, type Kind } from './kind.js';

const PLAN_ENDS: Changes = { [PlanSolved.type]: 'solved', [PlanFailed.type]: 'failed' };
const RECORD_CHANGES: Changes = { [RecordPut.type]: 'put', [RecordRemoved.type]: 'removed' };

// Values for the examples.
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const DRIVEN = { distance_m: 0, drive_s: 0, service_s: 0, wait_s: 0, break_s: 0, cost: 0, load: [] };
const STOP = { kind: 1, arrive: 1767600000, start: 1767600000, leave: 1767600180, distance_m: 0, slack_s: 0 };

export const WORK_KINDS = {
  job_finished: {
    type: 'job.finished',
    since: '0.1.0',
    prefix: JOB_PREFIX,
    on: [JobFinished.type],
    objectId: 'job_id',
    status: ({ data }) => data['state'] as string,
    shape: z.object({
      job_id: z.string(),
      kind: z.string(),
      state: z.string(),
      owner: z.int(),
      subject: z.string().optional(),
      code: z.string().optional(),
      rejected: z.int().optional(),
      counts: jobCounts.optional(),
      artifacts: z.array(z.string()).optional(),
      dry_run: z.boolean().optional(),
    }),
    data: ({ data }) =>
      given(data, 'job_id', 'kind', 'state', 'owner', 'subject', 'code', 'rejected', 'counts', 'artifacts', 'dry_run'),
    example: {
      stream: `${JOB_PREFIX}${derivedId('example job')}`,
      first: [
        'JobFinished',
        {
          job_id: derivedId('example job'),
          kind: 'dataset_import',
          business: 0,
          owner: 0,
          state: 'succeeded',
          subject: 'dataset-0',
          rejected: 2,
          counts: { total: 10, succeeded: 8, failed: 0, rejected: 2 },
          artifacts: ['rejected.csv'],
        },
      ],
    },
  },
  /** Sent once for each order that the document concerns. The order is included only with personal data. */
  document_issued: {
    type: 'document.issued',
    since: '0.1.0',
    prefix: LINK_PREFIX,
    on: [DocumentLinked.type],
    objectId: 'sha256',
    status: () => 'issued',
    shape: z.object({
      sha256: z.string(),
      kind: z.string(),
      number: z.string(),
      change: z.literal('issued'),
      requested_by: z.int().optional(),
      subject: z.string().optional(),
      subjects: z.array(z.string()).optional(),
    }),
    data: ({ data }) => ({
      ...given(data, 'sha256', 'kind', 'number'),
      change: 'issued',
      ...given(data, 'requested_by', 'subject'),
      ...(data['subject'] !== undefined && { subjects: [data['subject']] }),
    }),
    example: {
      stream: `${LINK_PREFIX}${derivedId('document', SHA256)}`,
      first: [
        'DocumentLinked',
        { sha256: SHA256, kind: 'label', number: 'LABEL-EXAMPLE-1', business: 0, requested_by: 0 },
      ],
    },
  },
  route_plan_finished: {
    type: 'route_plan.finished',
    since: '0.1.0',
    prefix: PLAN_PREFIX,
    on: Object.keys(PLAN_ENDS),
    objectId: 'plan_id',
    shape: z.object({
      plan_id: z.int(),
      job_id: z.string(),
      mode: z.string(),
      date: z.string(),
      broker_id: z.int().optional(),
      status: oneOf(PLAN_ENDS),
      routes: z.int().optional(),
      assigned: z.int().optional(),
      unassigned: z.int().optional(),
      code: z.string().optional(),
    }),
    data: ({ event, data, firstData }) => ({
      ...given(firstData, 'plan_id', 'job_id', 'mode', 'date', 'broker_id'),
      status: PLAN_ENDS[event.type]!,
      ...(event.type === PlanSolved.type && countsOf(data as never)),
      ...given(data, 'code'),
    }),
    example: {
      stream: `${PLAN_PREFIX}0`,
      first: [
        'PlanRequested',
        { plan_id: 0, business: 0, mode: 'build', date: '2026-01-05', options: {}, job_id: derivedId('example job') },
      ],
      trigger: [
        'PlanSolved',
        {
          routes: [{ ...DRIVEN, driver_id: 0, start: 1767598200, end: 1767600180, stops: [{ ...STOP, order_id: 0 }] }],
          unassigned: [{ order_id: 1, reasons: [{ code: 'NO_ROOM' }] }],
        },
      ],
    },
  },
  /** Only decisions of the business's dispatch desk; each contractor has a separate desk. */
  dispatch_decision_recorded: {
    type: 'dispatch.decision_recorded',
    since: '0.1.0',
    prefix: DISPATCH_PREFIX,
    on: [DispatchDecisionRecorded.type],
    objectId: 'decision_id',
    occurred: 'at',
    only: ({ data }) => data['desk'] === undefined,
    shape: z.object({
      decision_id: z.string(),
      item: z.string(),
      kind: z.string(),
      order_id: z.int().optional(),
      route_id: z.int().optional(),
      decision: z.string(),
      operation: z.string().optional(),
      outcome: z.object({ status: z.string(), code: z.string().optional() }).optional(),
      until: z.string().optional(),
      contacted: z.string().optional(),
      by: z.int(),
      at: z.string(),
      note: z.string().optional(),
    }),
    data: ({ data }) => {
      const subject = data['subject'] as string;
      return {
        ...given(data, 'decision_id', 'item', 'kind'),
        ...(subject.startsWith(ORDER_PREFIX) && { order_id: orderIdOf(subject) }),
        ...(subject.startsWith(ROUTE_PREFIX) && { route_id: Number(subject.slice(ROUTE_PREFIX.length)) }),
        ...given(data, 'decision', 'operation', 'outcome', 'until', 'contacted', 'by', 'at', 'note'),
      };
    },
    example: {
      stream: `${DISPATCH_PREFIX}0-2026-01-05`,
      first: [
        'DispatchDecisionRecorded',
        {
          decision_id: derivedId('example decision'),
          item: 'failed_stop:0',
          kind: 'failed_stop',
          subject: 'order-0',
          seen: '',
          decision: 'reschedule',
          operation: 'orderUpdate',
          outcome: { status: 'done' },
          by: 0,
          at: '2026-01-05T09:30:00.000Z',
        },
      ],
    },
  },
  /** Changes by an import are too many to send one by one; the webhook of its job reports them. */
  dataset_records_changed: {
    type: 'dataset.records_changed',
    since: '0.1.0',
    prefix: RECORD_PREFIX,
    on: Object.keys(RECORD_CHANGES),
    objectId: 'record_id',
    only: ({ data }) => data['import_id'] === undefined,
    shape: z.object({ dataset_id: z.int(), record_id: z.int(), version: z.int(), change: oneOf(RECORD_CHANGES) }),
    data: ({ event, data, firstData }) => ({
      ...given(firstData, 'dataset_id', 'record_id'),
      ...given(data, 'version'),
      change: RECORD_CHANGES[event.type]!,
    }),
    example: {
      stream: `${RECORD_PREFIX}${derivedId('example record')}`,
      first: ['RecordPut', { record_id: 0, business: 0, dataset_id: 0, version: 1, values: {} }],
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;

function countsOf({ routes, unassigned }: { routes: readonly PlannedRoute[]; unassigned: readonly unknown[] }) {
  const orders = routes.flatMap(({ stops }) => stops.flatMap(({ order_id }) => order_id ?? []));
  return { routes: routes.length, assigned: new Set(orders).size, unassigned: unassigned.length };
}
