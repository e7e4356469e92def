/** The catalogue of the demo business: boxes, material and services. */
import { catalogCategories } from '../../commands/catalogue/categories.js';
import { catalogItems } from '../../commands/catalogue/items.js';
import type { Cause } from '../../commands/core/handle.js';
import {
  catalogCategoryStream,
  catalogCategoryUuid,
  catalogItemStream,
  catalogItemUuid,
  type CatalogCategory,
  type CatalogItem,
  type CatalogKind,
} from '../../events/catalogue/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { CATALOG_ITEM_IDS } from '../../projections/catalogue/items.js';
import type { Service } from '../service.js';
import { seeding } from './seeding.js';

const CATEGORIES: readonly CatalogCategory[] = [
  { code: 'boxes', names: { en: 'Boxes', de: 'Kartons' }, sort_order: 10 },
  { code: 'material', names: { en: 'Packing material', de: 'Packmaterial' }, sort_order: 20 },
];

const size = (length_cm: number, width_cm: number, height_cm: number) => ({ length_cm, width_cm, height_cm });
const sold = { currency: 'EUR', taxable: true, active: true };
const ITEMS: readonly (readonly [CatalogKind, string, CatalogItem])[] = [
  [
    'packaging',
    'box_s',
    {
      ...sold,
      names: { en: 'Box S', de: 'Karton S' },
      category_code: 'boxes',
      inner: size(24, 17, 9),
      outer: size(25, 18, 10),
      tare_kg: 0.12,
      max_weight_kg: 5,
      cost: '0.35',
      price: '1.20',
    },
  ],
  [
    'packaging',
    'box_l',
    {
      ...sold,
      names: { en: 'Box L', de: 'Karton L' },
      category_code: 'boxes',
      inner: size(58, 38, 38),
      outer: size(60, 40, 40),
      tare_kg: 0.9,
      max_weight_kg: 30,
      cost: '1.60',
      price: '3.90',
    },
  ],
  [
    'supply',
    'tape',
    { ...sold, names: { en: 'Parcel tape', de: 'Paketband' }, category_code: 'material', cost: '0.90', price: '2.50' },
  ],
  ['service', 'gift_wrapping', { ...sold, names: { en: 'Gift wrapping', de: 'Geschenkverpackung' }, price: '3.00' }],
];

/** Seeds the missing categories and items. `cause` names the business. */
export async function seedCatalogue(
  { engines }: Pick<Service, 'engines'>,
  { businessId: business }: { readonly businessId: number },
  cause: Cause,
): Promise<void> {
  const { idOf, handler, prepare } = seeding({ engines }, business);
  await prepare(CATALOG_ITEM_IDS);
  const categories = handler(catalogCategories);
  for (const category of CATEGORIES) {
    const id = catalogCategoryUuid(business, category.code);
    const command = { do: 'set', id, business, commandId: derivedId('seed', id), category } as const;
    await categories(catalogCategoryStream(id), command, cause);
  }
  const items = handler(catalogItems);
  for (const [kind, code, item] of ITEMS) {
    const id = catalogItemUuid(business, kind, code);
    const itemId = await idOf(CATALOG_ITEM_IDS.name, code, 'catalogue.items', 'code');
    const command = { do: 'set', id, business, commandId: derivedId('seed', id), itemId, kind, code, item } as const;
    await items(catalogItemStream(id), command, cause);
  }
}
