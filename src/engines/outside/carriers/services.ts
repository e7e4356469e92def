/** Functions of the service that adapters without a network receive. */
import type { CarrierError } from './port.js';
import type { CarrierShipment, CarrierStop, LabelFormat, LabelSize } from './shipment.js';

export interface CarrierServices {
  /** The services of a rate card of the business that serve the shipment, with their prices. */
  price(
    business: number,
    rateCardId: number,
    shipment: CarrierShipment,
  ): Promise<{
    readonly prices: readonly {
      readonly service_code: string;
      readonly name: string;
      readonly amount: string;
      readonly currency: string;
      readonly days_min?: number;
      readonly days_max?: number;
    }[];
    readonly errors: readonly CarrierError[];
  }>;
  /** The services of a rate card. */
  services(
    business: number,
    rateCardId: number,
  ): Promise<readonly { readonly service_code: string; readonly name: string }[]>;
  /** Draws a number of the account's range, the same for the same key. Undefined: the range is used up. */
  drawNumber(accountId: number, key: string): Promise<string | undefined>;
  /** The number that was drawn for the key. */
  drawnNumber(accountId: number, key: string): Promise<string | undefined>;
  /** Throws `NotPrintable`. */
  renderLabel(label: PrintedLabel, format: LabelFormat, size: LabelSize): Promise<Uint8Array>;
}

/** No font has a character of the label, or a text is too long: the same label will never be printed. */
export class NotPrintable extends Error {
  override readonly name = 'NotPrintable';
}

/** The content of a label that the service prints itself. */
export interface PrintedLabel {
  readonly carrier: string;
  readonly service: string;
  /** `sscc`: 18 digits, printed as GS1-128 with application identifier (00). */
  readonly number: { readonly scheme: 'sscc'; readonly value: string };
  readonly from: CarrierStop;
  readonly to: CarrierStop;
  readonly ship_date: string;
  readonly weight_kg: number;
  /** Position of the package, and number of packages. */
  readonly piece: readonly [number, number];
  readonly order_ref?: string | undefined;
}
