/** Step 5: surcharges in the order of the card. */
import { decimal, type Decimal } from '../../events/core/money.js';
import type { Surcharge, SurchargeAmount } from '../../events/pricing/card.js';
import type { NumericField } from '../../events/pricing/conditions.js';
import type { Basis } from '../../events/pricing/outcome.js';
import type { BasePrice } from './base-price.js';
import { HUNDREDTH, type Bill } from './bill.js';
import { compileConditions } from './conditions.js';
import { quantityOf } from './fields.js';
import type { Parcel } from './parcel.js';
import type { Shipment } from './shipment.js';

export interface CompiledSurcharge {
  readonly isFuelable: boolean;
  /** Adds the line to the bill. Returns its amount; undefined: the surcharge does not apply. */
  readonly add: (shipment: Shipment, base: BasePrice, bill: Bill) => Decimal | undefined;
}

/** What an amount is calculated from: the shipment, its base, and the packages that satisfy the conditions. */
interface Subject {
  readonly shipment: Shipment;
  readonly base: BasePrice;
  readonly parcels: readonly Parcel[];
  readonly arePerPackage: boolean;
}

/** The exact amount; undefined: a value is missing, so the surcharge does not apply. */
type Formula = (subject: Subject) => { readonly amount: Decimal; readonly basis: Basis } | undefined;

export function compileSurcharge(surcharge: Surcharge, digits: number): CompiledSurcharge {
  const { max } = surcharge;
  const { arePerPackage, select } = compileConditions(surcharge.when);
  const formula = compileAmount(surcharge.amount, digits);
  const limit = max === undefined ? undefined : decimal(max);
  return {
    isFuelable: surcharge.fuelable,
    add: (shipment, base, bill) => {
      const parcels = select(shipment);
      const result = parcels && formula({ shipment, base, parcels, arePerPackage });
      if (!result) return undefined;
      const amount = bill.round(limit && result.amount.gt(limit) ? limit : result.amount);
      bill.addSurcharge(surcharge, amount, max === undefined ? result.basis : { ...result.basis, max });
      return amount;
    },
  };
}

function compileAmount(amount: SurchargeAmount, digits: number): Formula {
  if ('flat' in amount) {
    const result = { amount: decimal(amount.flat), basis: { flat: amount.flat } };
    return () => result;
  }
  if ('percent_of' in amount) return percentOfBase(amount.percent, digits);
  if ('per_kg' in amount) return perUnit('per_kg', amount.per_kg, 'billable_kg');
  if ('per_unit' in amount) return perUnit('per_unit', amount.per_unit, amount.field);
  const { per_package } = amount;
  const unit = decimal(per_package);
  return ({ parcels }) => {
    const packages = String(parcels.length);
    return { amount: unit.times(packages), basis: { per_package, packages } };
  };
}

/** Refers to the base of the selected packages, or to the whole base if it is not per package. */
function percentOfBase(percent: string, digits: number): Formula {
  const factor = decimal(percent).times(HUNDREDTH);
  return ({ base, parcels, arePerPackage }) => {
    const part = arePerPackage && base.shareOf ? base.shareOf(parcels) : base.amount;
    return { amount: part.times(factor), basis: { percent, base_amount: part.toFixed(digits) } };
  };
}

function perUnit(name: 'per_kg' | 'per_unit', price: string, field: NumericField): Formula {
  const unit = decimal(price);
  return ({ shipment, parcels }) => {
    const quantity = quantityOf(field, shipment, parcels);
    return quantity && { amount: quantity.times(unit), basis: { [name]: price, quantity: quantity.toFixed() } };
  };
}
