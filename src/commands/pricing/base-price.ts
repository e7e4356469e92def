/** Steps 3 and 4 of a price: the base, with further packages. */
import type { Decimal } from '../../events/core/money.js';
import type { Refusal } from '../../events/pricing/outcome.js';
import type { Bill } from './bill.js';
import type { Parcel } from './parcel.js';
import type { Shipment } from './shipment.js';

export interface BasePrice {
  /** With further packages. */
  readonly amount: Decimal;
  /** Part of the amount that belongs to these packages. Absent: the base is not per package. */
  readonly shareOf?: (parcels: readonly Parcel[]) => Decimal;
}

/** A base price by one part of the card. */
export interface Base {
  /** Whether the base has a price for a service in a lane. It is asked before dimensions are required. */
  readonly serves: (service: string, lane: string) => boolean;
  /** Adds the lines to the bill. */
  readonly price: (shipment: Shipment, bill: Bill) => BasePrice | Refusal;
}

export const everywhere = (): boolean => true;
