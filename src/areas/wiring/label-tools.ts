/** The tools of label orders. */
import type { ToolDefinition } from '../../api/mcp/definition.js';
import { OMITTED_MEMBERS, omitting, SHIPMENT_ARGUMENTS } from './label-shipment-arguments.js';

const labels = { category: 'labels' } as const;

const ORDER = 'id,status,carrier,method_name,tracking_numbers,shipping_price,currency,payment_status,price_hidden';
const PACKAGES = 'packages.package_id,packages.label_status,packages.tracking_number,packages.failure_code';
/** A label order in the response of a tool that buys or voids labels. */
const BOUGHT = { label_order: `${ORDER},${PACKAGES}` };

/** The required members: a label needs the name and the complete address of the recipient. */
const SHIPMENT = {
  ship_to: { name: 'Ada', street: 'Rue 1', postal_code: '69001', city: 'Lyon', country: 'FR' },
  packages: [{ weight_kg: 1 }],
};

const PLACING: NonNullable<ToolDefinition['arguments']> = {
  ...SHIPMENT_ARGUMENTS,
  label_format: { description: 'Format.' },
};

const NAMED: NonNullable<ToolDefinition['arguments']> = {
  order_id: { description: 'Id of the label order.' },
  tracking_number: { description: 'Of a package, instead of `order_id`.', example: 'EZ1000000001' },
};

export const CREATE_SHIPPING_LABEL: ToolDefinition = {
  ...labels,
  name: 'create_shipping_label',
  title: 'Create a shipping label',
  operation: 'labelOrderCreate',
  example: { ...SHIPMENT, method_id: 1001 },
  description: 'Book a shipment with a carrier and buy its label, by rate or method.',
  fields: BOUGHT,
  openWorld: true,
  fixed: omitting([...OMITTED_MEMBERS, 'label_size', 'max_price']),
  arguments: {
    ...PLACING,
    rate_id: { description: 'From get_shipping_rate.' },
    method_id: { description: 'From get_shipping_methods.' },
  },
};

export const QUOTE_AND_SHIP: ToolDefinition = {
  ...labels,
  name: 'quote_and_ship',
  title: 'Quote and ship',
  operation: 'labelOrderQuoteAndShip',
  example: SHIPMENT,
  description: 'Ask all carriers, choose the best rate by `strategy`, and buy the label.',
  fields: BOUGHT,
  openWorld: true,
  fixed: omitting([...OMITTED_MEMBERS, 'label_size']),
  arguments: {
    ...PLACING,
    strategy: { description: '`best_value`: cheapest within 2 days of the fastest.' },
    carriers: { description: 'Only these carriers.' },
    max_price: { description: 'Buy nothing at a higher price.' },
    deliver_by: { description: 'Last day of delivery.' },
  },
};

export const GET_SHIPPING_DETAIL: ToolDefinition = {
  ...labels,
  name: 'get_shipping_detail',
  title: 'Get carrier details',
  operation: 'labelOrderCarrierDetail',
  description: 'Ask the carrier of a label order for tracking numbers, price, weight and refund.',
  fields: BOUGHT,
  openWorld: true,
  arguments: NAMED,
};

export const DOWNLOAD_SHIPPING_LABEL: ToolDefinition = {
  ...labels,
  name: 'download_shipping_label',
  title: 'Download a shipping label',
  operation: 'labelOrderFiles',
  description: 'Get the labels of a label order as base64, PDFs as one file.',
  openWorld: true,
  fixed: omitting(['package_id']),
  arguments: { ...NAMED, format: { description: 'Default: as bought.' } },
};

export const CANCEL_SHIPPING_LABEL: ToolDefinition = {
  ...labels,
  name: 'cancel_shipping_label',
  title: 'Cancel a shipping label',
  operation: 'labelOrderCancel',
  description: 'Void the labels of a label order at the carrier, and cancel the order.',
  fields: BOUGHT,
  openWorld: true,
  arguments: { ...NAMED, package_only: { description: 'Void only the package of `tracking_number`.' } },
};

/** On the developer server. */
export const GET_SHIPPING_LABEL: ToolDefinition = {
  ...labels,
  name: 'get_shipping_label',
  title: 'Get a shipping label',
  operation: 'labelOrder',
  description: 'Status, packages, tracking numbers and download links of the labels of a label order.',
  fields: { label_order: 'id,status,packages,tracking_numbers' },
  arguments: { order_id: { description: 'Id of the label order.' } },
};
