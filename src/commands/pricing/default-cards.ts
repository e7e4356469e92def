/** Decides which rate card applies to customers without their own card. */
import { compact } from '../../events/core/compact.js';
import { DefaultCardSet, PRICING_PREFIX } from '../../events/pricing/events.js';
import type { Family } from '../../events/pricing/families.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

/** `rateCardId`: a card of the business and of the family; absent: no card is the default any more. */
export type DefaultCardCommand = EntityCommand & {
  readonly do: 'set';
  readonly id: number;
  readonly family: Family;
  readonly rateCardId?: number | undefined;
};

type Defaults = Partial<Record<Family, number>>;

export const defaultCards = entity<Defaults, DefaultCardCommand>({
  name: PRICING_PREFIX,
  makes: 'set',
  madeOnce: false,
  notFound: 'RATE_CARD_NOT_FOUND',
  initial: () => ({}),
  decide: (defaults, { business, family, rateCardId }) =>
    defaults[family] === rateCardId
      ? undefined
      : newEvent(DefaultCardSet, compact({ business, family, rate_card_id: rateCardId })),
  evolve(defaults, { data }) {
    defaults[data['family'] as Family] = data['rate_card_id'] as number;
    return defaults;
  },
});
