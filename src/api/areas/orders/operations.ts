/** The operations of orders. */
import type { Commands } from '../../../commands/commands.js';
import type { BillQueries } from '../../../projections/bills/queries.js';
import type { InvoiceQueries } from '../../../projections/invoices/queries.js';
import type { OrderHistory } from '../../../projections/orders/history.js';
import type { AllianceAccess } from '../../../projections/alliances/access.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { Batches } from './batches.js';
import type { PlaceOrder } from './place-order.js';
import { RESULTS as results } from './results.js';
import type { Jobs } from '../jobs/queue.js';
import type { PlanningSettingsQueries } from '../../../projections/planning/queries.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import type { TimelineReader } from '../trackings/timelines.js';
import type { ThirdPartyQueries } from '../../../projections/third-party/queries.js';
import type { Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import type { Issue } from '../../core/printing/issue.js';
import { orderAnalytics } from './analytics.js';
import { orderChanging } from './change.js';
import type { ChangedPrices } from './changed-prices.js';
import { orderCreating } from './create.js';
import { createChangeByCustomer } from './customer-changes.js';
import { createPossibleChanges } from './possible-changes.js';
import { createOrderPrices } from './prices.js';
import { orderLabel } from './print-label.js';
import { orderReading } from './read.js';
import { orderReroute } from './reroute.js';
import { orderTable, type OrderTableOptions } from './table.js';
import { orderTracking } from './tracking.js';
import { orderPositionSet } from './position.js';
import { orderUpdate } from './update.js';

export interface OrderOperationsOptions extends Parts<'accounts' | 'now'> {
  readonly orders: Commands['orders'];
  readonly queries: OrderQueries;
  readonly warehouses: WarehouseQueries;
  /** Planning settings of businesses. */
  readonly planning: PlanningSettingsQueries;
  readonly access: Pick<AllianceAccess, 'orders'>;
  readonly thirdParty: Pick<ThirdPartyQueries, 'ofOrder'>;
  readonly history: OrderHistory;
  readonly placeOrder: PlaceOrder;
  readonly changedPrices: ChangedPrices;
  readonly batches: Batches;
  readonly reader: TimelineReader;
  readonly jobs: Jobs;
  readonly files: OrderTableOptions['files'];
  readonly tableLimits: OrderTableOptions['tableLimits'];
  readonly issue: Issue;
  readonly bills: BillQueries;
  readonly invoices: Pick<InvoiceQueries, 'ofOrder'>;
}

export function orderOperations({
  orders,
  queries,
  warehouses,
  planning,
  access,
  thirdParty,
  history,
  placeOrder,
  changedPrices,
  batches,
  reader,
  jobs,
  files,
  tableLimits,
  accounts,
  issue,
  bills,
  invoices,
  now,
}: OrderOperationsOptions): Operation[] {
  const changeByCustomer = createChangeByCustomer(orders, changedPrices);
  return [
    ...orderCreating({ placeOrder, results, batches }),
    // Must precede the read of one order, whose path would otherwise match.
    ...orderTable({ queries, jobs, files, tableLimits }),
    ...orderReading({
      queries,
      access,
      prices: createOrderPrices({ bills, invoices, possibleChanges: createPossibleChanges(orders) }),
      thirdParty,
      now,
    }),
    ...orderChanging({ orders, queries, results }),
    orderReroute({ orders, queries, changeByCustomer }),
    orderUpdate({ orders, queries, warehouses, settings: planning, changeByCustomer }),
    orderPositionSet({ orders, queries }),
    ...orderTracking({ queries, history, reader }),
    orderLabel({ queries, accounts, warehouses, issue }),
    ...orderAnalytics({ queries, now }),
  ];
}
