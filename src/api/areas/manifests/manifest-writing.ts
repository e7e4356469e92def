/** Submits label orders to their carriers: all that are open at the end of the day, or named orders. */
import { z } from 'zod';
import { ordersOf, refusedLabels, type Manifest } from '../../../events/manifests/manifest.js';
import type { CarrierAccountQueries } from '../../../projections/carrier-accounts/queries.js';
import { businessOf } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { orderErrorSchema, unique } from '../orders/per-order.js';
import type { EndDay } from './end-day.js';
import { manifestOutput, toManifest } from './manifest-output.js';
import { MANIFEST_CALLERS } from './manifest-reading.js';
import type { SubmitOrders } from './submit-orders.js';

export interface ManifestWritingOptions {
  readonly endDay: EndDay;
  readonly submit: SubmitOrders['submit'];
  readonly accounts: Pick<CarrierAccountQueries, 'byId'>;
  /** Time for which a request works, in milliseconds. */
  readonly inlineMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Maximum number of orders of one request. */
const MAX_ORDERS = 500;
/** Part of the time of a request (`inlineMs`, 12 s) for named orders. The rest continues as a job. */
const SUBMIT_PART = 5 / 6;
const MAX_WAIT_S = 12;

const WRITE = {
  area: 'LabelService',
  callers: MANIFEST_CALLERS,
  scopes: ['labels:write'],
  risk: 'high',
  confirm: true,
  writes: true,
} as const;

const job_id = z.uuid().nullable().describe('Job that submits the remaining orders. Null: there are none.');

export function manifestWrites({ endDay, submit, accounts, inlineMs, now }: ManifestWritingOptions): Operation[] {
  /** Throws CARRIER_ACCOUNT_NOT_FOUND. */
  async function expectAccounts(ids: readonly number[], { caller }: Context): Promise<void> {
    const found = await Promise.all(ids.map((id) => accounts.byId(id, businessOf(caller))));
    if (found.includes(undefined)) throw new ApiError('CARRIER_ACCOUNT_NOT_FOUND');
  }

  return [
    operation({
      ...WRITE,
      name: 'labelOrdersEndDay',
      fixed: { name: 'labelserviceEndofday', method: 'post', path: '/v1/labelservice/endofday' },
      summary: 'Submit all open label orders to the carriers',
      description:
        'Begins one manifest for each carrier account and ship date, with at most 500 labels. An order is in at most one open manifest, also if several users end the day at the same time. Orders of carriers without manifests are marked as submitted. An order that the carrier refuses is open again. A manifest that is not ended within `wait_s` continues in the background. A repetition submits only orders that are open.',
      rest: { method: 'post', path: '/v1/label-orders/end-day' },
      reads: ['labels', 'carrier_accounts'],
      awaits: ['manifests', 'labels', 'timeline'],
      answers: { 404: '`CARRIER_ACCOUNT_NOT_FOUND`: there is no such carrier account.' },
      input: z.object({
        carrier_account_ids: z.array(idSchema).min(1).max(200).optional().describe('Default: all accounts.'),
        ship_date: dateSchema.optional().describe('Default: all ship dates.'),
        wait_s: z
          .int()
          .min(0)
          .max(MAX_WAIT_S)
          .default(10)
          .describe('Maximum number of seconds to wait for the carriers.'),
      }),
      output: z.object({
        result: z.boolean().describe('False: some accounts could not be asked, or refused labels.'),
        manifests: z.array(manifestOutput),
        submitted: z.int().describe('Number of orders that the carriers have accepted, or that need no manifest.'),
        pending: z.int().describe('Number of orders whose manifest is not ended.'),
        skipped: z.int().describe('Number of orders that another request submits.'),
        errors: z.array(orderErrorSchema),
        account_errors: z
          .array(
            z
              .object({ carrier_account_id: z.int(), code: z.string(), message: z.string() })
              .meta({ id: 'CarrierAccountError' }),
          )
          .describe('Accounts that cannot be asked now. Their orders stay open.'),
        job_id,
        has_more: z.boolean().describe('True: more orders are open than one call submits. Call the operation again.'),
      }),
      async run({ carrier_account_ids, ship_date, wait_s }, context) {
        const accountIds = carrier_account_ids && unique(carrier_account_ids);
        await expectAccounts(accountIds ?? [], context);
        const ended = await endDay({ accountIds, shipDate: ship_date }, wait_s * 1_000, context);
        const language = chooseLanguage(context.header('accept-language'));
        const account_errors = ended.unavailable.map((carrier_account_id) => ({
          carrier_account_id,
          code: 'CARRIER_UNAVAILABLE',
          message: translate('CARRIER_UNAVAILABLE', {}, language),
        }));
        const { submitted, pending, refused } = countsOf(ended.manifests);
        return {
          result: account_errors.length === 0 && ended.errors.length === 0 && refused === 0,
          manifests: ended.manifests.map(toManifest),
          submitted: submitted + ended.submitted,
          pending,
          skipped: ended.skipped,
          errors: ended.errors,
          account_errors,
          job_id: ended.jobId ?? null,
          has_more: ended.hasMore,
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'labelOrdersSubmitInformation',
      fixed: {
        name: 'labelserviceSubmitShippingInformation',
        method: 'post',
        path: '/v1/labelservice/submitShippingInformation',
      },
      summary: 'Mark label orders as submitted to their carriers',
      description:
        'Use it for orders that the carrier takes over without a manifest. The orders get the status `SUBMITTED`, and their timelines the status `booking_confirmed`. Orders that are submitted already, or that are in a manifest, are skipped. Orders that are not done within 10 s continue as a job.',
      rest: { method: 'post', path: '/v1/label-orders/submit-information' },
      awaits: ['labels', 'timeline'],
      input: z.object({ order_ids: z.array(z.int()).min(1).max(MAX_ORDERS).describe('Ids of label orders.') }),
      output: z.object({
        result: z.boolean().describe('False: some orders were not submitted.'),
        submitted: z.int(),
        skipped: z.int().describe('Number of orders that were submitted before, or that are in a manifest.'),
        errors: z.array(orderErrorSchema),
        job_id,
      }),
      async run({ order_ids }, context) {
        const isOver = (): boolean => now() - context.time >= inlineMs * SUBMIT_PART;
        const { submitted, skipped, errors, jobId } = await submit(unique(order_ids), context, isOver);
        return { result: errors.length === 0, submitted, skipped, errors: [...errors], job_id: jobId ?? null };
      },
    }),
  ];
}

/** Numbers of orders. */
function countsOf(manifests: readonly Manifest[]) {
  let [submitted, pending, refused] = [0, 0, 0];
  for (const manifest of manifests) {
    const { labels, order_ids, call, is_abandoned, result } = manifest;
    if (is_abandoned) continue;
    const listed = labels ? ordersOf(labels).length : order_ids.length;
    if (call?.step === 'refused') refused += listed;
    else if (!result) pending += listed;
    else {
      const ofManifest = ordersOf(refusedLabels(manifest)).length;
      refused += ofManifest;
      submitted += listed - ofManifest;
    }
  }
  return { submitted, pending, refused };
}
