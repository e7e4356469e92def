/** Prices inputs with a card that need not be published, to see every step of the calculation. */
import { z } from 'zod';
import { compileCard } from '../../../commands/pricing/compile.js';
import type { Card } from '../../../events/pricing/card.js';
import type { RateCardQueries } from '../../../projections/pricing/queries.js';
import type { RateCardRow } from '../../../projections/pricing/read-model.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import { cardInput, checkedCard } from './card-input.js';
import type { PricedInputs } from './priced-inputs.js';
import { pricedServices, roadFactorOf } from './pricer.js';
import { rateInput } from './rate-input.js';
import { createRateCardOf, versionFor } from './rate-cards.js';
import { nameIn, priceMembers, refusedOutput, toPrices } from './rates.js';
import { rate_card_id } from './shapes.js';

const triedRate = z
  .object({
    service_code: z.string(),
    service_name: z.string(),
    lane: z.string(),
    ...priceMembers,
    delivery_date_from: z.iso.date().nullable(),
    delivery_date_to: z.iso.date().nullable(),
  })
  .meta({ id: 'TriedRate' });

export interface TryOptions {
  readonly queries: RateCardQueries;
  readonly inputsOf: PricedInputs;
  readonly defaultRoadFactor: string;
}

export function tryOperation({ queries, inputsOf, defaultRoadFactor }: TryOptions): Operation {
  const rateCardOf = createRateCardOf(queries);

  async function published(row: RateCardRow, number: number | undefined, time: number): Promise<Card> {
    const found = versionFor(row, number, time);
    if (!found) throw new ApiError('RATE_CARD_VERSION_NOT_FOUND');
    return queries.document(row.id, found);
  }

  return operation({
    name: 'rateCardTry',
    area: 'Pricing',
    summary: 'Try a rate card',
    description:
      'Prices a shipment with a version of the card, or with a card that is not published. The response contains every line of the price with the numbers from which it was calculated. Nothing is stored.',
    rest: { method: 'post', path: '/v1/rate-cards/:rate_card_id/try' },
    callers: ['client_admin', 'employee'],
    scopes: ['billing:read'],
    limitedAs: 'write',
    reads: ['rate_cards', 'warehouses'],
    answers: {
      404: 'There is no such rate card, or it has no such version.',
      422: '`RATE_CARD_INVALID`: the card has errors. `DIMENSIONS_NEEDED`: a package needs dimensions.',
    },
    input: z.object({
      rate_card_id,
      ...rateInput,
      card: cardInput.optional().describe('A card that is not published. Default: the card with the number `version`.'),
      version: z.int().min(1).optional().describe('Number of the version. Default: the version in force.'),
    }),
    output: z.object({ result: z.boolean(), rates: z.array(triedRate), refused: z.array(refusedOutput) }),
    async run({ rate_card_id: id, card, version, ...input }, { caller, time, header }) {
      const row = await rateCardOf(id, caller);
      const document = card === undefined ? await published(row, version, time) : checkedCard(card, row.family);
      const compiled = compileCard(document, row);
      const inputs = await inputsOf(input, {
        business: businessOf(caller),
        timezone: userOf(caller).timezone,
        time,
        markupPercent: null,
        roadFactor: roadFactorOf(compiled, defaultRoadFactor),
      });
      const language = chooseLanguage(header('accept-language'));
      const { services, refused } = pricedServices(compiled, inputs);
      return {
        result: services.length > 0,
        rates: services.map((service) => ({
          service_code: service.service_code,
          service_name: nameIn(service.names, language, service.service_code),
          lane: service.lane,
          ...toPrices(service, row.currency, language),
          delivery_date_from: service.delivery_date_from ?? null,
          delivery_date_to: service.delivery_date_to ?? null,
        })),
        refused: refused.map((one) => ({ ...one, message: translate(one.code, {}, language) })),
      };
    },
  });
}
