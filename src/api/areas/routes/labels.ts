/** The labels of a route, as one document in the sequence of its stops. */
import { z } from 'zod';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import type { Issue } from '../../core/printing/issue.js';
import {
  asLink,
  inJson,
  linkedPdfInput,
  linkedPdfOutput,
  pdfDocument,
  wantsPdf,
} from '../../core/printing/pdf-answer.js';
import { issueLabels } from '../orders/label.js';
import { createLabelAddresses, type LabelAddressesOptions } from '../orders/label-addresses.js';
import { MAX_ORDERS } from '../orders/per-order.js';
import { routeViewer } from './route-commands.js';
import { inSequence } from './planned.js';

/** Maximum number of orders per document, because documents are built in memory. */
const MAX_LABELS = 100;

export interface RouteLabelsOptions extends LabelAddressesOptions, Parts<'routes' | 'orders' | 'baseUrl'> {
  readonly issue: Issue;
}

export const routeLabels = ({ routes, orders, issue, baseUrl, ...addressOptions }: RouteLabelsOptions): Operation =>
  operation({
    name: 'routeLabels',
    area: 'Routes',
    summary: 'Get the labels of a route as one PDF',
    description: 'Contains one page per package, in the planned sequence of the stops.',
    rest: { method: 'get', path: '/v1/routes/:route_id/labels' },
    callers: ['client_admin', 'employee'],
    scopes: ['routes:read', 'orders:read'],
    reads: ['routes', 'orders', 'businesses', 'warehouses'],
    answers: {
      404: 'There is no such route, or the caller cannot see it.',
      422: '`NO_FONT`: the service has no font for some characters.',
    },
    input: z.object({
      route_id: idSchema,
      page: z
        .int()
        .min(1)
        .max(MAX_ORDERS)
        .default(1)
        .describe(`Page number, from 1. A page covers ${MAX_LABELS} orders.`),
      ...linkedPdfInput,
    }),
    output: z.object({
      result: z.boolean(),
      route_id: z.int(),
      total: z.int().describe('Number of orders on the route.'),
      page: z.int(),
      order_ids: z.array(z.int()).describe('Order ids in the sequence of the printed pages.'),
      ...linkedPdfOutput,
    }),
    async run({ route_id, page, format }, context) {
      const { caller, header } = context;
      const route = await routes.byId(route_id, routeViewer(caller));
      if (!route) throw new ApiError('ROUTE_NOT_FOUND');
      const found = await orders.list(
        { offset: 0, limit: MAX_ORDERS },
        { business: route.business, routeIds: [route_id] },
      );
      const printed = inSequence(found.orders, route.planned).slice((page - 1) * MAX_LABELS, page * MAX_LABELS);
      if (printed.length === 0) throw new ApiError('NOT_FOUND');
      const shown = { result: true, route_id, total: found.total, page, order_ids: printed.map(({ id }) => id) };
      if (format === 'link')
        return { ...shown, ...asLink(`${baseUrl()}/api/v1/routes/${route_id}/labels?format=pdf&page=${page}`) };
      const addressesOf = await createLabelAddresses(addressOptions, printed, route.business);
      const issued = await issueLabels(issue, printed, addressesOf, `Route ${route_id}`, context);
      if (wantsPdf(format, header('accept'))) return pdfDocument(issued, `route-${route_id}-${page}`);
      return { ...shown, ...inJson(issued) };
    },
  });
