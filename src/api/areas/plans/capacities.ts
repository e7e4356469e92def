/** Capacities of vehicles: four standard ones, and up to four that a business defines (`custom:<name>`). */
import { z } from 'zod';
import { withFormat } from '../../../events/core/format.js';
import type { PlanningSettings } from '../../../events/planning/events.js';
import { fieldError } from '../../core/errors.js';

/** Amounts are counted in whole units. */
export const CAPACITIES = [
  { id: 'orders', unit: 'orders', perUnit: 1 },
  { id: 'packages', unit: 'packages', perUnit: 1 },
  { id: 'weight', unit: 'kg', perUnit: 1_000 },
  { id: 'volume', unit: 'm3', perUnit: 1_000 },
] as const;
export type StandardCapacity = (typeof CAPACITIES)[number]['id'];
export type CapacityId = StandardCapacity | `custom:${string}`;

/** Units of a vehicle without a limit: more than any load. */
export const NO_LIMIT = 100_000_000;

const CUSTOM_PER_UNIT = 1_000;
const MAX_CUSTOM = 4;
const CUSTOM_PREFIX = 'custom:';
const STANDARD_IDS: readonly StandardCapacity[] = CAPACITIES.map(({ id }) => id);
const NAME = /^[a-z0-9][a-z0-9_]{0,29}$/;

const name = z.string().regex(NAME);
const areDistinct = (list: readonly { readonly name: string }[]): boolean =>
  new Set(list.map((one) => one.name)).size === list.length;

/** Capacities that a business defines in addition. */
export const customCapacitiesInput = withFormat(
  z
    .array(z.strictObject({ name, unit: z.string().trim().min(1).max(20) }).meta({ id: 'CustomCapacity' }))
    .max(MAX_CUSTOM)
    .refine(areDistinct),
  'each name once',
);
/** Amounts of these capacities, for a vehicle or an order; at most three decimals count. */
export const customAmountsInput = withFormat(
  z
    .array(z.strictObject({ name, amount: z.number().min(0).max(100_000) }).meta({ id: 'CustomAmountInput' }))
    .max(MAX_CUSTOM)
    .refine(areDistinct),
  'each name once',
);
export const customAmountSchema = z.object({ name: z.string(), amount: z.number() }).meta({ id: 'CustomAmount' });
export type CustomAmounts = readonly { readonly name: string; readonly amount: number }[];
export const capacityTypesInput = z
  .array(z.string().regex(new RegExp(`^(${STANDARD_IDS.join('|')}|${CUSTOM_PREFIX}${NAME.source.slice(1, -1)})$`)))
  .max(CAPACITIES.length + MAX_CUSTOM);

/** All capacities, as `routePlanOptions` lists them. */
export const allCapacities = ({ custom_capacities = [] }: PlanningSettings): { id: CapacityId; unit: string }[] => [
  ...CAPACITIES.map(({ id, unit }) => ({ id, unit })),
  ...custom_capacities.map((own) => ({ id: `${CUSTOM_PREFIX}${own.name}` as const, unit: own.unit })),
];

/** Sorted as in problems: standard capacities first, then custom ones in the given order. */
export const inOrder = (types: readonly string[]): CapacityId[] => [
  ...STANDARD_IDS.filter((id) => types.includes(id)),
  ...new Set(types.filter((type): type is CapacityId => type.startsWith(CUSTOM_PREFIX))),
];

export const perUnitOf = (id: string): number =>
  CAPACITIES.find((known) => known.id === id)?.perUnit ?? (id.startsWith(CUSTOM_PREFIX) ? CUSTOM_PER_UNIT : 1);

/** Units of a custom capacity in the amounts; undefined if the amounts do not contain it. */
export function customUnits(id: CapacityId, amounts: CustomAmounts | undefined): number | undefined {
  const amount = amounts?.find((one) => `${CUSTOM_PREFIX}${one.name}` === id)?.amount;
  return amount === undefined ? undefined : Math.round(amount * CUSTOM_PER_UNIT);
}

export const isStandard = (id: CapacityId): id is StandardCapacity => !id.startsWith(CUSTOM_PREFIX);

/** Throws UNKNOWN_CAPACITY for names that the business's settings do not have. */
export function checkCustomNames(
  names: readonly string[],
  { custom_capacities = [] }: PlanningSettings,
  field: string,
  path = `/${field}`,
): void {
  const definedNames = new Set(custom_capacities.map((own) => own.name));
  const unknownNames = names.filter((one) => !definedNames.has(one));
  if (unknownNames.length > 0)
    throw fieldError('UNKNOWN_CAPACITY', field, { names: unknownNames.slice(0, 20).join(', ') }, path);
}

/** Names of the custom capacities among the requested types. */
export const customNames = (types: readonly string[]): string[] =>
  types.filter((type) => type.startsWith(CUSTOM_PREFIX)).map((type) => type.slice(CUSTOM_PREFIX.length));
