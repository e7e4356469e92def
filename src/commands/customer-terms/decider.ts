/** Decides commands on the terms of a customer account. Only differences are recorded. */
import { isDeepStrictEqual } from 'node:util';
import {
  CUSTOMER_TERMS_PREFIX,
  CustomerCardSet,
  CustomerTagSet,
  DEFAULT_PAYMENT_TERMS,
  PaymentTermsSet,
  PriceVisibilitySet,
  ServicesRestricted,
  type PaymentTerms,
} from '../../events/customer-terms/events.js';
import type { Family } from '../../events/pricing/families.js';
import { entity, newEvent, type EntityCommand, type NewEvent } from '../core/entity.js';

/** The terms of one family. */
export interface FamilyTerms {
  /** Null: the default card of the business. */
  readonly rateCardId: number | null;
  /** Null: neither markup nor discount. */
  readonly markupPercent: string | null;
  readonly hidden: boolean;
  readonly paymentTerms: PaymentTerms;
  /** Null: all services. */
  readonly serviceCodes: readonly string[] | null;
}

/** `id`: of the customer account. Families that are not listed keep their terms, and absent tags are unchanged. */
export type CustomerTermsCommand = EntityCommand & {
  readonly do: 'set';
  readonly id: number;
  readonly families: readonly (FamilyTerms & { readonly family: Family })[];
  readonly tags?: readonly string[];
};

interface State {
  readonly families: Map<string, FamilyTerms>;
  tags: readonly string[];
}

const NO_TERMS: FamilyTerms = {
  rateCardId: null,
  markupPercent: null,
  hidden: false,
  paymentTerms: DEFAULT_PAYMENT_TERMS,
  serviceCodes: null,
};

/** Unique and sorted, so that the same choice in another order is no change. */
const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

export const customerTerms = entity<State, CustomerTermsCommand>({
  name: CUSTOMER_TERMS_PREFIX,
  makes: 'set',
  madeOnce: false,
  notFound: 'CUSTOMER_NOT_FOUND',
  initial: () => ({ families: new Map(), tags: [] }),
  decide: (known, { id, business, families, tags }) => [
    ...families.flatMap(({ family, ...next }) =>
      familyChanges(known.families.get(family) ?? NO_TERMS, next, { customer_id: id, business, family }),
    ),
    ...(tags === undefined || isDeepStrictEqual(sorted(tags), known.tags)
      ? []
      : [newEvent(CustomerTagSet, { customer_id: id, business, tags: sorted(tags) })]),
  ],
  evolve(known, { type, data }) {
    if (type === CustomerTagSet.type) known.tags = data['tags'] as readonly string[];
    else {
      const family = data['family'] as string;
      known.families.set(family, { ...(known.families.get(family) ?? NO_TERMS), ...changeOf(type, data) });
    }
    return known;
  },
});

function familyChanges(
  before: FamilyTerms,
  next: FamilyTerms,
  subject: { readonly customer_id: number; readonly business: number; readonly family: Family },
): NewEvent[] {
  const { rateCardId, markupPercent, hidden, paymentTerms } = next;
  const services = next.serviceCodes && sorted(next.serviceCodes);
  const events: NewEvent[] = [];
  if (rateCardId !== before.rateCardId || markupPercent !== before.markupPercent)
    events.push(
      newEvent(CustomerCardSet, {
        ...subject,
        ...(rateCardId !== null && { rate_card_id: rateCardId }),
        ...(markupPercent !== null && { markup_percent: markupPercent }),
      }),
    );
  if (hidden !== before.hidden) events.push(newEvent(PriceVisibilitySet, { ...subject, hidden }));
  if (paymentTerms !== before.paymentTerms) events.push(newEvent(PaymentTermsSet, { ...subject, terms: paymentTerms }));
  if (!isDeepStrictEqual(services, before.serviceCodes))
    events.push(newEvent(ServicesRestricted, { ...subject, ...(services && { service_codes: services }) }));
  return events;
}

/** The terms that an event sets. */
function changeOf(type: string, data: Readonly<Record<string, unknown>>): Partial<FamilyTerms> {
  switch (type) {
    case CustomerCardSet.type:
      return {
        rateCardId: (data['rate_card_id'] as number | undefined) ?? null,
        markupPercent: (data['markup_percent'] as string | undefined) ?? null,
      };
    case PriceVisibilitySet.type:
      return { hidden: data['hidden'] as boolean };
    case PaymentTermsSet.type:
      return { paymentTerms: data['terms'] as PaymentTerms };
    case ServicesRestricted.type:
      return { serviceCodes: (data['service_codes'] as readonly string[] | undefined) ?? null };
    default:
      return {};
  }
}
