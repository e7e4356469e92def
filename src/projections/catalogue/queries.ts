/** Queries on the catalogue of a business. */
import { sql, type Kysely } from 'kysely';
import { catalogCategoryUuid, catalogItemUuid, type CatalogKind } from '../../events/catalogue/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { CatalogCategoryRow } from './categories.js';
import type { CatalogItemRow } from './items.js';

/** The viewing business. With `activeOnly`: neither inactive nor retired items, for customers. */
export interface CatalogViewer {
  readonly business: number;
  readonly activeOnly: boolean;
}

export interface CatalogFilter extends Range {
  readonly kind?: CatalogKind | undefined;
  readonly categoryCode?: string | undefined;
  /** Items that this warehouse has. */
  readonly warehouseId?: number | undefined;
  readonly status?: CatalogStatus | undefined;
}

/** `inactive`: customers cannot select the item. */
export const CATALOG_STATUSES = ['active', 'inactive', 'retired'] as const;
export type CatalogStatus = (typeof CATALOG_STATUSES)[number];

export const catalogStatusOf = ({
  active,
  retired_at,
}: Pick<CatalogItemRow, 'active' | 'retired_at'>): CatalogStatus =>
  retired_at !== null ? 'retired' : active ? 'active' : 'inactive';

export interface CatalogQueries {
  /** Sorted by id. */
  list(filter: CatalogFilter, viewer: CatalogViewer): Promise<Page<CatalogItemRow>>;
  byCode(kind: CatalogKind, code: string, viewer: CatalogViewer): Promise<CatalogItemRow | undefined>;
  /** Number of items, including retired items. */
  countItems(business: number): Promise<number>;
  /** Sorted by `sort_order` and code. */
  categories(business: number): Promise<readonly CatalogCategoryRow[]>;
  category(business: number, code: string): Promise<CatalogCategoryRow | undefined>;
}

const isIn = (status: CatalogStatus) =>
  status === 'retired'
    ? sql<boolean>`retired_at is not null`
    : sql<boolean>`retired_at is null and active = ${status === 'active'}`;

export function createCatalogQueries(database: Kysely<Database>): CatalogQueries {
  const seen = ({ business, activeOnly }: CatalogViewer) =>
    database
      .selectFrom('catalogue.items')
      .where('business', '=', business)
      .$if(activeOnly, (items) => items.where(isIn('active')));
  return {
    list({ kind, categoryCode, warehouseId, status, ...range }, viewer) {
      const found = seen(viewer)
        .$if(kind !== undefined, (items) => items.where('kind', '=', kind!))
        .$if(categoryCode !== undefined, (items) => items.where('category_code', '=', categoryCode!))
        .$if(warehouseId !== undefined, (items) =>
          items.where(sql<boolean>`(warehouse_ids is null or ${warehouseId!} = any (warehouse_ids))`),
        )
        .$if(status !== undefined, (items) => items.where(isIn(status!)));
      return pageOf(found.selectAll(), range, BY_ID);
    },
    byCode: (kind, code, viewer) =>
      seen(viewer)
        .where('uuid', '=', catalogItemUuid(viewer.business, kind, code))
        .selectAll()
        .executeTakeFirst(),
    async countItems(business) {
      const { count } = await seen({ business, activeOnly: false })
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    categories: (business) =>
      database
        .selectFrom('catalogue_categories.categories')
        .where('business', '=', business)
        .selectAll()
        .orderBy('sort_order')
        .orderBy('code')
        .execute(),
    category: (business, categoryCode) =>
      database
        .selectFrom('catalogue_categories.categories')
        .where('uuid', '=', catalogCategoryUuid(business, categoryCode))
        .selectAll()
        .executeTakeFirst(),
  };
}
