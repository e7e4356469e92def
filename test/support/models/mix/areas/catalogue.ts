/** Random commands to the catalogue. */
import { catalogCategories } from '../../../../../src/commands/catalogue/categories.js';
import { catalogItems } from '../../../../../src/commands/catalogue/items.js';
import {
  CATALOG_KINDS,
  catalogCategorySchema,
  catalogCategoryStream,
  catalogCategoryUuid,
  catalogItemSchema,
  catalogItemStream,
  catalogItemUuid,
} from '../../../../../src/events/catalogue/events.js';
import { generator } from '../generator.js';
import type { Pick } from '../pick.js';

const itemIn = (business: number, pick: Pick) => {
  const [kind, code] = [pick.one(...CATALOG_KINDS), `code_${pick.of(3)}`];
  return { kind, code, uuid: catalogItemUuid(business, kind, code) };
};

export const MIX = generator({
  set: ({ send, business, fresh }, pick) => {
    const { kind, code, uuid } = itemIn(business, pick);
    const command = { do: 'set', id: uuid, business, kind, code, itemId: fresh() } as const;
    return send(catalogItems, catalogItemStream(uuid), { ...command, item: pick.like(catalogItemSchema) });
  },
  retire: ({ send, business }, pick) => {
    const { uuid } = itemIn(business, pick);
    return send(catalogItems, catalogItemStream(uuid), { do: 'retire', id: uuid, business });
  },
  setCategory: ({ send, business }, pick) => {
    const category = { ...pick.like(catalogCategorySchema), code: `category_${pick.of(3)}` };
    const id = catalogCategoryUuid(business, category.code);
    return send(catalogCategories, catalogCategoryStream(id), { do: 'set', id, business, category });
  },
});
