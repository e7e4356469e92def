/** Queries on the read model of fleets. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Vehicle } from '../../events/fleets/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { FleetRow } from './read-model.js';

/** The viewing business. With `userId`: only fleets of this contractor or captain. */
export interface FleetViewer {
  readonly business: number;
  readonly userId?: number;
}

export type FleetQueries = ReturnType<typeof createFleetQueries>;

export function createFleetQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const seen = ({ business, userId }: FleetViewer) =>
    database
      .selectFrom('fleets.fleets')
      .where('business', '=', business)
      .where('dissolved', '=', false)
      .$if(userId !== undefined, (query) =>
        query.where(({ or, eb }) =>
          or([eb('contractor_id', '=', userId!), sql<boolean>`captains @> array[${userId!}::int]`]),
        ),
      )
      .selectAll();
  return {
    /** Fleets that are not dissolved, sorted by id. */
    list: (range: Range, viewer: FleetViewer): Promise<Page<FleetRow>> => pageOf(seen(viewer), range, BY_ID),
    byId: (id: number, viewer: FleetViewer): Promise<FleetRow | undefined> =>
      seen(viewer).where('id', '=', id).executeTakeFirst(),
    /** The vehicles of a fleet, sorted by id, with plates if they can be decrypted. */
    async vehiclesOf({ vehicles }: FleetRow): Promise<readonly Vehicle[]> {
      const rows = Object.values(vehicles).map((event) => ({ sealed: [event] }));
      const opened = (await openRows<Vehicle, (typeof rows)[number]>(rows, keyRing)) as readonly Vehicle[];
      return [...opened].sort((a, b) => (a.vehicle_id < b.vehicle_id ? -1 : 1));
    },
  };
}
