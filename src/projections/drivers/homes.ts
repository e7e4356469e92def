/** Home positions of drivers, if they are set and can be decrypted. */
import type { Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { DriverProfile } from '../../events/drivers/profile-and-documents.js';
import type { Database } from '../core/database.js';
import { openRows } from '../core/sealed-members.js';
import type { ProfileRow } from './profiles.js';

export type Home = NonNullable<DriverProfile['home_position']>;

/** Keyed by driver id. Drivers without a home position, and erased drivers, are absent. */
export type Homes = (driverIds: readonly number[]) => Promise<ReadonlyMap<number, Home>>;

export const createHomes =
  (database: Kysely<Database>, keyRing: KeyRing): Homes =>
  async (driverIds) => {
    const rows = await database
      .selectFrom('driver_profiles.driver_profiles')
      .selectAll()
      .where('id', 'in', [-1, ...driverIds])
      .execute();
    const set = rows.filter(({ sealed }) => sealed.length > 0);
    const opened = await openRows<DriverProfile, ProfileRow>(set, keyRing);
    return new Map(opened.flatMap(({ id, home_position }) => (home_position ? [[id, home_position] as const] : [])));
  };
