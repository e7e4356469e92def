/** Queries on the read model of shifts. */
import type { Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Shift } from '../../events/shifts/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { ShiftRow } from './read-model.js';

/** A shift with its positions, if they can be decrypted. */
export type PlannedShift = Omit<ShiftRow, 'sealed'> & Pick<Shift, 'start_position' | 'end_position'>;

/** Shifts that start before `to` and end after `from`. Both are ISO 8601 in UTC, in the format of `toISOString`. */
export interface ShiftFilter {
  readonly business: number;
  readonly from: string;
  readonly to: string;
  readonly fleetId?: number | undefined;
  readonly driverIds?: readonly number[] | undefined;
}

export type ShiftQueries = ReturnType<typeof createShiftQueries>;

export function createShiftQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const opened = async (rows: readonly ShiftRow[]): Promise<PlannedShift[]> => {
    const sealed = rows.map((row) => ({ ...row, sealed: [row.sealed] }));
    return openRows<Pick<Shift, 'start_position' | 'end_position'>, (typeof sealed)[number]>(sealed, keyRing);
  };
  return {
    async byId(id: number, business: number): Promise<PlannedShift | undefined> {
      const row = await database
        .selectFrom('shifts.shifts')
        .selectAll()
        .where('id', '=', id)
        .where('business', '=', business)
        .executeTakeFirst();
      return row && (await opened([row]))[0];
    },
    /** Shifts that are not cancelled, sorted by start time. */
    async list(range: Range, { business, from, to, fleetId, driverIds }: ShiftFilter): Promise<Page<PlannedShift>> {
      const found = database
        .selectFrom('shifts.shifts')
        .where('business', '=', business)
        .where('start_at', '<', to)
        .where('end_at', '>', from)
        .where('state', '!=', 'cancelled')
        .$if(fleetId !== undefined, (query) => query.where('fleet_id', '=', fleetId!))
        .$if(driverIds !== undefined, (query) => query.where('driver_id', 'in', [...driverIds!, -1]))
        .selectAll();
      const page = await pageOf(found, range, BY_ID, (query) => query.orderBy('start_at').orderBy('id'));
      return { ...page, rows: await opened(page.rows) };
    },
  };
}
