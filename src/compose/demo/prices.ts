/** Prices of the demo business: a rate card for each order family, which is the default of its family. */
import type { Cause } from '../../commands/core/handle.js';
import { defaultCards as defaultDecider } from '../../commands/pricing/default-cards.js';
import { rateCards as rateCardDecider } from '../../commands/pricing/rate-cards.js';
import { derivedId } from '../../events/otep/identity.js';
import { cardDigest } from '../../events/pricing/card.js';
import { pricingStream, rateCardStream } from '../../events/pricing/events.js';
import { FAMILIES, type Family } from '../../events/pricing/families.js';
import { RATE_CARD_IDS } from '../../projections/pricing/read-model.js';
import type { Service } from '../service.js';
import { DEMO_RATE_CARDS } from './rate-cards.js';
import { seeding } from './seeding.js';

const CURRENCY = 'EUR';
/** Name of the card of a family. */
export const rateCardName = (family: Family): string => `Demo ${family.replaceAll('_', ' ')}`;
/** Before every demo order. */
const VALID_FROM = '2026-01-01T00:00:00.000Z';

/** Seeds the missing rate cards. Ids are the same on each run. `cause` names the business. */
export async function seedPrices(
  { engines }: Pick<Service, 'engines'>,
  { businessId: business }: { readonly businessId: number },
  cause: Cause,
): Promise<void> {
  const { idOf, handler, command, prepare } = seeding({ engines }, business);
  const cards = handler(rateCardDecider);
  const defaults = handler(defaultDecider);
  await prepare(RATE_CARD_IDS);
  for (const family of FAMILIES) {
    const name = rateCardName(family);
    const id = await idOf(RATE_CARD_IDS.name, name, 'rate_cards.rate_cards', 'name');
    const stream = rateCardStream(id);
    const card = DEMO_RATE_CARDS[family];
    const change = { do: 'publish', card, digest: cardDigest(card), validFrom: VALID_FROM } as const;
    await cards(stream, { ...command('rate card', id), do: 'create', family, name, currency: CURRENCY }, cause);
    await cards(stream, { ...command('rate card version', id), ...change }, cause);
    await defaults(
      pricingStream(business),
      {
        ...command(`default card ${family}`, business),
        commandId: derivedId('seed', 'default card', family, business),
        do: 'set',
        family,
        rateCardId: id,
      },
      cause,
    );
  }
}
