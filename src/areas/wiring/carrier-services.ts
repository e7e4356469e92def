/** The functions of the service that carrier adapters without a network receive. */
import type { Cards } from '../../api/areas/pricing/cards.js';
import type { PricedInputs } from '../../api/areas/pricing/priced-inputs.js';
import { pricedServices, roadFactorOf } from '../../api/areas/pricing/pricer.js';
import type { RateInput } from '../../api/areas/pricing/rate-input.js';
import { ApiError } from '../../api/core/errors.js';
import type { NumberStreams, Serial } from '../../commands/carrier-accounts/number-streams.js';
import type { CarrierError, CarrierShipment, CarrierStop } from '../../engines/outside/carriers/port.js';
import { NotPrintable, type CarrierServices, type PrintedLabel } from '../../engines/outside/carriers/services.js';
import type { LabelFormat, LabelSize } from '../../engines/outside/carriers/shipment.js';
import { InvalidLabel } from '../../engines/label-printing/check-label.js';
import { MissingFont } from '../../engines/printing/missing-font.js';
import { numberOf } from '../../events/carrier-accounts/numbers.js';
import { compact } from '../../events/core/compact.js';
import { localDate } from '../../events/core/local-time.js';
import type { Family } from '../../events/pricing/families.js';
import type { ServicePrice } from '../../events/pricing/outcome.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';

/** Families whose cards have the price of a transport. The card of `label_service` only adds to the price of a carrier. */
const FAMILIES: ReadonlySet<Family> = new Set(['shipping_service', 'local_delivery', 'ltl_service']);
/** Names of the errors of labels that can never be printed. */
const NOT_PRINTABLE: ReadonlySet<string> = new Set([InvalidLabel.name, MissingFont.name]);
const SCHEME = 'sscc';
const DAY_MS = 86_400_000;

export interface CarrierServicesOptions {
  readonly cards: Pick<Cards, 'ofId'>;
  readonly inputsOf: PricedInputs;
  readonly defaultRoadFactor: string;
  readonly businesses: Pick<AccountQueries, 'business'>;
  readonly numbers: Pick<NumberStreams, 'draw' | 'drawn'>;
  readonly renderLabel: (label: PrintedLabel, format: LabelFormat, size: LabelSize) => Promise<Uint8Array>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createCarrierServices(options: CarrierServicesOptions): CarrierServices {
  const { cards, inputsOf, defaultRoadFactor, businesses, numbers, renderLabel, now } = options;

  /** The version in force of a card with prices of a transport. */
  async function cardOf(business: number, id: number) {
    const card = await cards.ofId(id, business, now());
    return card && FAMILIES.has(card.row.family) ? card : undefined;
  }

  const inputOf = (shipment: CarrierShipment, today: string): RateInput => ({
    type: 'P2P',
    pickup: placeOf(shipment.from),
    delivery: placeOf(shipment.to),
    packages: shipment.packages.map(({ weight_kg, length_cm, width_cm, height_cm, declared_value }) =>
      compact({ weight_kg, length_cm, width_cm, height_cm, declared_value }),
    ),
    // Today, or a day that has passed when a purchase is repeated: the first day on which the service ships.
    schedule_date: shipment.ship_date <= today ? undefined : shipment.ship_date,
    time_windows: [],
    options: optionsOf(shipment.options),
    cod_amount: shipment.options.cod_amount,
    is_residential: shipment.options.residential,
  });

  return {
    async renderLabel(label, format, size) {
      try {
        return await renderLabel(label, format, size);
      } catch (error) {
        throw NOT_PRINTABLE.has((error as Error).name) ? new NotPrintable('', { cause: error }) : error;
      }
    },

    async services(business, rateCardId) {
      const card = await cardOf(business, rateCardId);
      return (card?.compiled.card.services ?? []).map(({ code, names }) => ({
        service_code: code,
        name: names?.en ?? code,
      }));
    },

    async price(business, rateCardId, shipment) {
      const card = await cardOf(business, rateCardId);
      const timezone = (await businesses.business(business))?.timezone;
      if (!card || timezone === undefined) return refused('NO_CARD');
      const time = now();
      const roadFactor = roadFactorOf(card.compiled, defaultRoadFactor);
      const inputs = await inputsOf(inputOf(shipment, localDate(time, timezone)), {
        business,
        timezone,
        time,
        markupPercent: null,
        roadFactor,
      });
      if (roadFactor !== undefined && inputs.distance_km === undefined) return refused('ADDRESS_INCOMPLETE');
      try {
        const priced = pricedServices(card.compiled, inputs);
        const prices = priced.services.map((one) => toPrice(one, card.row.currency));
        // A service that cannot be used is of interest only if there is no other one.
        return { prices, errors: prices.length > 0 ? [] : errorsOf(priced.refused.map(({ code }) => code)) };
      } catch (error) {
        if (error instanceof ApiError && error.code === 'DIMENSIONS_NEEDED') return refused(error.code);
        throw error;
      }
    },

    drawNumber: async (accountId, key) => textOf(await numbers.draw(accountId, SCHEME, key)),
    drawnNumber: async (accountId, key) => textOf(await numbers.drawn(accountId, SCHEME, key)),
  };
}

const textOf = (serial: Serial | undefined): string | undefined => serial && numberOf(serial);

const errorsOf = (codes: readonly string[]): CarrierError[] =>
  [...new Set(codes)].map((code) => ({ code, retryable: false }));
const refused = (code: string) => ({ prices: [], errors: errorsOf([code]) });

/** Without taxes: the card of `label_service` adds those that a customer pays. */
const toPrice = ({ service_code, names, subtotal, ship_date, ...one }: ServicePrice, currency: string) =>
  compact({
    service_code,
    name: names?.en ?? service_code,
    amount: subtotal,
    currency,
    days_min: daysBetween(ship_date, one.delivery_date_from),
    days_max: daysBetween(ship_date, one.delivery_date_to),
  }) as { service_code: string; name: string; amount: string; currency: string; days_min?: number; days_max?: number };

/** Dates are days in UTC here, so the difference is a whole number. */
const daysBetween = (from: string, to: string | undefined): number | undefined =>
  to === undefined ? undefined : Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** An address without postal code is in no zone with postal codes. */
const placeOf = ({ country, postal_code = '', region, city, street, street_2 }: CarrierStop) =>
  compact({ country, postal_code, region, city, street, street_2 });

/** The codes of options in rate cards. A service that does not list a requested option does not serve the shipment. */
const optionsOf = ({ signature, insurance_amount, saturday, cod_amount }: CarrierShipment['options']): string[] => [
  ...(signature === 'any' ? ['signature'] : signature === 'adult' ? ['adult_signature'] : []),
  ...(insurance_amount === undefined ? [] : ['insurance']),
  ...(saturday === true ? ['saturday'] : []),
  ...(cod_amount === undefined ? [] : ['cod']),
];
