/** Catalogue items and categories in requests and responses. */
import { z } from 'zod';
import { compact } from '../../../events/core/compact.js';
import { LANGUAGES } from '../../../events/core/languages.js';
import { CATALOG_KINDS, type CatalogItem, type CatalogKind } from '../../../events/catalogue/events.js';
import { FAMILIES, type Family } from '../../../events/pricing/families.js';
import type { CatalogCategoryRow } from '../../../projections/catalogue/categories.js';
import type { CatalogItemRow } from '../../../projections/catalogue/items.js';
import { CATALOG_STATUSES, catalogStatusOf } from '../../../projections/catalogue/queries.js';
import { ApiError, formatError, type FieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactAtLeast } from '../../core/money.js';
import { price, priced } from '../../core/prices.js';
import { versionSchema } from '../../core/versions.js';
import { amountInput, currencyInput } from '../pricing/shapes.js';

export const kindInput = z
  .enum(CATALOG_KINDS)
  .describe(
    '`packaging`: boxes and other containers. `supply`: tape, labels and other material. `service`: work that is sold per piece, such as gift wrapping.',
  );
export const itemCode = z
  .string()
  .regex(/^[a-z0-9_-]{1,40}$/)
  .describe('Code of the item, unique within its kind, for example `box_s`.');
export const categoryCode = z
  .string()
  .regex(/^[a-z0-9_-]{1,40}$/)
  .describe('Code of the category, for example `boxes`.');
export const familyInput = z
  .enum(FAMILIES)
  .default('local_delivery')
  .describe(
    'Order family for which the items are shown. If the business hides prices of this family from a customer, the response contains no prices.',
  );
export const namesInput = z
  .partialRecord(z.enum(LANGUAGES), z.string().trim().min(1).max(100))
  .refine((names) => Object.keys(names).length > 0)
  .describe('Display names by language, at least one.');

const side = z.number().positive().max(1_000);
const dimensionsInput = z
  .strictObject({ length_cm: side, width_cm: side, height_cm: side })
  .meta({ id: 'DimensionsInput' });
const weight = z.number().min(0).max(100_000);

export const itemInput = {
  names: namesInput,
  category_code: categoryCode.optional(),
  inner: dimensionsInput.optional().describe('Inner dimensions. Required for packaging.'),
  outer: dimensionsInput.optional().describe('Outer dimensions. Required for packaging.'),
  tare_kg: weight.optional().describe('Weight of the empty packaging.'),
  max_weight_kg: weight.optional().describe('Maximum weight of the contents.'),
  cost: amountInput.optional().describe('Amount that the business pays. Customers never see it.'),
  price: amountInput.optional().describe('Amount that customers pay, without taxes.'),
  currency: currencyInput.optional().describe('ISO 4217 code. Required with `cost` or `price`.'),
  taxable: z.boolean().default(true).describe('Whether taxes are added to the price.'),
  status: z.enum(['active', 'inactive']).default('active').describe('`inactive`: customers do not see the item.'),
  warehouse_ids: z
    .array(idSchema)
    .min(1)
    .max(500)
    .optional()
    .describe('Warehouses that have the item. Default: all warehouses.'),
};
export type ItemInput = z.infer<z.ZodObject<typeof itemInput>>;

const dimensions = z
  .object({ length_cm: z.number(), width_cm: z.number(), height_cm: z.number() })
  .meta({ id: 'Dimensions' });

export const itemOutput = priced(
  {
    id: z.int(),
    kind: z.enum(CATALOG_KINDS),
    code: z.string(),
    names: z.record(z.string(), z.string()),
    category_code: z.string().nullable(),
    inner: dimensions.nullable(),
    outer: dimensions.nullable(),
    tare_kg: z.number().nullable(),
    max_weight_kg: z.number().nullable(),
    family: z.enum(FAMILIES).describe('The `family` of the request.'),
    price: price(z.string().nullable()),
    currency: price(z.string().nullable()),
    cost: price(z.string().nullable()).describe('Absent for customers.'),
    taxable: z.boolean(),
    status: z.enum(CATALOG_STATUSES),
    warehouse_ids: z.array(z.int()).nullable().describe('Null: all warehouses.'),
    version: versionSchema,
  },
  ({ family }) => family as Family,
).meta({ id: 'CatalogItem' });

/** `isCustomer`: without the cost. */
export function toItem(row: CatalogItemRow, family: Family, isCustomer: boolean): z.infer<typeof itemOutput> {
  const { id, kind, code, names, category_code, tare_kg, max_weight_kg, taxable, warehouse_ids } = row;
  return {
    ...{ id, kind, code, names, category_code, inner: row.inner_cm, outer: row.outer_cm, tare_kg, max_weight_kg },
    ...{ family, price: row.price, currency: row.currency, ...(!isCustomer && { cost: row.cost }) },
    ...{ taxable, status: catalogStatusOf(row), warehouse_ids, version: row.revision },
  };
}

/** The item for its event. Throws INVALID_INPUT for fields that are missing or contradict each other. */
export function toStoredItem(
  kind: CatalogKind,
  { status, names, cost, price, currency, ...rest }: ItemInput,
): CatalogItem {
  const { inner, outer } = rest;
  const missing = [
    ...(kind === 'packaging' && !inner ? ['inner'] : []),
    ...(kind === 'packaging' && !outer ? ['outer'] : []),
    ...(currency === undefined && (cost !== undefined || price !== undefined) ? ['currency'] : []),
  ];
  const errors = [
    ...missing.map((field): FieldError => ({ field, path: `/${field}`, code: 'REQUIRED' })),
    ...(inner && outer ? dimensionErrors(inner, outer) : []),
  ];
  if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
  const amount = (given: string | undefined, field: string) =>
    given === undefined ? undefined : exactAtLeast({ amount: given, currency: currency! }, `/${field}`, '0').amount;
  return compact({
    ...rest,
    names: names as Record<string, string>,
    cost: amount(cost, 'cost'),
    price: amount(price, 'price'),
    currency,
    active: status === 'active',
  });
}

type Dimensions = NonNullable<CatalogItem['inner']>;

/** The inner side of packaging is at most the outer one. */
const dimensionErrors = (inner: Dimensions, outer: Dimensions): FieldError[] =>
  (['length_cm', 'width_cm', 'height_cm'] as const)
    .filter((member) => inner[member] > outer[member])
    .map((member) => formatError(member, `at most \`outer.${member}\``, `/inner/${member}`));

export const categoryOutput = z
  .object({ code: z.string(), names: z.record(z.string(), z.string()), sort_order: z.int(), version: versionSchema })
  .meta({ id: 'CatalogCategory' });

export const toCategory = ({
  code,
  names,
  sort_order,
  revision,
}: CatalogCategoryRow): z.infer<typeof categoryOutput> => ({ code, names, sort_order, version: revision });
