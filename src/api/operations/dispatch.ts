/** The operations of dispatch: pools, routes, drivers, third parties. */
import type { Commands } from '../../commands/commands.js';
import type { AccountQueries } from '../../projections/account-queries.js';
import type { OrderQueries } from '../../projections/order-queries.js';
import type { PlanningQueries } from '../../projections/planning-queries.js';
import type { ProviderQueries } from '../../projections/provider-queries.js';
import type { RouteQueries } from '../../projections/route-queries.js';
import { driverOperations } from './drivers.js';
import type { Operation } from './operation.js';
import { planningOperations } from './planning.js';
import { routeOperations } from './routes.js';
import { thirdPartyOperations } from './third-party.js';

export interface DispatchOptions {
  readonly commands: Commands;
  readonly accounts: AccountQueries;
  readonly orders: OrderQueries;
  readonly routes: RouteQueries;
  readonly planning: PlanningQueries;
  readonly providers: ProviderQueries;
}

export function dispatchOperations({ commands, accounts, orders, routes, planning, providers }: DispatchOptions): Operation[] {
  return [
    ...planningOperations({ handle: commands.contractors, planning, accounts }),
    ...routeOperations({ commands, routes, orders, planning, accounts }),
    ...driverOperations({ commands, routes, orders, planning, accounts }),
    ...thirdPartyOperations({ handle: commands.orders, providers }),
  ];
}
