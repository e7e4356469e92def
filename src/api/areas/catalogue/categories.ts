/** Categories of the catalogue. */
import { z } from 'zod';
import type { CatalogCategoryCommand } from '../../../commands/catalogue/categories.js';
import type { Handle } from '../../../commands/core/handle.js';
import { catalogCategoryStream, catalogCategoryUuid } from '../../../events/catalogue/events.js';
import type { CatalogQueries } from '../../../projections/catalogue/queries.js';
import { businessOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { versionOf } from '../../core/versions.js';
import { catalogViewer, READ, WRITE } from './access.js';
import { categoryCode, categoryOutput, namesInput, toCategory } from './shapes.js';

const MAX_CATEGORIES = 500;
const CATEGORY_VERSION = versionOf((input, caller) =>
  catalogCategoryStream(catalogCategoryUuid(businessOf(caller), input['code'] as string)),
);

export interface CategoriesOptions {
  readonly handle: Handle<CatalogCategoryCommand, undefined>;
  readonly queries: CatalogQueries;
}

export function categoryOperations({ handle, queries }: CategoriesOptions): Operation[] {
  return [
    operation({
      ...READ,
      name: 'catalogCategories',
      summary: 'List catalogue categories',
      description: 'Sorted by `sort_order` and code. Staff need the scope `catalogue:read`.',
      rest: { method: 'get', path: '/v1/catalogue/categories' },
      reads: ['catalogue_categories'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), catalog_categories: z.array(categoryOutput).max(MAX_CATEGORIES) }),
      async run(_input, { caller }) {
        const { business } = catalogViewer(caller);
        return { result: true, catalog_categories: (await queries.categories(business)).map(toCategory) };
      },
    }),
    operation({
      ...READ,
      name: 'catalogCategory',
      versioned: CATEGORY_VERSION,
      summary: 'Get a catalogue category',
      description: 'Staff need the scope `catalogue:read`.',
      rest: { method: 'get', path: '/v1/catalogue/categories/:code' },
      reads: ['catalogue_categories'],
      answers: { 404: '`CATALOG_CATEGORY_NOT_FOUND`: there is no such category.' },
      input: z.object({ code: categoryCode }),
      output: z.object({ result: z.boolean(), catalog_category: categoryOutput }),
      async run({ code }, { caller }) {
        const found = await queries.category(catalogViewer(caller).business, code);
        if (!found) throw new ApiError('CATALOG_CATEGORY_NOT_FOUND');
        return { result: true, catalog_category: toCategory(found) };
      },
    }),
    operation({
      ...WRITE,
      name: 'catalogCategorySet',
      versioned: CATEGORY_VERSION,
      returns: { read: 'catalogCategory' },
      summary: 'Create or replace a catalogue category',
      description: `A business can have at most ${MAX_CATEGORIES} categories. Fields that are omitted are reset.`,
      rest: { method: 'put', path: '/v1/catalogue/categories/:code' },
      reads: ['catalogue_categories'],
      awaits: ['catalogue_categories'],
      input: z.object({
        code: categoryCode,
        names: namesInput,
        sort_order: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(0)
          .describe('Position in lists. Categories with a lower number come first.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ code, names, sort_order }, { caller, cause, commandId, wrote }) {
        const business = businessOf(caller);
        const known = await queries.categories(business);
        if (known.length >= MAX_CATEGORIES && known.every((one) => one.code !== code))
          throw new ApiError('INVALID_INPUT', {
            errors: [{ field: 'code', path: '/code', code: 'TOO_MANY_ITEMS', params: { max: MAX_CATEGORIES } }],
          });
        const id = catalogCategoryUuid(business, code);
        const category = { code, names: names as Record<string, string>, sort_order };
        const command = { do: 'set', id, business, commandId, category } as const;
        wrote((await handle(catalogCategoryStream(id), command, cause)).position);
        return { result: true };
      },
    }),
  ];
}
