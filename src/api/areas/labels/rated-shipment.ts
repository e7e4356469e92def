/** The part of a shipment that a rate depends on. Quotes store it, without names, streets and phone numbers. */
import { isDeepStrictEqual } from 'node:util';
import { compact } from '../../../events/core/compact.js';
import { decimal } from '../../../events/core/money.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import { localDateTime } from '../../../events/core/local-time.js';
import type { CarrierShipment, CarrierStop } from '../../../engines/outside/carriers/shipment.js';
import { inThousandths } from '../pricing/priced-inputs.js';

/** The area decides about the price. Without a postal code, the city is the area. */
const areaOf = ({ country, postal_code, city }: CarrierStop) => ({
  country,
  area: (postal_code ?? city ?? '').toUpperCase().replaceAll(/[\s-]/g, ''),
});
const exact = (amount: string | undefined) => (amount === undefined ? undefined : decimal(amount).toFixed());

/** By the names of the request. */
export function ratedShipment({ from, to, packages, ship_date, options, customs }: CarrierShipment) {
  return compact({
    ship_from: areaOf(from),
    ship_to: areaOf(to),
    packages: packages.map(({ description: _description, declared_value, ...one }) =>
      compact({ ...one, declared_value: exact(declared_value) }),
    ),
    ship_date,
    signature: options.signature === 'none' ? undefined : options.signature,
    insurance_amount: exact(options.insurance_amount),
    cod_amount: exact(options.cod_amount),
    is_residential: options.residential === true ? true : undefined,
    saturday_delivery: options.saturday === true ? true : undefined,
    customs: customs && {
      ...customs,
      items: customs.items.map(({ description: _description, value, ...item }) =>
        compact({ ...item, value: exact(value) }),
      ),
    },
  });
}
type RatedShipment = ReturnType<typeof ratedShipment>;

const MEMBERS = [
  'ship_from',
  'ship_to',
  'packages',
  'ship_date',
  'signature',
  'insurance_amount',
  'cod_amount',
  'is_residential',
  'saturday_delivery',
  'customs',
] as const satisfies readonly (keyof RatedShipment)[];

/** The members of the request that differ from the shipment of the quote. */
export function differences(quoted: unknown, shipment: CarrierShipment): string[] {
  const before = quoted as RatedShipment;
  const now = ratedShipment(shipment);
  return MEMBERS.filter((member) => !isDeepStrictEqual(before[member], now[member]));
}

/** Maximum length of a region in the inputs of a price. */
const MAX_REGION = 50;

const placeOf = ({ country, postal_code, region }: CarrierStop) =>
  compact({ country, postal_code, region: region?.slice(0, MAX_REGION) });

export interface PricedAt {
  /** What the carrier charges, in the currency of the card. */
  readonly cost: string;
  readonly timezone: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly markupPercent: string | null;
  readonly customerTags: readonly string[];
}

/** The inputs of a price of the family label_service, without services and options of the card. */
export function labelPriceInputs(
  { from, to, packages, ship_date, options }: CarrierShipment,
  of: PricedAt,
): PriceInputs {
  const [date, clock] = localDateTime(of.time, of.timezone).split(' ') as [string, string];
  const rounded = (size: number | undefined) => (size === undefined ? undefined : inThousandths(size));
  return compact({
    from: placeOf(from),
    to: placeOf(to),
    packages: packages.map(({ weight_kg, length_cm, width_cm, height_cm, declared_value }) =>
      compact({
        weight_kg: rounded(weight_kg),
        length_cm: rounded(length_cm),
        width_cm: rounded(width_cm),
        height_cm: rounded(height_cm),
        declared_value,
      }),
    ),
    requested: { date, time: clock.slice(0, 5) },
    // Today is the default, so it means the first day on which the service of the card ships.
    schedule_date: ship_date <= date ? undefined : ship_date,
    cod_amount: options.cod_amount,
    is_residential: options.residential,
    customer_tags: of.customerTags.length > 0 ? [...of.customerTags] : undefined,
    cost: of.cost,
    markup_percent: of.markupPercent ?? undefined,
  });
}

/** Codes of the requested options in rate cards. */
export const cardOptions = ({ signature, insurance_amount, saturday, cod_amount }: CarrierShipment['options']) => [
  ...(signature === 'any' ? ['signature'] : signature === 'adult' ? ['adult_signature'] : []),
  ...(insurance_amount === undefined ? [] : ['insurance']),
  ...(saturday === true ? ['saturday'] : []),
  ...(cod_amount === undefined ? [] : ['cod']),
];
