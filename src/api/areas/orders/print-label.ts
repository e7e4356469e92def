/** The printable label of a local order. */
import { z } from 'zod';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Issue } from '../../core/printing/issue.js';
import { inJson, pdfDocument, pdfInput, pdfOutput, wantsPdf } from '../../core/printing/pdf-answer.js';
import { orderId } from './input.js';
import { issueLabels, type Sender } from './label.js';
import { OFFICE_ROLES, seenOrder } from './viewer.js';

export interface LabelOptions {
  readonly queries: OrderQueries;
  readonly accounts: Pick<AccountQueries, 'business'>;
  readonly issue: Issue;
}

/** The business as it sends: the address that it has set, at least its name. */
export async function senderOf(accounts: LabelOptions['accounts'], caller: Caller): Promise<Sender> {
  const business = await accounts.business(businessOf(caller));
  return business?.sender ?? { company: business?.name };
}

export const orderLabel = ({ queries, accounts, issue }: LabelOptions): Operation =>
  operation({
    name: 'orderLabel',
    tag: 'Orders',
    summary: 'A printable label, 4 by 6 inches, one page for each package.',
    description:
      'Sender is the pickup address, else what `PUT /v1/order-settings` says. Text may be in Latin, Greek, Cyrillic, Chinese, Japanese and Korean letters.',
    rest: { method: 'get', path: '/v1/orders/:order_id/label' },
    callers: [...OFFICE_ROLES.filter((role) => role !== 'auditor'), 'customer'],
    scopes: ['orders:read'],
    reads: ['orders', 'businesses'],
    input: z.object({ order_id: orderId, ...pdfInput }),
    output: z.object({
      result: z.boolean(),
      order_id: z.int(),
      label_code: z.string(),
      tracking_numbers: z.array(z.string()),
      ...pdfOutput,
    }),
    answers: { 404: 'No such order.', 422: 'Something is written in letters that no font here has.' },
    async run({ order_id, format }, context) {
      const { caller, header } = context;
      const order = await seenOrder(queries, caller, { order_id });
      const sender = await senderOf(accounts, caller);
      const issued = await issueLabels(issue, [order], sender, `Order ${order_id}`, context);
      if (wantsPdf(format, header('accept'))) return pdfDocument(issued, `order-${order_id}`);
      const tracking_numbers = order.packages.map(({ tracking_number }) => tracking_number);
      return { result: true, order_id, label_code: tracking_numbers[0]!, tracking_numbers, ...inJson(issued) };
    },
  });
