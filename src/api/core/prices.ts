/**
 * Hidden prices (specification 1, "Price hiding"). `price` marks a member of an output that shows a price, and `priced`
 * marks the object that contains it. `invoke` then removes the prices of hidden families from every response to the
 * customer, so that no interface and no stored response can differ.
 */
import { z } from 'zod';
import type { Family } from '../../events/pricing/families.js';

type Schema = z.core.$ZodType;
/**
 * Undefined: the object belongs to no family, so its prices are never hidden. Several: its prices are hidden if those of
 * one of them are, because sums would reveal them.
 */
type FamilyOf = (value: Readonly<Record<string, unknown>>) => Family | readonly Family[] | undefined;

const prices = z.registry<{ readonly isPrice: true }>();
const pricedObjects = z.registry<{ readonly familyOf: FamilyOf }>();

/** Marks a member as a price. It is optional, because it is absent where the price is hidden. */
export function price<S extends z.ZodType>(schema: S): z.ZodOptional<S> {
  const member = schema.optional();
  prices.add(member, { isPrice: true });
  return member;
}

/**
 * An object with prices of one family or of several, which `familyOf` reads from it. Adds `price_hidden`. A member that is marked as a
 * price is removed as a whole, so objects inside it are not marked.
 */
export function priced<S extends z.ZodRawShape>(shape: S, familyOf: FamilyOf) {
  const object = z.object({
    ...shape,
    price_hidden: z
      .boolean()
      .optional()
      .describe('True: the business hides prices of this kind from the caller. A missing price never means free.'),
  });
  pricedObjects.add(object, { familyOf });
  return object;
}

// `get` also finds the mark of a schema that got a description or a name afterwards.
export const isPrice = (schema: Schema): boolean => prices.get(schema) !== undefined;
export const isPriced = (schema: Schema): boolean => pricedObjects.get(schema) !== undefined;

/** Returns the value without the prices of hidden families. Does not change the value. */
export type HidePrices = (value: unknown, hidden: ReadonlySet<Family>) => unknown;

interface SchemaInternals {
  readonly innerType?: Schema;
  readonly out?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
  readonly getter?: () => Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
}

const known = new WeakMap<Schema, HidePrices | undefined>();

/** The function that hides prices in values of the schema; undefined if the schema contains none. */
export function hidingOf(schema: Schema): HidePrices | undefined {
  if (!known.has(schema)) {
    // A schema that contains itself adds nothing to what its other members contain.
    known.set(schema, undefined);
    known.set(schema, build(schema));
  }
  return known.get(schema);
}

function build(schema: Schema): HidePrices | undefined {
  const { innerType, out, element, valueType, options, getter, shape } = schema._zod.def as unknown as SchemaInternals;
  if (shape) return inObject(schema, shape);
  const entries = element ?? valueType;
  if (entries) {
    const hide = hidingOf(entries);
    return hide && ((value, hidden) => inEntries(value, (entry) => hide(entry, hidden)));
  }
  if (options) {
    const hides = options.map(hidingOf).filter((hide) => hide !== undefined);
    return hides.length === 0
      ? undefined
      : (value, hidden) => hides.reduce((current, hide) => hide(current, hidden), value);
  }
  const inside = innerType ?? out ?? getter?.();
  return inside && hidingOf(inside);
}

function inObject(schema: Schema, shape: Readonly<Record<string, Schema>>): HidePrices | undefined {
  const familyOf = pricedObjects.get(schema)?.familyOf;
  const marked = new Set(Object.keys(shape).filter((name) => isPrice(shape[name]!)));
  const nested = Object.entries(shape).flatMap(([name, member]) => {
    const hide = hidingOf(member);
    return hide ? [[name, hide] as const] : [];
  });
  if (!familyOf && nested.length === 0) return undefined;
  return (value, hidden) => {
    if (!isObject(value)) return value;
    const hides = [familyOf?.(value) ?? []].flat().some((family) => hidden.has(family));
    const rest: Record<string, unknown> = hides
      ? { ...Object.fromEntries(Object.entries(value).filter(([name]) => !marked.has(name))), price_hidden: true }
      : { ...value };
    for (const [name, hide] of nested) if (name in rest) rest[name] = hide(rest[name], hidden);
    return rest;
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inEntries(value: unknown, hide: (entry: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(hide);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, hide(entry)]));
}
