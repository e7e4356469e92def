/**
 * Prices a shipment by a rate card. The same card and inputs have the same outcome on every machine, byte for byte:
 * there is no clock, no time zone, no locale and no floating-point money.
 */
import type { Decimal } from '../../events/core/money.js';
import type { PriceInputs } from '../../events/pricing/inputs.js';
import type { Refusal, ServiceOutcome, ServicePrice } from '../../events/pricing/outcome.js';
import { addFuel, addMarkup, addMinimum } from './adjustments.js';
import type { BasePrice } from './base-price.js';
import { Bill } from './bill.js';
import type { CompiledCard } from './compile.js';
import { daysLater } from './dates.js';
import { addItems } from './items.js';
import { offer } from './offer.js';
import { Parcel } from './parcel.js';
import type { CompiledService } from './service.js';
import type { Request, Shipment } from './shipment.js';
import { addTaxes } from './taxes.js';

/**
 * Returns an outcome for each requested service: in the order of the card, then requested codes that the card does not
 * have. Throws `DimensionsNeeded` if an offered service needs a dimension or a weight that is missing.
 */
export function price(card: CompiledCard, inputs: PriceInputs): readonly ServiceOutcome[] {
  const request: Request = {
    inputs,
    parcels: inputs.packages.map((one, index) => new Parcel(index, one, card.weighing)),
    from_zone: card.zoneOf(inputs.from),
    to_zone: card.zoneOf(inputs.to),
  };
  const wanted = inputs.service_codes && new Set(inputs.service_codes);
  const outcomes: ServiceOutcome[] = [];
  for (const [code, service] of card.services)
    if (!wanted || wanted.delete(code)) {
      const result = priceOf(card, service, request);
      outcomes.push(typeof result === 'string' ? { service_code: code, refused: result } : result);
    }
  for (const code of wanted ?? []) outcomes.push({ service_code: code, refused: 'NOT_SERVED' });
  return outcomes;
}

function priceOf(card: CompiledCard, service: CompiledService, request: Request): ServicePrice | Refusal {
  const shipment = offer(card, service, request);
  if (typeof shipment === 'string') return shipment;
  const bill = new Bill(card.digits);
  const base = card.base.price(shipment, bill);
  if (typeof base === 'string') return base;
  if (!addItems(card.items, request.inputs, bill)) return 'NOT_SERVED';
  const fuelable = addSurcharges(card, shipment, base, bill);
  addFuel(card.card, shipment.shipDate, fuelable, bill);
  addMinimum(card.card, bill);
  addMarkup(request.inputs.markup_percent, bill);
  addTaxes(card.taxes, shipment, bill);
  return bill.isTooLarge ? 'NOT_SERVED' : priceFrom(bill, shipment);
}

/** Returns the amount to which the fuel percentage applies. */
function addSurcharges({ surcharges }: CompiledCard, shipment: Shipment, base: BasePrice, bill: Bill): Decimal {
  let fuelable = base.amount;
  for (const { add, isFuelable } of surcharges) {
    const amount = add(shipment, base, bill);
    if (amount && isFuelable) fuelable = fuelable.plus(amount);
  }
  return fuelable;
}

function priceFrom(bill: Bill, { service: { service }, lane, shipDate }: Shipment): ServicePrice {
  const { code, names, days_min, days_max } = service;
  return {
    service_code: code,
    ...(names && { names }),
    lane,
    ship_date: shipDate,
    ...(days_min !== undefined && { delivery_date_from: daysLater(shipDate, days_min) }),
    ...(days_max !== undefined && { delivery_date_to: daysLater(shipDate, days_max) }),
    lines: bill.lines,
    subtotal: bill.text(bill.subtotal),
    surcharge_amount: bill.text(bill.surcharges),
    tax_amount: bill.text(bill.taxes),
    total: bill.text(bill.total),
  };
}
