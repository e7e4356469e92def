/** The tables of read models that are asked in many ways, as types: questions are built, not written. */
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { CaptureRow } from './captures.js';
import type { EpcisEventRow, EpcisTrackingRow } from './epcis-events.js';

export interface Database {
  'captures.captures': Omit<CaptureRow, 'unattached'>;
  'captures.unattached': { id: string; capture: string };
  'epcis_events.events': EpcisEventRow;
  'epcis_events.trackings': Omit<EpcisTrackingRow, 'scans'>;
}

/** Takes its connections from `pool`, and does not end it. */
export const createDatabase = (pool: Pool): Kysely<Database> => new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
