/** Checks the numbers of zone matches, table cells and surcharges. */
import { CARD_LIMITS, type Card } from '../../events/pricing/card.js';
import { fault, type Faults } from './fault.js';

export function* checkLimits({ zones = [], table = [], surcharges = [] }: Card): Faults {
  const counted = [
    ['/zones', zones.reduce((sum, zone) => sum + zone.match.length, 0), CARD_LIMITS.zoneMatches, 'matches of zones'],
    ['/table', table.reduce((sum, { breaks }) => sum + breaks.length, 0), CARD_LIMITS.tableCells, 'weight breaks'],
    ['/surcharges', surcharges.length, CARD_LIMITS.surcharges, 'surcharges'],
  ] as const;
  for (const [path, count, max, what] of counted)
    if (count > max)
      yield fault(path, 'TOO_MANY_ITEMS', `A card has at most ${max} ${what}; this one has ${count}.`, max);
}
