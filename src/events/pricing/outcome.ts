/** The outcome of a price calculation. */
import type { Names } from './values.js';

export const LINE_KINDS = [
  'base',
  'further_packages',
  'item',
  'surcharge',
  'fuel',
  'minimum',
  'markup',
  'tax',
] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** The numbers from which an amount was calculated, as decimal texts. */
export type Basis = Readonly<Record<string, string>>;

export interface PriceLine {
  /** Code of the surcharge, item or tax; otherwise the kind. */
  readonly code: string;
  readonly kind: LineKind;
  /** Names of the surcharge or tax in the card. */
  readonly names?: Names;
  /** Has exactly the digits of the currency. */
  readonly amount: string;
  readonly taxable: boolean;
  /** Only of lines of the kind tax. */
  readonly tax_code?: string;
  /** The other lines already include this tax. */
  readonly is_included?: true;
  readonly basis: Basis;
}

export const REFUSALS = ['NOT_SERVED', 'TOO_HEAVY', 'TOO_LARGE', 'TOO_MANY_PACKAGES', 'AFTER_CUTOFF'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** The price of one service. */
export interface ServicePrice {
  readonly service_code: string;
  readonly names?: Names;
  readonly lane: string;
  readonly ship_date: string;
  readonly delivery_date_from?: string;
  readonly delivery_date_to?: string;
  readonly lines: readonly PriceLine[];
  /** Sum of the lines that are no taxes. */
  readonly subtotal: string;
  /** Sum of the lines of the kind surcharge. */
  readonly surcharge_amount: string;
  /** Sum of all taxes, including those that the other lines include. */
  readonly tax_amount: string;
  /** Sum of the lines that are no included taxes. */
  readonly total: string;
}

export interface RefusedService {
  readonly service_code: string;
  readonly refused: Refusal;
}

export type ServiceOutcome = ServicePrice | RefusedService;
