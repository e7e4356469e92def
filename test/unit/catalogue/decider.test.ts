/** Items and categories of the catalogue: each saved event is a version, and a retired item can be saved again. */
import { expect } from 'chai';
import { catalogCategories, type CatalogCategoryCommand } from '../../../src/commands/catalogue/categories.js';
import { catalogItems, type CatalogItemCommand } from '../../../src/commands/catalogue/items.js';
import type { CatalogItem } from '../../../src/events/catalogue/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const items = commandsTo<CatalogItemCommand>('item');
const tape: CatalogItem = { names: { en: 'Tape' }, price: '2.50', currency: 'EUR', taxable: true, active: true };
const set = (item: Partial<CatalogItem> = {}, itemId = 7) =>
  items.of({ do: 'set', itemId, kind: 'supply', code: 'tape', item: { ...tape, ...item } });

describe('the deciders of the catalogue', () => {
  it('save each version of an item under its first id', () => {
    const saved = given(catalogItems).when(set());
    const data = { item_id: 7, business: 1, kind: 'supply', code: 'tape', ...tape };
    expect(saved.facts).to.deep.equal([{ type: 'CatalogItemSaved', data }]);
    expect(saved.then.when(set({}, 8)).types, 'the same content').to.deep.equal([]);
    expect(saved.then.when(set({ price: '3.00' }, 8)).facts).to.deep.equal([
      { type: 'CatalogItemSaved', data: { ...data, price: '3.00' } },
    ]);
  });

  it('retire an item once, and save it again', () => {
    const retired = given(catalogItems, set()).when(items.of({ do: 'retire' }));
    expect(retired.types).to.deep.equal(['CatalogItemRetired']);
    expect(retired.then.when(items.of({ do: 'retire' })).types).to.deep.equal([]);
    expect(retired.then.when(set()).types, 'in use again').to.deep.equal(['CatalogItemSaved']);
    expect(given(catalogItems).refusal(items.of({ do: 'retire' }))).to.equal('CATALOG_ITEM_NOT_FOUND');
  });

  it('save a category when its content changes', () => {
    const { of } = commandsTo<CatalogCategoryCommand>('category');
    const category = (sort_order: number) =>
      of({ do: 'set', category: { code: 'boxes', names: { en: 'Boxes' }, sort_order } });
    const saved = given(catalogCategories).when(category(1));
    expect(saved.facts).to.deep.equal([
      { type: 'CategorySaved', data: { business: 1, code: 'boxes', names: { en: 'Boxes' }, sort_order: 1 } },
    ]);
    expect(saved.then.when(category(1)).types).to.deep.equal([]);
    expect(saved.then.when(category(2)).types).to.deep.equal(['CategorySaved']);
  });
});
