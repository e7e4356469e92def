/** Where addresses are, by the datasets of places that a business keeps. */
import type { Kysely } from 'kysely';
import type { Database } from '../core/database.js';

/** WGS 84 degrees, and the record that says so. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** ISO 3166-1 alpha-2, where it is said. */
  readonly country?: string | undefined;
  readonly record_id: number;
}

export interface PlaceQueries {
  /** By the keys of addresses (`addressKey`); the oldest record first. */
  places(business: number, keys: readonly string[]): Promise<ReadonlyMap<string, readonly Place[]>>;
}

export const createPlaceQueries = (database: Kysely<Database>): PlaceQueries => ({
  async places(business, keys) {
    if (keys.length === 0) return new Map();
    const rows = await database
      .selectFrom('records.records as r')
      .innerJoin('datasets.datasets as d', 'd.id', 'r.dataset_id')
      .where('r.business', '=', business)
      .where('r.place', 'in', [...new Set(keys)])
      .where('d.kind', '=', 'geocoding')
      .where('d.archived', '=', false)
      .select(['r.place', 'r.id', 'r.fields'])
      .orderBy('r.id')
      .execute();
    const found = new Map<string, Place[]>();
    for (const { place, id, fields } of rows) {
      const { position, country } = fields as { position: { latitude: number; longitude: number }; country?: string };
      found.set(place!, [...(found.get(place!) ?? []), { ...position, country, record_id: id }]);
    }
    return found;
  },
});
