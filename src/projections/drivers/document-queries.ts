/** Queries on the read models of drivers' profiles and documents. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { DriverDocument, DriverProfile } from '../../events/drivers/profile-and-documents.js';
import type { Database } from '../core/database.js';
import { openRows } from '../core/sealed-members.js';
import type { DocumentRow } from './documents.js';
import type { ProfileRow } from './profiles.js';

/** A document with decrypted personal data, if the keys exist. */
export type Document = Omit<DocumentRow, 'sealed'> & Pick<DriverDocument, 'number'> & { readonly reason?: string };

export type DocumentQueries = ReturnType<typeof createDocumentQueries>;

export interface HeldDocuments {
  /** Kinds of verified documents that are valid on a day (`YYYY-MM-DD`), by driver. Drivers without any are absent. */
  held(date: string, driverIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<string>>>;
}

export const createHeldDocuments = (database: Kysely<Database>): HeldDocuments => ({
  async held(date, driverIds) {
    const rows = await database
      .selectFrom('driver_documents.driver_documents')
      .select(['driver_id', 'kind'])
      .where('driver_id', 'in', [-1, ...driverIds])
      .where('state', '=', 'verified')
      .where(sql<boolean>`coalesce(valid_from, '') <= ${date} and coalesce(valid_until, '9999-12-31') >= ${date}`)
      .execute();
    const held = new Map<number, Set<string>>();
    for (const { driver_id, kind } of rows) held.set(driver_id, (held.get(driver_id) ?? new Set()).add(kind));
    return held;
  },
});

export function createDocumentQueries(database: Kysely<Database>, keyRing: KeyRing) {
  return {
    /** `profile` is undefined if it was never set or is completely erased; `version` is -1 if it was never set. */
    async profile(
      driverId: number,
    ): Promise<{ readonly profile: DriverProfile | undefined; readonly version: number }> {
      const rows = await database
        .selectFrom('driver_profiles.driver_profiles')
        .selectAll()
        .where('id', '=', driverId)
        .execute();
      const set = rows.filter(({ sealed }) => sealed.length > 0);
      const [profile] = await openRows<DriverProfile, ProfileRow>(set, keyRing);
      return { profile, version: rows[0]?.revision ?? -1 };
    },
    /** Newest first. */
    async documents(driverId: number): Promise<readonly Document[]> {
      const rows = await database
        .selectFrom('driver_documents.driver_documents')
        .selectAll()
        .where('driver_id', '=', driverId)
        .orderBy('submitted_at', 'desc')
        .orderBy('id')
        .execute();
      return openRows<Pick<Document, 'number' | 'reason'>, DocumentRow>(rows, keyRing);
    },
    /** Drivers with a document that refers to the file. */
    driversOf: (fileId: string): Promise<readonly Pick<DocumentRow, 'driver_id' | 'business'>[]> =>
      database
        .selectFrom('driver_documents.driver_documents')
        .select(['driver_id', 'business'])
        .where(sql<boolean>`file_ids @> array[${fileId}]`)
        .execute(),
  };
}
