/** Maps order stages to Walmart order line statuses, and lists the carriers that Walmart knows by name. */
import type { ParcelStage } from '../support/order-stage.js';
import { plainName } from '../support/vendor-subject.js';

/** `Refund` is about money and is never derived from a timeline: a returned parcel is `Shipped`. */
export const WALMART = {
  ordered: 'Created',
  labelled: 'Acknowledged',
  shipped: 'Shipped',
  delivered: 'Delivered',
  returned: 'Shipped',
  cancelled: 'Cancelled',
} as const satisfies Record<ParcelStage, string>;

/** Carriers of the vendor's closed list; every other carrier is written in `otherCarrier`. */
const CARRIERS = [
  'UPS',
  'USPS',
  'FedEx',
  'Airborne',
  'OnTrac',
  'DHL Ecommerce - US',
  'DHL',
  'LS',
  'UDS',
  'UPSMI',
  'FDX',
  'PILOT',
  'ESTES',
  'SAIA',
  'Royal Mail',
  'Canada Post',
  'Japan Post',
  'Deutsche Post',
  'GLS',
  'Asendia',
  '4PX',
  'YunExpress',
] as const;

const byPlainName = new Map(CARRIERS.map((carrier) => [plainName(carrier), carrier]));

/** Returns `Royal Mail` for `royal-mail`; undefined for a carrier that is not on the list. */
export const walmartCarrier = (name: string) => byPlainName.get(plainName(name));
