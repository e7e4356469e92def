/** Decides commands on the terms of a customer account. */
import { CUSTOMER_TERMS_PREFIX, CustomerCardSet, PriceVisibilitySet } from '../../events/customer-terms/events.js';
import type { Family } from '../../events/pricing/families.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

/** The terms of one family. */
interface FamilyTerms {
  /** Null: the default card of the business. */
  readonly rateCardId: number | null;
  /** Null: neither markup nor discount. */
  readonly markupPercent: string | null;
  readonly hidden: boolean;
}

/** `id`: of the customer account. Families that are not listed keep their terms. */
export type CustomerTermsCommand = EntityCommand & {
  readonly do: 'set';
  readonly id: number;
  readonly families: readonly (FamilyTerms & { readonly family: Family })[];
};

const NO_TERMS: FamilyTerms = { rateCardId: null, markupPercent: null, hidden: false };

export const customerTerms = entity<Map<string, FamilyTerms>, CustomerTermsCommand>({
  name: CUSTOMER_TERMS_PREFIX,
  makes: 'set',
  madeOnce: false,
  notFound: 'CUSTOMER_NOT_FOUND',
  initial: () => new Map(),
  decide: (known, { id, business, families }) =>
    families.flatMap(({ family, rateCardId, markupPercent, hidden }) => {
      const before = known.get(family) ?? NO_TERMS;
      const subject = { customer_id: id, business, family };
      return [
        ...(rateCardId === before.rateCardId && markupPercent === before.markupPercent
          ? []
          : [
              newEvent(CustomerCardSet, {
                ...subject,
                ...(rateCardId !== null && { rate_card_id: rateCardId }),
                ...(markupPercent !== null && { markup_percent: markupPercent }),
              }),
            ]),
        ...(hidden === before.hidden ? [] : [newEvent(PriceVisibilitySet, { ...subject, hidden })]),
      ];
    }),
  evolve(known, { type, data }) {
    const family = data['family'] as string;
    const before = known.get(family) ?? NO_TERMS;
    if (type === CustomerCardSet.type)
      known.set(family, {
        ...before,
        rateCardId: (data['rate_card_id'] as number | undefined) ?? null,
        markupPercent: (data['markup_percent'] as string | undefined) ?? null,
      });
    if (type === PriceVisibilitySet.type) known.set(family, { ...before, hidden: data['hidden'] as boolean });
    return known;
  },
});
