/** Finds the positions of addresses, and the places at a position, in the datasets of places of a business. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../core/database.js';
import { addressKey, areaOf, cellsAround, streetDigits, type PlaceText } from './place-key.js';

/** A record of a place. It has at least a street. */
export interface Place {
  readonly record_id: number;
  /** WGS 84 degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly street: string;
  readonly postal_code?: string | undefined;
  readonly city?: string | undefined;
  /** ISO 3166-1 alpha-2, if known. */
  readonly country?: string | undefined;
}

export interface PlaceQueries {
  /** Places by address key (`addressKey`), the oldest record first. */
  places(business: number, keys: readonly string[]): Promise<ReadonlyMap<string, readonly Place[]>>;
  /** Places in the same area with the same digits, keyed by address key. */
  neighbours(business: number, addresses: readonly PlaceText[]): Promise<ReadonlyMap<string, readonly Place[]>>;
  /** Places in the cells that cover all positions within this distance. */
  nearby(business: number, at: Pick<Place, 'latitude' | 'longitude'>, metres: number): Promise<readonly Place[]>;
  /** The businesses among these that have a dataset of places. */
  keepers(businesses: readonly number[]): Promise<ReadonlySet<number>>;
}

/** Maximum number of places per query. */
const MAX_NEARBY = 5_000;
const MAX_NEIGHBOURS = 300;
/** Sorts after the `/` that follows the area in a key, so it marks the end of an area. */
const AFTER_SLASH = '0';

type Fields = Omit<Place, 'record_id' | 'latitude' | 'longitude'> & {
  readonly position: { readonly latitude: number; readonly longitude: number };
};

const toPlace = ({ id, fields }: { readonly id: number; readonly fields: unknown }): Place => {
  const { position, street, postal_code, city, country } = fields as Fields;
  return { record_id: id, ...position, street, postal_code, city, country };
};

/** The columns of dataset `d` that a place is read from are visible: a hidden one is not returned, by no operation. */
const SHOWS_PLACES = sql<boolean>`not exists (
  select from json_array_elements(d.columns) c
   where c ->> 'code' in ('street', 'postal_code', 'city', 'country', 'position') and (c ->> 'hidden')::boolean)`;

export function createPlaceQueries(database: Kysely<Database>): PlaceQueries {
  const ofBusiness = (business: number) =>
    database
      .selectFrom('records.records as r')
      .innerJoin('datasets.datasets as d', 'd.id', 'r.dataset_id')
      .where('r.business', '=', business)
      .where('d.kind', '=', 'geocoding')
      .where('d.archived', '=', false)
      .where('r.place', 'is not', null)
      .where(SHOWS_PLACES)
      .orderBy('r.id');
  return {
    async places(business, keys) {
      if (keys.length === 0) return new Map();
      const rows = await ofBusiness(business)
        .where('r.place', 'in', [...new Set(keys)])
        .select(['r.place', 'r.id', 'r.fields'])
        .execute();
      const found = new Map<string, Place[]>();
      for (const row of rows) found.set(row.place!, [...(found.get(row.place!) ?? []), toPlace(row)]);
      return found;
    },
    async neighbours(business, addresses) {
      const wanted = addresses.flatMap((address) => {
        const [key, area] = [addressKey(address), areaOf(address)];
        if (key === null) return [];
        return [{ key, area: `${area}/`, next: `${area}${AFTER_SLASH}`, digits: streetDigits(address.street!) }];
      });
      if (wanted.length === 0) return new Map();
      const { rows } = await sql<{ key: string; id: number; fields: unknown }>`
        select distinct on (w.key, n.place, n.id) w.key, n.id, n.fields
        from json_to_recordset(${JSON.stringify(wanted)}) w (key text, area text, next text, digits text)
        cross join lateral (
          select r.place, r.id, r.fields
          from records.records r join datasets.datasets d on d.id = r.dataset_id
          where r.business = ${business} and r.place >= w.area collate "C" and r.place < w.next collate "C"
            and regexp_replace(split_part(r.place, '/', 2), '\\D', '', 'g') = w.digits and d.kind = 'geocoding' and not d.archived
            and ${SHOWS_PLACES}
          order by r.place limit ${MAX_NEIGHBOURS}
        ) n
        order by w.key, n.place, n.id`.execute(database);
      const found = new Map<string, Place[]>();
      for (const { key, ...row } of rows) found.set(key, [...(found.get(key) ?? []), toPlace(row)]);
      return found;
    },
    async nearby(business, at, metres) {
      const rows = await ofBusiness(business)
        .where('r.cell', 'in', cellsAround(at, metres))
        .select(['r.id', 'r.fields'])
        .limit(MAX_NEARBY)
        .execute();
      return rows.map(toPlace);
    },
    async keepers(businesses) {
      if (businesses.length === 0) return new Set();
      const rows = await database
        .selectFrom('datasets.datasets')
        .where('business', 'in', [...businesses])
        .where('kind', '=', 'geocoding')
        .where('archived', '=', false)
        .select('business')
        .distinct()
        .execute();
      return new Set(rows.map(({ business }) => business));
    },
  };
}
