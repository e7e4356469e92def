/**
 * Events of the catalogue: packaging, supplies and services that a business sells or uses by piece. An item's stream
 * follows from its kind and code, so a code is unique. Each saved event is a version of the item.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { derivedId } from '../otep/identity.js';

export const CATALOG_ITEM_PREFIX = 'catalogitem-';
export const CATALOG_CATEGORY_PREFIX = 'catalogcategory-';

export const CATALOG_KINDS = ['packaging', 'supply', 'service'] as const;
export type CatalogKind = (typeof CATALOG_KINDS)[number];

/** The UUID of an item, by which its stream is named. */
export const catalogItemUuid = (business: number, kind: CatalogKind, code: string): string =>
  derivedId('catalog item', business, kind, code);
export const catalogItemStream = (uuid: string): string => `${CATALOG_ITEM_PREFIX}${uuid}`;

export const catalogCategoryUuid = (business: number, code: string): string =>
  derivedId('catalog category', business, code);
export const catalogCategoryStream = (uuid: string): string => `${CATALOG_CATEGORY_PREFIX}${uuid}`;

const dimensionsSchema = z.object({ length_cm: z.number(), width_cm: z.number(), height_cm: z.number() });

/** The content of an item. Money is an exact decimal text. */
export const catalogItemSchema = z.object({
  /** Names by language. */
  names: z.record(z.string(), z.string()),
  category_code: z.string().optional(),
  inner: dimensionsSchema.optional(),
  outer: dimensionsSchema.optional(),
  /** Weight of the empty packaging. */
  tare_kg: z.number().optional(),
  max_weight_kg: z.number().optional(),
  /** Amount that the business pays. */
  cost: z.string().optional(),
  /** Amount that customers pay. */
  price: z.string().optional(),
  /** Currency of `cost` and `price`. */
  currency: z.string().optional(),
  taxable: z.boolean(),
  /** Whether customers can select the item. */
  active: z.boolean(),
  /** Warehouses that have the item; absent: all. */
  warehouse_ids: z.array(z.int()).optional(),
});
export type CatalogItem = z.infer<typeof catalogItemSchema>;

/** Replaces the whole item. An item that was retired is in use again. */
export const CatalogItemSaved = eventType(
  'CatalogItemSaved',
  catalogItemSchema.extend({ item_id: z.int(), business: z.int(), kind: z.enum(CATALOG_KINDS), code: z.string() }),
);
export const CatalogItemRetired = eventType('CatalogItemRetired', z.object({}));
export const CATALOG_ITEM_EVENTS = [CatalogItemSaved, CatalogItemRetired] as const;

export const catalogCategorySchema = z.object({
  code: z.string(),
  names: z.record(z.string(), z.string()),
  sort_order: z.int(),
});
export type CatalogCategory = z.infer<typeof catalogCategorySchema>;

/** Replaces the whole category. */
export const CategorySaved = eventType('CategorySaved', catalogCategorySchema.extend({ business: z.int() }));
export const CATALOG_CATEGORY_EVENTS = [CategorySaved] as const;
