/** The catalogue of packaging, supplies and services of a business. */
import { categoryOperations } from '../api/areas/catalogue/categories.js';
import { CATALOG_EXAMPLES } from '../api/areas/catalogue/examples.js';
import { itemOperations } from '../api/areas/catalogue/items.js';
import { catalogCategories as categoryDecider } from '../commands/catalogue/categories.js';
import { catalogItems as itemDecider } from '../commands/catalogue/items.js';
import {
  CATALOG_CATEGORY_EVENTS,
  CATALOG_CATEGORY_PREFIX,
  CATALOG_ITEM_EVENTS,
  CATALOG_ITEM_PREFIX,
} from '../events/catalogue/events.js';
import { catalogCategories } from '../projections/catalogue/categories.js';
import { CATALOG_ITEM_IDS, catalogue as itemRows } from '../projections/catalogue/items.js';
import { createCatalogQueries } from '../projections/catalogue/queries.js';
import { createWarehouseQueries } from '../projections/warehouses/queries.js';
import { area } from './area.js';

export const catalogue = area({
  name: 'catalogue',
  examples: CATALOG_EXAMPLES,
  streams: [
    { prefix: CATALOG_ITEM_PREFIX, events: CATALOG_ITEM_EVENTS, tenant: 'business' },
    { prefix: CATALOG_CATEGORY_PREFIX, events: CATALOG_CATEGORY_EVENTS, tenant: 'business' },
  ],
  readModels: [itemRows, catalogCategories],
  sequences: [CATALOG_ITEM_IDS],
  errors: { CATALOG_ITEM_NOT_FOUND: 404, CATALOG_CATEGORY_NOT_FOUND: 404, UNKNOWN_CATEGORY: 422 },
  operations(_services, { handle, database, engines: { keyRing } }) {
    const queries = createCatalogQueries(database);
    const warehouses = createWarehouseQueries(database, keyRing);
    return [
      // The path `categories` must precede `{kind}`, which would otherwise match it.
      ...categoryOperations({ handle: handle(categoryDecider), queries }),
      ...itemOperations({ handle: handle(itemDecider), queries, warehouses }),
    ];
  },
});
