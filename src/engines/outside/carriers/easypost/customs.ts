/** Customs declarations. EasyPost expects the value and the weight of a line, not of a piece. */
import { compare, decimal, times, type Decimal } from '../../../../events/core/money.js';
import type { CarrierStop, Customs } from '../port.js';
import { toOunces } from './units.js';

interface Border {
  readonly from: CarrierStop;
  readonly to: CarrierStop;
}

/** Exports from the USA above this value need a number of the Automated Export System, which the service does not have. */
const MAX_EXEMPT_VALUE = '2500';
const MAX_EXPLANATION = 255;

/** Why EasyPost cannot declare the goods. Undefined: it can. */
export function unservedCustoms({ items }: Customs, { from, to }: Border): string | undefined {
  if (new Set(items.map(({ currency }) => currency)).size > 1)
    return 'EasyPost needs one currency for all customs items.';
  const total = items.reduce((sum: Decimal, item) => sum.plus(valueOf(item)), decimal('0'));
  return from.country === 'US' && to.country !== 'CA' && compare(total.toFixed(), MAX_EXEMPT_VALUE) > 0
    ? `Exports from the USA above ${MAX_EXEMPT_VALUE} need an AES number.`
    : undefined;
}

export function toCustomsInfo(
  { contents, items }: Customs,
  { from, to, signer = from.name ?? from.company }: Border & { readonly signer?: string | undefined },
) {
  return {
    // The exemption from an export filing: other countries have none.
    ...(from.country === 'US' && { eel_pfc: to.country === 'CA' ? 'NOEEI 30.36' : 'NOEEI 30.37(a)' }),
    customs_certify: true,
    ...(signer !== undefined && { customs_signer: signer }),
    contents_type: contents,
    contents_explanation:
      contents === 'other'
        ? items
            .map(({ description }) => description)
            .join(', ')
            .slice(0, MAX_EXPLANATION)
        : '',
    restriction_type: 'none',
    non_delivery_option: 'return',
    customs_items: items.map((item) => ({
      description: item.description,
      quantity: item.quantity,
      weight: toOunces(item.weight_kg, item.quantity),
      value: Number(valueOf(item)),
      currency: item.currency,
      ...(item.hs_code !== undefined && { hs_tariff_number: item.hs_code }),
      origin_country: item.origin,
    })),
  };
}

const valueOf = ({ value, quantity }: Customs['items'][number]): string => times(value, String(quantity));
