/** Capacities of vehicles: four standard ones, and up to four that a business defines (`custom:<name>`). */
import { z } from 'zod';
import { formed } from '../../../events/core/form.js';
import type { PlanningSettings } from '../../../events/planning/events.js';
import { fieldError } from '../../core/errors.js';

/** Amounts are counted in whole units. */
export const CAPACITIES = [
  { id: 'orders', unit: 'orders', perUnit: 1 },
  { id: 'packages', unit: 'packages', perUnit: 1 },
  { id: 'weight', unit: 'kg', perUnit: 1_000 },
  { id: 'volume', unit: 'm3', perUnit: 1_000 },
] as const;
export type KnownCapacity = (typeof CAPACITIES)[number]['id'];
export type CapacityId = KnownCapacity | `custom:${string}`;

/** Units of a vehicle without a limit: more than any load. */
export const NO_LIMIT = 100_000_000;

const OWN_PER_UNIT = 1_000;
const MOST_OWN = 4;
const OWN = 'custom:';
const KNOWN: readonly KnownCapacity[] = CAPACITIES.map(({ id }) => id);
const NAME = /^[a-z0-9][a-z0-9_]{0,29}$/;

const name = z.string().regex(NAME);
const areDistinct = (list: readonly { readonly name: string }[]): boolean =>
  new Set(list.map((one) => one.name)).size === list.length;

/** Capacities that a business defines in addition. */
export const ownCapacitiesInput = formed(
  z
    .array(z.strictObject({ name, unit: z.string().trim().min(1).max(20) }).meta({ id: 'CustomCapacity' }))
    .max(MOST_OWN)
    .refine(areDistinct),
  'each name once',
);
/** Amounts of these capacities, for a vehicle or an order; at most three decimals count. */
export const ownAmountsInput = formed(
  z
    .array(z.strictObject({ name, amount: z.number().min(0).max(100_000) }).meta({ id: 'CustomAmountInput' }))
    .max(MOST_OWN)
    .refine(areDistinct),
  'each name once',
);
export const customAmountSchema = z.object({ name: z.string(), amount: z.number() }).meta({ id: 'CustomAmount' });
export type OwnAmounts = readonly { readonly name: string; readonly amount: number }[];
export const capacityTypesInput = z
  .array(z.string().regex(new RegExp(`^(${KNOWN.join('|')}|${OWN}${NAME.source.slice(1, -1)})$`)))
  .max(CAPACITIES.length + MOST_OWN);

/** All capacities, as `routePlanOptions` lists them. */
export const allCapacities = ({ custom_capacities = [] }: PlanningSettings): { id: CapacityId; unit: string }[] => [
  ...CAPACITIES.map(({ id, unit }) => ({ id, unit })),
  ...custom_capacities.map((own) => ({ id: `${OWN}${own.name}` as const, unit: own.unit })),
];

/** Sorted as in problems: standard capacities first, then custom ones in the given order. */
export const inOrder = (types: readonly string[]): CapacityId[] => [
  ...KNOWN.filter((id) => types.includes(id)),
  ...new Set(types.filter((type): type is CapacityId => type.startsWith(OWN))),
];

export const perUnitOf = (id: string): number =>
  CAPACITIES.find((known) => known.id === id)?.perUnit ?? (id.startsWith(OWN) ? OWN_PER_UNIT : 1);

/** Units of a custom capacity in the amounts; undefined if the amounts do not contain it. */
export function ownUnits(id: CapacityId, amounts: OwnAmounts | undefined): number | undefined {
  const amount = amounts?.find((one) => `${OWN}${one.name}` === id)?.amount;
  return amount === undefined ? undefined : Math.round(amount * OWN_PER_UNIT);
}

export const isKnown = (id: CapacityId): id is KnownCapacity => !id.startsWith(OWN);

/** Throws UNKNOWN_CAPACITY for names that the business's settings do not have. */
export function mustBeNamed(
  names: readonly string[],
  { custom_capacities = [] }: PlanningSettings,
  field: string,
  path = `/${field}`,
): void {
  const known = new Set(custom_capacities.map((own) => own.name));
  const wrong = names.filter((one) => !known.has(one));
  if (wrong.length > 0) throw fieldError('UNKNOWN_CAPACITY', field, { names: wrong.slice(0, 20).join(', ') }, path);
}

/** Names of the custom capacities among the requested types. */
export const ownNames = (types: readonly string[]): string[] =>
  types.filter((type) => type.startsWith(OWN)).map((type) => type.slice(OWN.length));
