/**
 * Hides costs and prices in the events of a dry run, because the preview of a write shows their data to the caller. The
 * event types declare what customers see (`amounts`).
 */
import type { DryRun } from '../../commands/core/handle.js';
import type { AmountView, EventType } from '../../events/core/event-types.js';
import type { Family } from '../../events/pricing/families.js';

/** The family of the orders in a stream; undefined: it contains no orders. */
export type FamilyOfStream = (stream: string) => Family | undefined;

/** For a customer: removes the amounts that it does not see. `hidden`: the families whose prices are hidden. */
export function hideEvents(dryRun: DryRun, hidden: ReadonlySet<Family>, familyOf: FamilyOfStream): void {
  for (const [index, { stream, fact }] of dryRun.entries()) {
    const family = familyOf(stream);
    // A price outside of orders belongs to no single family.
    const isHidden = family === undefined ? hidden.size > 0 : hidden.has(family);
    dryRun[index] = { stream, fact: { ...fact, data: shownData(fact.type, fact.data, isHidden) } };
  }
}

/** The data of an event as a customer sees it. `isHidden`: the prices are hidden. */
export function shownData({ amounts = {} }: Pick<EventType, 'amounts'>, data: unknown, isHidden: boolean): unknown {
  const isRemoved = (view: AmountView): boolean => view === 'never' || (view === 'price' && isHidden);
  return Object.entries(amounts)
    .filter(([, view]) => isRemoved(view))
    .reduce((rest, [path]) => (path === '' ? {} : without(rest, path.split('.'))), data);
}

/** The value without the member at the path, in all entries of arrays. Does not change the value. */
function without(value: unknown, [name, ...inside]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => without(entry, [name!, ...inside]));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name!)) return value;
  const { [name!]: member, ...rest } = value as Readonly<Record<string, unknown>>;
  return inside.length === 0 ? rest : { ...rest, [name!]: without(member, inside) };
}
