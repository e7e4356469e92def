/** Items of the catalogue: packaging, supplies and services. */
import { z } from 'zod';
import type { CatalogItemCommand } from '../../../commands/catalogue/items.js';
import type { Handle } from '../../../commands/core/handle.js';
import { catalogItemStream, catalogItemUuid, type CatalogKind } from '../../../events/catalogue/events.js';
import { CATALOG_ITEM_IDS } from '../../../projections/catalogue/items.js';
import { CATALOG_STATUSES, type CatalogQueries } from '../../../projections/catalogue/queries.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { businessOf } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { versionOf } from '../../core/versions.js';
import { catalogViewer, READ, WRITE } from './access.js';
import {
  categoryCode,
  familyInput,
  itemCode,
  itemInput,
  itemOutput,
  kindInput,
  toItem,
  toStoredItem,
} from './shapes.js';

const MAX_ITEMS = 2_000;
const NOT_FOUND = { 404: '`CATALOG_ITEM_NOT_FOUND`: there is no such item, or the caller does not see it.' };
const named = { kind: kindInput, code: itemCode };

const ITEM_VERSION = versionOf(({ kind, code }, caller) =>
  catalogItemStream(catalogItemUuid(businessOf(caller), kind as CatalogKind, code as string)),
);

export interface ItemsOptions {
  readonly handle: Handle<CatalogItemCommand, undefined>;
  readonly queries: CatalogQueries;
  readonly warehouses: Pick<WarehouseQueries, 'isOpen'>;
}

export function itemOperations({ handle, queries, warehouses }: ItemsOptions): Operation[] {
  /** Throws UNKNOWN_CATEGORY and WAREHOUSE_NOT_FOUND. */
  async function checkReferences(
    { category_code, warehouse_ids = [] }: { category_code?: string | undefined; warehouse_ids?: number[] | undefined },
    business: number,
  ): Promise<void> {
    if (category_code !== undefined && !(await queries.category(business, category_code)))
      throw fieldError('UNKNOWN_CATEGORY', 'category_code', { code: category_code });
    for (const [index, id] of warehouse_ids.entries())
      if (!(await warehouses.isOpen(id, business)))
        throw fieldError('WAREHOUSE_NOT_FOUND', 'warehouse_ids', {}, `/warehouse_ids/${index}`);
  }

  return [
    operation({
      ...READ,
      name: 'catalogItems',
      summary: 'List catalogue items',
      description:
        'Customers see only active items, without costs. If the business hides prices of `family` from a customer, the items have no prices. Staff need the scope `catalogue:read`.',
      rest: { method: 'get', path: '/v1/catalogue' },
      reads: ['catalogue'],
      input: z.object({
        kind: kindInput.optional(),
        category_code: categoryCode.optional(),
        warehouse_id: idSchema.optional().describe('Return only items that this warehouse has.'),
        status: z.enum(CATALOG_STATUSES).optional().describe('Return only items with this status. Default: all items.'),
        family: familyInput,
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, catalog_items: z.array(itemOutput) }),
      async run({ kind, category_code, warehouse_id, status, family, ...page }, { caller }) {
        const viewer = catalogViewer(caller);
        const filter = { kind, categoryCode: category_code, warehouseId: warehouse_id, status };
        const { rows, ...found } = await queries.list({ ...filter, ...rangeOf(page) }, viewer);
        return { ...pageOf(page, found), catalog_items: rows.map((row) => toItem(row, family, viewer.activeOnly)) };
      },
    }),
    operation({
      ...READ,
      name: 'catalogItem',
      versioned: ITEM_VERSION,
      summary: 'Get a catalogue item',
      description: 'Customers see active items only. Staff need the scope `catalogue:read`.',
      rest: { method: 'get', path: '/v1/catalogue/:kind/:code' },
      reads: ['catalogue'],
      answers: NOT_FOUND,
      input: z.object({ ...named, family: familyInput }),
      output: z.object({ result: z.boolean(), catalog_item: itemOutput }),
      async run({ kind, code, family }, { caller }) {
        const viewer = catalogViewer(caller);
        const row = await queries.byCode(kind, code, viewer);
        if (!row) throw new ApiError('CATALOG_ITEM_NOT_FOUND');
        return { result: true, catalog_item: toItem(row, family, viewer.activeOnly) };
      },
    }),
    operation({
      ...WRITE,
      name: 'catalogItemSet',
      versioned: ITEM_VERSION,
      returns: { read: 'catalogItem' },
      summary: 'Create or replace a catalogue item',
      description: `Saves a new version of the item; fields that are omitted are reset. If the item is retired, the call puts it back into use. Inner dimensions of packaging must not exceed the outer dimensions. A business can have at most ${MAX_ITEMS} items, including retired items.`,
      rest: { method: 'put', path: '/v1/catalogue/:kind/:code' },
      reads: ['catalogue', 'catalogue_categories', 'warehouses'],
      awaits: ['catalogue'],
      answers: {
        404: '`WAREHOUSE_NOT_FOUND`: there is no such open warehouse.',
        422: '`UNKNOWN_CATEGORY`: the business has no such category. `TOO_PRECISE`: an amount has more digits than its currency.',
      },
      input: z.object({ ...named, ...itemInput }),
      output: z.object({ result: z.boolean() }),
      async run({ kind, code, ...input }, { caller, cause, commandId, reserveIds, wrote }) {
        const business = businessOf(caller);
        const item = toStoredItem(kind, input);
        await checkReferences(item, business);
        const known = await queries.byCode(kind, code, { business, activeOnly: false });
        if (!known && (await queries.countItems(business)) >= MAX_ITEMS)
          throw new ApiError('INVALID_INPUT', {
            errors: [{ field: 'code', path: '/code', code: 'TOO_MANY_ITEMS', params: { max: MAX_ITEMS } }],
          });
        const itemId = known?.id ?? (await reserveIds(CATALOG_ITEM_IDS, 1))[0]!;
        const id = catalogItemUuid(business, kind, code);
        const command = { do: 'set', id, business, commandId, itemId, kind, code, item } as const;
        wrote((await handle(catalogItemStream(id), command, cause)).position);
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'catalogItemRetire',
      versioned: ITEM_VERSION,
      returns: { read: 'catalogItem' },
      summary: 'Retire a catalogue item',
      description: 'Customers no longer see the item. Its data stays readable. A repeated call changes nothing.',
      rest: { method: 'post', path: '/v1/catalogue/:kind/:code/retire' },
      awaits: ['catalogue'],
      answers: NOT_FOUND,
      input: z.object(named),
      output: z.object({ result: z.boolean() }),
      async run({ kind, code }, { caller, cause, commandId, wrote }) {
        const business = businessOf(caller);
        const id = catalogItemUuid(business, kind, code);
        const { position } = await handle(catalogItemStream(id), { do: 'retire', id, business, commandId }, cause);
        wrote(position);
        return { result: true };
      },
    }),
  ];
}
