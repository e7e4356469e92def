/** Queries on the read model of points of interest. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Place, Visibility } from '../../events/pois/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { isInBox, isNear, metresFrom, type Box, type Position } from '../core/geo.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { PoiRow } from './read-model.js';

/** The viewing business. With `publicOnly`: only public places. */
export interface PoiViewer {
  readonly business: number;
  readonly publicOnly: boolean;
}

export interface PoiFilter {
  readonly category?: string | undefined;
  /** A place must have all of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** A part of the name. */
  readonly q?: string | undefined;
  readonly externalRef?: string | undefined;
  readonly box?: Box | undefined;
  /** Places within this distance, nearest first. */
  readonly near?: (Position & { readonly withinM: number }) | undefined;
}

/** A place with decrypted personal data. Of an erased place, only members without personal data are left. */
export type Poi = Pick<PoiRow, 'id' | 'name' | 'category' | 'tags' | 'visibility' | 'external_ref' | 'revision'> &
  Pick<Place, 'position' | 'opening_hours'> &
  Partial<Place> & { readonly metres?: number };

/** A place for maps. It contains no personal data, and no key is needed to read it. */
export interface OpenPlace {
  readonly id: number;
  readonly name: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
}

export interface PoiQueries {
  list(filter: PoiFilter, range: Range, viewer: PoiViewer): Promise<Page<Poi>>;
  byId(id: number, viewer: PoiViewer): Promise<Poi | undefined>;
  /** Places whose name, postal code or city contain all of the words, by id. Streets are encrypted. */
  search(text: string, limit: number, viewer: PoiViewer): Promise<readonly Poi[]>;
  count(business: number): Promise<number>;
  /** Reads places for maps, without keys. */
  open(filter: PoiFilter, limit: number, viewer: PoiViewer): Promise<readonly OpenPlace[]>;
}

/** SQL conditions on rows of `pois.pois`. */
export function poiConditions({ category, tags, q, externalRef, box, near }: PoiFilter): RawBuilder<boolean>[] {
  return [
    ...(category === undefined ? [] : [sql<boolean>`category = ${category}`]),
    ...(tags === undefined ? [] : [sql<boolean>`tags @> ${tags}::text[]`]),
    ...(q === undefined ? [] : [sql<boolean>`name ilike ${containing(q)}`]),
    ...(externalRef === undefined ? [] : [sql<boolean>`external_ref = ${externalRef}`]),
    ...(box === undefined ? [] : [isInBox(box, AT)]),
    ...(near === undefined ? [] : [isNear(near, near.withinM, AT)]),
  ];
}

/** Pattern for texts that contain this text. */
const containing = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`;

/** SQL expression: the name of a row, and the members of its address that are not encrypted. */
const OPEN_TEXT = sql<string>`concat_ws(' ', name, (
  select string_agg(concat_ws(' ', s -> 'data' -> 'address' ->> 'postal_code', s -> 'data' -> 'address' ->> 'city'), ' ')
    from json_array_elements(sealed) s))`;

/** SQL expression: the distance of a row from the requested position in metres; null without a position. */
export const metresTo = ({ near }: PoiFilter): RawBuilder<number | null> =>
  near ? metresFrom(near, AT) : sql<null>`null::float8`;

const AT = { latitude: sql.ref('latitude'), longitude: sql.ref('longitude') };
const PUBLIC: Visibility = 'public';

export function createPoiQueries(database: Kysely<Database>, keyRing: KeyRing): PoiQueries {
  const seen = ({ business, publicOnly }: PoiViewer) =>
    database
      .selectFrom('pois.pois')
      .where('business', '=', business)
      .where('archived', '=', false)
      .$if(publicOnly, (query) => query.where('visibility', '=', PUBLIC));
  const found = (filter: PoiFilter, viewer: PoiViewer) =>
    poiConditions(filter).reduce((query, condition) => query.where(condition), seen(viewer));
  const open = (rows: readonly PoiRow[]) => openRows<Place, PoiRow>(rows, keyRing);

  return {
    async list(filter, range, viewer) {
      const { near } = filter;
      const metres = metresTo(filter);
      const { rows, ...page } = await pageOf(
        found(filter, viewer).selectAll().select(metres.as('metres')),
        range,
        BY_ID,
        near && ((query) => query.orderBy('metres').orderBy('id')),
      );
      const opened = await open(rows);
      return { ...page, rows: opened.map((poi, index) => ({ ...poi, ...(near && { metres: rows[index]!.metres! }) })) };
    },
    byId: async (id, viewer) => (await open(await seen(viewer).where('id', '=', id).selectAll().execute()))[0],
    async search(text, limit, viewer) {
      const patterns = text
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(containing);
      if (patterns.length === 0) return [];
      const rows = await seen(viewer)
        .where(sql<boolean>`${OPEN_TEXT} ilike all (${patterns}::text[])`)
        .selectAll()
        .orderBy('id')
        .limit(limit)
        .execute();
      return open(rows);
    },
    async count(business) {
      const { count } = await seen({ business, publicOnly: false })
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    open: (filter, limit, viewer) =>
      found(filter, viewer)
        .select(['id', 'name', 'category', 'tags', 'latitude', 'longitude'])
        .orderBy('id')
        .limit(limit)
        .execute(),
  };
}
