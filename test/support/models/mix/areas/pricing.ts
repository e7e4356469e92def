/** Random commands to rate cards, default cards, and the terms of customers. */
import { customerTerms } from '../../../../../src/commands/customer-terms/decider.js';
import { defaultCards } from '../../../../../src/commands/pricing/default-cards.js';
import { rateCards, type RateCardChange } from '../../../../../src/commands/pricing/rate-cards.js';
import { customerTermsStream, PAYMENT_TERMS } from '../../../../../src/events/customer-terms/events.js';
import { cardDigest, cardSchema } from '../../../../../src/events/pricing/card.js';
import { pricingStream, rateCardStream } from '../../../../../src/events/pricing/events.js';
import { FAMILIES } from '../../../../../src/events/pricing/families.js';
import { simpleCard } from '../../../inputs/shipments.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const send = ({ send: to, business }: Tools, id: number, body: RateCardChange) =>
  to(rateCards, rateCardStream(id), { ...body, id, business });
const family = (pick: Pick) => pick.one(...FAMILIES);

export const MIX = generator({
  create: (tools, pick) =>
    send(tools, tools.fresh(), {
      do: 'create',
      family: family(pick),
      name: `Card ${pick.of(9)}`,
      currency: pick.one('EUR', 'JPY'),
    }),
  publish: (tools, pick) => {
    const card = cardSchema.parse(simpleCard({ quote_valid_minutes: pick.of(900) + 1 }));
    const validFrom = tools.at(pick.one(0, 24));
    return send(tools, tools.existing(pick), { do: 'publish', card, digest: cardDigest(card), validFrom });
  },
  retire: (tools, pick) => rarely(pick, 2, () => send(tools, tools.existing(pick), { do: 'retire' })),
  choose: (tools, pick) =>
    tools.send(defaultCards, pricingStream(tools.business), {
      do: 'set',
      id: tools.business,
      business: tools.business,
      family: family(pick),
      rateCardId: pick.one(undefined, 1, 2),
    }),
  agree: (tools, pick) => {
    const id = tools.id(pick.of(3));
    return tools.send(customerTerms, customerTermsStream(id), {
      do: 'set',
      id,
      business: tools.business,
      families: [
        {
          family: family(pick),
          rateCardId: pick.one(null, 1, 2),
          markupPercent: pick.one(null, '-5', '12.5'),
          hidden: pick.of(2) === 1,
          paymentTerms: pick.one(...PAYMENT_TERMS),
          serviceCodes: pick.one(null, ['standard'], ['standard', 'express']),
        },
      ],
      ...(pick.of(2) === 1 && { tags: [`tag ${pick.of(3)}`] }),
    });
  },
});
