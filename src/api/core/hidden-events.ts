/** Hides prices in the events of a dry run, because the preview of a write shows their data to the caller. */
import type { DryRun } from '../../commands/core/handle.js';
import { BILL_EVENTS } from '../../events/bill/events.js';
import { OrderCancelled } from '../../events/orders/events.js';
import type { Family } from '../../events/pricing/families.js';

/** The family of the orders whose streams contain bills. */
const ORDER_FAMILY: Family = 'local_delivery';
const BILL_TYPES: ReadonlySet<string> = new Set(BILL_EVENTS.map(({ type }) => type));

/** Removes the data of bill events, and the price from the event of a reroute. Changes the list. */
export function hideEvents(dryRun: DryRun, hidden: ReadonlySet<Family>): void {
  if (!hidden.has(ORDER_FAMILY)) return;
  for (const [index, { stream, fact }] of dryRun.entries()) {
    if (BILL_TYPES.has(fact.type.type)) dryRun[index] = { stream, fact: { ...fact, data: {} } };
    if (fact.type.type === OrderCancelled.type)
      dryRun[index] = { stream, fact: { ...fact, data: withoutBill(fact.data as Cancelled) } };
  }
}

interface Cancelled {
  readonly replacement?: { readonly bill?: unknown };
}

function withoutBill(data: Cancelled): Cancelled {
  if (!data.replacement) return data;
  const { bill: _bill, ...replacement } = data.replacement;
  return { ...data, replacement };
}
