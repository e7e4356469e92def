/** Reads of label orders. */
import { z } from 'zod';
import { labelStream } from '../../../events/labels/events.js';
import { LABEL_STATE_NAMES } from '../../../events/labels/states.js';
import type { BillQueries } from '../../../projections/bills/queries.js';
import type { LabelOrderView, LabelQueries } from '../../../projections/labels/queries.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { ApiError, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { versionBy } from '../../core/versions.js';
import { labelOrderOutput, toLabelOrder } from './label-order-output.js';
import { LABEL_READERS, labelViewerOf } from './viewer.js';

export const LABEL_VERSION = versionBy('order_id', labelStream);

/** Names a label order by its id, or by the number of one of its packages. */
export const labelOrderName = {
  order_id: idSchema.optional(),
  tracking_number: z.string().trim().min(1).max(64).optional().describe('Number of a package, instead of `order_id`.'),
};
export interface LabelOrderName {
  readonly order_id?: number | undefined;
  readonly tracking_number?: string | undefined;
}

/** Throws INVALID_INPUT unless exactly one of the two is given, and ORDER_NOT_FOUND. */
export async function namedLabelOrder(
  queries: Pick<LabelQueries, 'byId' | 'byTrackingNumber'>,
  caller: Caller,
  { order_id, tracking_number }: LabelOrderName,
): Promise<LabelOrderView> {
  if ((order_id === undefined) === (tracking_number === undefined))
    throw invalidForm('order_id', 'present, unless `tracking_number` is present');
  const viewer = labelViewerOf(caller);
  const found =
    order_id === undefined
      ? await queries.byTrackingNumber(tracking_number!, viewer)
      : await queries.byId(order_id, viewer);
  if (!found) throw new ApiError('ORDER_NOT_FOUND');
  return found;
}

/** The stream of a label order, for operations that name it; undefined: the caller sees no such order. */
export const labelStreamOf =
  (queries: Pick<LabelQueries, 'byId' | 'byTrackingNumber'>) =>
  async ({ order_id, tracking_number }: LabelOrderName, caller: Caller): Promise<string | undefined> => {
    const found = await namedLabelOrder(queries, caller, { order_id, tracking_number }).catch(unknownOrder);
    return found && labelStream(found.id);
  };

function unknownOrder(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

export interface LabelReadingOptions {
  readonly queries: LabelQueries;
  readonly bills: Pick<BillQueries, 'summaries'>;
}

export function labelReads({ queries, bills }: LabelReadingOptions): Operation[] {
  const READ = { area: 'LabelService', callers: LABEL_READERS, scopes: ['labels:read'] } as const;
  const shownTo = ({ role }: Caller) => ({ isCustomer: role === 'customer' });

  return [
    operation({
      ...READ,
      name: 'labelOrders',
      summary: 'List label orders',
      description: 'Orders of carrier labels, the newest first. Customers get only orders that belong to them.',
      rest: { method: 'get', path: '/v1/label-orders' },
      reads: ['labels', 'bills'],
      input: z.object({
        status: z.array(z.enum(LABEL_STATE_NAMES)).min(1).max(LABEL_STATE_NAMES.length).optional(),
        customer_id: idSchema.optional(),
        carrier_account_id: idSchema.optional(),
        ship_date: dateSchema.optional(),
        order_ref: z.string().trim().min(1).max(100).optional(),
        tracking_number: z.string().trim().min(1).max(64).optional().describe('Number of a package.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, label_orders: z.array(labelOrderOutput) }),
      async run(
        { status, customer_id, carrier_account_id, ship_date, order_ref, tracking_number, ...page },
        { caller },
      ) {
        const filter = {
          ...rangeOf(page),
          states: status,
          customerId: customer_id,
          accountId: carrier_account_id,
          shipDate: ship_date,
          orderRef: order_ref,
          trackingNumber: tracking_number,
        };
        const found = await queries.list(filter, labelViewerOf(caller));
        const summaries = await bills.summaries(
          found.rows.map(({ id }) => id),
          businessOf(caller),
        );
        return {
          ...pageOf(page, found),
          label_orders: found.rows.map((row) => toLabelOrder(row, summaries.get(row.id), shownTo(caller))),
        };
      },
    }),
    operation({
      ...READ,
      name: 'labelOrder',
      versioned: LABEL_VERSION,
      summary: 'Get a label order',
      description:
        'Status, packages with their tracking numbers, and links to the labels. `labelOrderFiles` returns the content of the labels.',
      rest: { method: 'get', path: '/v1/label-orders/:order_id' },
      reads: ['labels', 'bills'],
      answers: { 404: 'There is no such label order.' },
      input: z.object({ order_id: idSchema }),
      output: z.object({ result: z.boolean(), label_order: labelOrderOutput }),
      async run({ order_id }, { caller }) {
        const found = await namedLabelOrder(queries, caller, { order_id });
        const bill = (await bills.summaries([order_id], businessOf(caller))).get(order_id);
        return { result: true, label_order: toLabelOrder(found, bill, shownTo(caller)) };
      },
    }),
  ];
}
