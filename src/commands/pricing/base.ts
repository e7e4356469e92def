/** Selects the part of a card that determines the base price. */
import { decimal } from '../../events/core/money.js';
import type { Card } from '../../events/pricing/card.js';
import type { Family } from '../../events/pricing/families.js';
import { everywhere, type Base } from './base-price.js';
import { ZERO } from './bill.js';
import { deviceBase } from './device-base.js';
import { distanceBase } from './distance-base.js';
import { storageBase } from './storage-base.js';
import { tableBase } from './table-base.js';

export function compileBase(card: Card, family: Family, digits: number): Base {
  if (family === 'label_service') return LABEL_BASE;
  if (card.table?.length) return tableBase(card.table, card.packages, digits);
  if (card.distance) return distanceBase(card.distance, card.packages, digits);
  if (card.storage) return storageBase(card.storage);
  if (card.device) return deviceBase(card.device);
  return { serves: everywhere, price: () => ({ amount: ZERO }) };
}

/** The base is the price of the carrier. */
const LABEL_BASE: Base = {
  serves: everywhere,
  price: ({ inputs: { cost } }, bill) => {
    if (cost === undefined) return 'NOT_SERVED';
    const amount = bill.round(decimal(cost));
    bill.add('base', amount, { cost });
    return { amount };
  },
};
