/** The charges of an order by the rate card in force. */
import type { Charges } from '../../../commands/bill/command.js';
import { compare } from '../../../events/core/money.js';
import { chargesAt } from './agreed-prices.js';
import type { PricedFor, Pricer } from './pricer.js';
import type { RateInput } from './rate-input.js';

/** The service with the lowest price counts. Undefined: no service has a price. Throws like `Pricer`. */
export type CardPrice = (shipment: RateInput, of: PricedFor) => Promise<Charges | undefined>;

export const createCardPrice =
  (priced: Pricer): CardPrice =>
  async (shipment, of) => {
    const { services, from } = await priced(shipment, of);
    const [cheapest] = [...services].sort((a, b) => compare(a.total, b.total));
    if (!cheapest || !from) return undefined;
    const { card, inputs } = from;
    return chargesAt(cheapest, {
      currency: card.row.currency,
      rateCardId: card.row.id,
      cardVersion: card.version.version,
      inputs,
      cancellationFee: card.compiled.card.cancellation_fee,
    });
  };
