/** The printable label of an order. */
import { z } from 'zod';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { businessOf, STAFF_ROLES } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Issue } from '../../core/printing/issue.js';
import { inJson, pdfDocument, pdfInput, pdfOutput, wantsPdf } from '../../core/printing/pdf-answer.js';
import { orderId } from './input.js';
import { issueLabels } from './label.js';
import { createLabelAddresses, type LabelAddressesOptions } from './label-addresses.js';
import { visibleOrder } from './viewer.js';

export interface OrderLabelOptions extends LabelAddressesOptions {
  readonly queries: OrderQueries;
  readonly issue: Issue;
}

export const orderLabel = ({ queries, issue, ...addressOptions }: OrderLabelOptions): Operation =>
  operation({
    name: 'orderLabel',
    area: 'Orders',
    summary: 'Get the printable label of an order',
    description:
      'Returns a label of 4 by 6 inches with one page per package. The sender on the label is the pickup address. Orders without a pickup address have the sender address of the order settings, or else the address of the warehouse. The recipient is the delivery address, or else the address of the warehouse, or else the sender address of the order settings. Supported scripts: Latin, Greek, Cyrillic, Devanagari, Chinese, Japanese and Korean.',
    rest: { method: 'get', path: '/v1/orders/:order_id/label' },
    callers: [...STAFF_ROLES.filter((role) => role !== 'auditor'), 'customer'],
    scopes: ['orders:read'],
    reads: ['orders', 'businesses', 'warehouses'],
    input: z.object({ order_id: orderId, ...pdfInput }),
    output: z.object({
      result: z.boolean(),
      order_label: z
        .object({ order_id: z.int(), label_code: z.string(), tracking_numbers: z.array(z.string()), ...pdfOutput })
        .meta({ id: 'OrderLabel' }),
    }),
    answers: { 404: 'There is no such order.', 422: '`NO_FONT`: the service has no font for some characters.' },
    async run({ order_id, format }, context) {
      const { caller, header } = context;
      const order = await visibleOrder(queries, caller, { order_id });
      const addressesOf = await createLabelAddresses(addressOptions, [order], businessOf(caller));
      const issued = await issueLabels(issue, [order], addressesOf, `Order ${order_id}`, context);
      if (wantsPdf(format, header('accept'))) return pdfDocument(issued, `order-${order_id}`);
      const tracking_numbers = order.packages.map(({ tracking_number }) => tracking_number);
      return {
        result: true,
        order_label: { order_id, label_code: tracking_numbers[0]!, tracking_numbers, ...inJson(issued) },
      };
    },
  });
