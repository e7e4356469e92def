/** The order families of specification 1, "Price hiding". A rate card belongs to one family. */
export const FAMILIES = [
  'local_delivery',
  'label_service',
  'shipping_service',
  'ltl_service',
  'storage_service',
  'moving_service',
  'device_order',
] as const;
export type Family = (typeof FAMILIES)[number];
