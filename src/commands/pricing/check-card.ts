/** Checks that the parts of a rate card fit together. A card without faults prices or refuses every shipment. */
import type { Card } from '../../events/pricing/card.js';
import { checkAreas } from './check-areas.js';
import { checkBase } from './check-base.js';
import { checkCodes } from './check-codes.js';
import { checkLimits } from './check-limits.js';
import { checkReferences } from './check-references.js';
import { checkSequences } from './check-sequences.js';
import type { CardTerms } from './compile.js';
import type { CardFault } from './fault.js';

/** Maximum number of reported faults. */
export const MAX_FAULTS = 100;

/** The card must have the form of `cardSchema`. */
export function checkCard(card: Card, { family }: Pick<CardTerms, 'family'>): readonly CardFault[] {
  // A card above the limits is not examined further, because its checks could take long.
  const tooMany = [...checkLimits(card)];
  if (tooMany.length > 0) return tooMany;
  const faults: CardFault[] = [];
  for (const check of [checkBase, checkCodes, checkReferences, checkSequences, checkAreas])
    for (const one of check(card, family)) {
      faults.push(one);
      if (faults.length === MAX_FAULTS) return faults;
    }
  return faults;
}
