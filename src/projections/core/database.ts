/** The tables of read models that are asked in many ways, as types: questions are built, not written. */
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { ProposalRow } from '../approvals/read-model.js';
import type { AccountRow } from '../accounts/read-model.js';
import type { AuditEntry, AuditStream } from '../audit/read-model.js';
import type { BusinessRow } from '../businesses/read-model.js';
import type { CaptureRow } from '../captures/read-model.js';
import type { OrderRow } from '../orders/read-model.js';
import type { RouteRow } from '../routes/read-model.js';
import type { WorkerRow } from '../drivers/read-model.js';
import type { EpcisEventRow, EpcisTrackingRow } from '../captures/epcis-events.js';

export interface Database {
  'accounts.accounts': AccountRow;
  'approvals.proposals': ProposalRow;
  'audit_index.events': AuditEntry;
  'audit_index.streams': Pick<AuditStream, 'stream' | 'tenants'>;
  'businesses.businesses': BusinessRow;
  'captures.captures': Omit<CaptureRow, 'unattached' | 'trackings'>;
  'captures.unattached': { id: string; capture: string };
  'orders.orders': OrderRow;
  'orders.contractor_orders': { broker_id: number; order_id: number };
  'orders.packages': {
    tracking_number: string;
    tracking: string;
    order_id: number;
    external_tracking_number: string | null;
  };
  'order_search.texts': { order_id: number; business: number; numbers: string; person: string; address: string };
  'routes.routes': RouteRow;
  'workers.workers': WorkerRow;
  'epcis_events.events': EpcisEventRow;
  'epcis_events.trackings': Omit<EpcisTrackingRow, 'scans'>;
}

/** Takes its connections from `pool`, and does not end it. */
export const createDatabase = (pool: Pool): Kysely<Database> =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
