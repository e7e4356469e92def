/** Decides commands on an item of the catalogue. */
import { isDeepStrictEqual } from 'node:util';
import {
  CATALOG_ITEM_PREFIX,
  CatalogItemRetired,
  CatalogItemSaved,
  type CatalogItem,
  type CatalogKind,
} from '../../events/catalogue/events.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

/** `id`: the UUID of the item. `itemId`: for an item that does not exist yet. */
export type CatalogItemCommand = EntityCommand & { readonly id: string } & (
    | {
        readonly do: 'set';
        readonly itemId: number;
        readonly kind: CatalogKind;
        readonly code: string;
        readonly item: CatalogItem;
      }
    | { readonly do: 'retire' }
  );

interface ItemState {
  /** Data of the last saved version. */
  saved?: Readonly<Record<string, unknown>>;
  isRetired?: boolean;
}

export const catalogItems = entity<ItemState, CatalogItemCommand>({
  name: CATALOG_ITEM_PREFIX,
  makes: 'set',
  madeOnce: false,
  notFound: 'CATALOG_ITEM_NOT_FOUND',
  initial: () => ({}),
  decide({ saved, isRetired = false }, command) {
    if (command.do === 'retire') return isRetired ? undefined : newEvent(CatalogItemRetired, {});
    const { business, itemId, kind, code, item } = command;
    const data = { item_id: (saved?.['item_id'] as number | undefined) ?? itemId, business, kind, code, ...item };
    return !isRetired && isDeepStrictEqual(saved, data) ? undefined : newEvent(CatalogItemSaved, data);
  },
  evolve: (state, { type, data }) =>
    type === CatalogItemSaved.type ? { saved: data, isRetired: false } : { ...state, isRetired: true },
});
