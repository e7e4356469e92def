/** Checks the areas of zones: polygons and ranges of postal codes. */
import { isSelfIntersecting } from '../../events/core/ring.js';
import type { Card } from '../../events/pricing/card.js';
import type { ZoneMatch } from '../../events/pricing/zones.js';
import { fault, type Faults } from './fault.js';
import { normalizedPostalCode, ringOf } from './zone-finder.js';

export function* checkAreas({ zones = [] }: Card): Faults {
  for (const [index, zone] of zones.entries())
    for (const [at, match] of zone.match.entries()) yield* checkMatch(match, `/zones/${index}/match/${at}`);
}

function* checkMatch({ postal_from, postal_to, polygon }: ZoneMatch, path: string): Faults {
  if (postal_from !== undefined && postal_to !== undefined) {
    const [from, to] = [normalizedPostalCode(postal_from), normalizedPostalCode(postal_to)];
    if (from.length !== to.length)
      yield fault(`${path}/postal_to`, 'INVALID_RANGE', 'postal_from and postal_to have the same length.');
    else if (from > to) yield fault(`${path}/postal_to`, 'WRONG_ORDER', 'postal_to is below postal_from.');
  }
  if (polygon && isSelfIntersecting(ringOf(polygon)))
    yield fault(`${path}/polygon`, 'CROSSES_ITSELF', 'Edges of the polygon cross or touch each other.');
}
