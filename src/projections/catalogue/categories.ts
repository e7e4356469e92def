/** The read model of catalogue categories. */
import { CATALOG_CATEGORY_PREFIX, CategorySaved, type CatalogCategory } from '../../events/catalogue/events.js';
import { code, integer, json, uuid, type RowOf } from '../core/columns.js';
import { startsWith, table } from '../core/table.js';

const columns = {
  uuid: uuid(),
  business: integer(),
  code: code(),
  names: json<CatalogCategory['names']>(),
  sort_order: integer(),
  revision: integer(),
};
export type CatalogCategoryRow = RowOf<typeof columns>;

export const catalogCategories = table({
  name: 'catalogue_categories',
  table: 'categories',
  version: 1,
  prefixes: [CATALOG_CATEGORY_PREFIX],
  key: 'uuid',
  columns,
  indexes: ['(business, sort_order, code)'],
  fold: startsWith(CategorySaved, (category, event): CatalogCategoryRow => ({
    uuid: event.stream.slice(CATALOG_CATEGORY_PREFIX.length),
    ...category,
    revision: event.revision,
  })).on(CategorySaved, ({ names, sort_order }) => ({ names, sort_order })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'catalogue_categories',
    { 'catalogue_categories.categories': CatalogCategoryRow }
  > {}
}
