/** Checks that a card has exactly one base price. */
import type { Card } from '../../events/pricing/card.js';
import type { Family } from '../../events/pricing/families.js';
import { fault, type Faults } from './fault.js';

const BASES = ['table', 'distance', 'storage', 'device'] as const;

export function* checkBase(card: Card, family: Family): Faults {
  const present = BASES.filter((base) => (base === 'table' ? card.table?.length : card[base]));
  if (family === 'label_service') {
    for (const base of present)
      yield fault(`/${base}`, 'NOT_ONE_BASE', 'The base of label_service is the price of the carrier.');
  } else {
    for (const base of present.slice(1))
      yield fault(`/${base}`, 'NOT_ONE_BASE', `The card already has the base ${present[0]}.`);
    if (present.length === 0 && !card.items?.length)
      yield fault('', 'NOT_ONE_BASE', `A card needs one of ${BASES.join(', ')}, or items.`);
  }
  yield* checkPackages(card, present[0]);
}

function* checkPackages({ packages }: Card, base: (typeof BASES)[number] | undefined): Faults {
  if (!packages) return;
  if (base !== 'table' && base !== 'distance')
    yield fault('/packages', 'NOT_APPLICABLE', 'Only a table or distances have a price for additional packages.');
  else if (base === 'distance' && packages.first !== 'each')
    yield fault('/packages/first', 'NOT_APPLICABLE', 'The price of the first package is the one of its distance.');
}
