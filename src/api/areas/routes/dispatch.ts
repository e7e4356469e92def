/** The operations of dispatch: pools, routes, drivers, third parties. */
import type { Commands } from '../../../commands/commands.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { PlanningQueries } from '../../../projections/contractors/queries.js';
import type { ProviderQueries } from '../../../projections/providers/queries.js';
import type { RouteQueries } from '../../../projections/routes/queries.js';
import { driverOperations } from '../drivers/operations.js';
import type { Operation } from '../../core/operation.js';
import { planningOperations } from '../contractors/planning.js';
import { routeOperations } from './operations.js';
import { thirdPartyOperations } from '../orders/third-party.js';

export interface DispatchOptions {
  readonly commands: Commands;
  readonly accounts: AccountQueries;
  readonly orders: OrderQueries;
  readonly routes: RouteQueries;
  readonly planning: PlanningQueries;
  readonly providers: ProviderQueries;
}

export function dispatchOperations({
  commands,
  accounts,
  orders,
  routes,
  planning,
  providers,
}: DispatchOptions): Operation[] {
  return [
    ...planningOperations({ handle: commands.contractors, planning, accounts }),
    ...routeOperations({ commands, routes, orders, planning, accounts }),
    ...driverOperations({ commands, routes, orders, planning, accounts }),
    ...thirdPartyOperations({ handle: commands.orders, providers }),
  ];
}
