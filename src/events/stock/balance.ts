/** Balance of a SKU, folded from its events, in ten-thousandths. */
import { SkuAdjusted, SkuCounted, SkuMoved, SkuPicked, SkuReceived, SkuReserved, SkuUnreserved } from './events.js';
import { unitsOf } from './quantity.js';

export interface Balance {
  /** Quantity by location; zero balances are removed. */
  readonly locations: Record<string, number>;
  /** Reserved quantity by purpose. */
  readonly reserved: Record<string, number>;
}

export const onHand = ({ locations }: Pick<Balance, 'locations'>): number => sum(locations);
export const reservedOf = ({ reserved }: Pick<Balance, 'reserved'>): number => sum(reserved);

/** Applies an event to the balance, in place. */
export function count(balance: Balance, { type, data }: { readonly type: string; readonly data: object }): void {
  const { location, from, to, quantity, counted, for: whom } = data as Record<string, string>;
  const units = unitsOf(quantity ?? '0');
  switch (type) {
    case SkuReceived.type:
    case SkuAdjusted.type:
      return add(balance.locations, location!, units);
    case SkuPicked.type:
      return add(balance.locations, location!, -units);
    case SkuMoved.type:
      add(balance.locations, from!, -units);
      return add(balance.locations, to!, units);
    case SkuCounted.type:
      return add(balance.locations, location!, unitsOf(counted!) - (balance.locations[location!] ?? 0));
    case SkuReserved.type:
      return add(balance.reserved, whom!, units);
    case SkuUnreserved.type:
      return add(balance.reserved, whom!, -units);
  }
}

function add(all: Record<string, number>, name: string, units: number): void {
  const now = (all[name] ?? 0) + units;
  if (now === 0) delete all[name];
  else all[name] = now;
}

const sum = (all: Readonly<Record<string, number>>): number => Object.values(all).reduce((a, b) => a + b, 0);
