/** The read model of catalogue items: the last version of each item, also of retired items. */
import {
  CATALOG_ITEM_PREFIX,
  CatalogItemRetired,
  CatalogItemSaved,
  type CatalogItem,
  type CatalogKind,
} from '../../events/catalogue/events.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { z } from 'zod';
import { code, double, flag, integer, integers, json, optional, text, uuid, type RowOf } from '../core/columns.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of items. */
export const CATALOG_ITEM_IDS = sequence('catalogue', { readModel: 'catalogue', table: 'catalogue.items' });

const columns = {
  uuid: uuid(),
  id: integer(),
  business: integer(),
  kind: code<CatalogKind>(),
  code: code(),
  names: json<CatalogItem['names']>(),
  category_code: optional(code()),
  inner_cm: optional(json<NonNullable<CatalogItem['inner']>>()),
  outer_cm: optional(json<NonNullable<CatalogItem['outer']>>()),
  tare_kg: optional(double()),
  max_weight_kg: optional(double()),
  cost: optional(text()),
  price: optional(text()),
  currency: optional(text()),
  taxable: flag(),
  active: flag(),
  warehouse_ids: optional(integers()),
  retired_at: optional(text()),
  revision: integer(),
};
export type CatalogItemRow = RowOf<typeof columns>;

type Saved = z.infer<typeof CatalogItemSaved.schema>;

const versionOf = ({ item_id, business, kind, code: itemCode, ...item }: Saved) => ({
  id: item_id,
  business,
  kind,
  code: itemCode,
  names: item.names,
  category_code: item.category_code ?? null,
  inner_cm: item.inner ?? null,
  outer_cm: item.outer ?? null,
  tare_kg: item.tare_kg ?? null,
  max_weight_kg: item.max_weight_kg ?? null,
  cost: item.cost ?? null,
  price: item.price ?? null,
  currency: item.currency ?? null,
  taxable: item.taxable,
  active: item.active,
  warehouse_ids: item.warehouse_ids ?? null,
  retired_at: null,
});

export const catalogue = table({
  name: 'catalogue',
  table: 'items',
  version: 1,
  prefixes: [CATALOG_ITEM_PREFIX],
  key: 'uuid',
  columns,
  indexes: ['(business, id)', '(business, kind, active)'],
  fold: startsWith(CatalogItemSaved, (saved, event: StoredEvent): CatalogItemRow => ({
    uuid: event.stream.slice(CATALOG_ITEM_PREFIX.length),
    ...versionOf(saved),
    revision: event.revision,
  }))
    .on(CatalogItemSaved, (saved) => versionOf(saved))
    .on(CatalogItemRetired, (_data, _row, event) => ({ retired_at: recordedAt(event) })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'catalogue', { 'catalogue.items': CatalogItemRow }> {}
}
