/** Decides commands on a category of the catalogue. */
import { isDeepStrictEqual } from 'node:util';
import { CATALOG_CATEGORY_PREFIX, CategorySaved, type CatalogCategory } from '../../events/catalogue/events.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

/** `id`: the UUID of the category. */
export type CatalogCategoryCommand = EntityCommand & {
  readonly id: string;
  readonly do: 'set';
  readonly category: CatalogCategory;
};

interface CategoryState {
  saved?: Readonly<Record<string, unknown>>;
}

export const catalogCategories = entity<CategoryState, CatalogCategoryCommand>({
  name: CATALOG_CATEGORY_PREFIX,
  makes: 'set',
  madeOnce: false,
  notFound: 'CATALOG_CATEGORY_NOT_FOUND',
  initial: () => ({}),
  decide({ saved }, { business, category }) {
    const data = { business, ...category };
    return isDeepStrictEqual(saved, data) ? undefined : newEvent(CategorySaved, data);
  },
  evolve: (_state, { data }) => ({ saved: data }),
});
