/**
 * The components of a process (projections/core/parts.ts), and those that operations need: queries, limits, addresses.
 */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { TrackingDirectory } from '../../commands/trackings/targets.js';
import type { Logins } from '../../engines/postgres/logins.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import type { BoardQueries } from '../../projections/board/queries.js';
import type { PlanningQueries } from '../../projections/contractors/queries.js';
import type { AllParts as ReadParts } from '../../projections/core/parts.js';
import type { DatasetQueries } from '../../projections/datasets/queries.js';
import type { FleetQueries } from '../../projections/fleets/queries.js';
import type { OrderQueries } from '../../projections/orders/queries.js';
import type { PlanningSettingsQueries } from '../../projections/planning/queries.js';
import type { RouteQueries } from '../../projections/routes/queries.js';
import type { WarehouseQueries } from '../../projections/warehouses/queries.js';
import type { Authenticate } from './authenticate.js';
import type { Invoke } from './invoke.js';
import type { Limit } from './rate-limit.js';

export interface AllParts extends ReadParts {
  readonly accounts: AccountQueries;
  readonly boards: BoardQueries;
  readonly datasets: DatasetQueries;
  readonly fleets: FleetQueries;
  readonly orders: OrderQueries;
  readonly planning: PlanningQueries;
  readonly routes: RouteQueries;
  readonly settings: PlanningSettingsQueries;
  readonly warehouses: Pick<WarehouseQueries, 'byId'>;
  readonly directory: TrackingDirectory;
  readonly logins: Logins;
  readonly authenticate: Authenticate;
  readonly invoke: Invoke;
  readonly limit: Limit;
  readonly logger: Logger;
  readonly registry: Registry;
  /** The public address of the service, once it is known. */
  readonly baseUrl: () => string;
  /** Version of the API in its documents. */
  readonly version: string;
}

/** The components with these names. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name>;
