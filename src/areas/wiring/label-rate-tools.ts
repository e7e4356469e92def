/** The tools that ask carriers for rates. */
import type { ToolDefinition } from '../../api/mcp/definition.js';

const FIELDS =
  'rate_id,carrier,carrier_account_id,method_id,method_name,shipping_price,currency,cost,delivery_days,valid_until,price_hidden';

const SHIPMENT: ToolDefinition['arguments'] = {
  ship_from: { description: 'Sender, as `ship_to`. Default: the warehouse.', opaque: true },
  warehouse_id: { description: 'Warehouse as sender. Default: the default warehouse.' },
  ship_to: {
    description: 'Recipient: `country`, `postal_code`, `city`, `street`, `name`…, or `address_id`.',
    opaque: true,
  },
  return_to: { description: 'Return address, as `ship_to`.', opaque: true },
  packages: {
    description: '`weight_kg`; `length_cm`, `width_cm`, `height_cm`; `declared_value`, `currency`.',
    opaque: true,
  },
  ship_date: { description: 'Default: today.' },
  order_ref: { description: 'Your reference.' },
  insurance_amount: { description: 'Insured value.' },
  cod_amount: { description: 'Cash on delivery.' },
  is_residential: { description: 'The destination is a home.' },
  saturday_delivery: { description: 'Deliver on Saturday.' },
  signature: { description: 'Signature on delivery.' },
  customs: {
    description:
      'Across borders: `contents_type`, `currency`, `items` of `description`, `quantity`, `unit_value`, `unit_weight_kg`, `origin_country`.',
    opaque: true,
  },
  method_ids: { description: 'Only these methods.' },
  customer_id: { description: 'For the prices of this customer.' },
};

export const GET_SHIPPING_RATE: ToolDefinition = {
  category: 'labels',
  name: 'get_shipping_rate',
  title: 'Get carrier rates',
  operation: 'labelserviceRate',
  description:
    'Carrier label prices for a shipment, of the named carrier accounts or all. Buys nothing. create_shipping_label takes a `rate_id`.',
  fields: { 'rates[]': FIELDS },
  openWorld: true,
  arguments: { ...SHIPMENT, carrier_account_ids: { description: 'Only these carrier accounts.' } },
};

export const COMPARE_ALL_CARRIERS: ToolDefinition = {
  category: 'labels',
  name: 'compare_all_carriers',
  title: 'Compare all carriers',
  operation: 'labelserviceCompareAllCarriers',
  description:
    'Label prices of every enabled carrier account for a shipment, cheapest first. Buys nothing. `errors`: carriers without a rate.',
  fields: { 'rates[]': FIELDS },
  openWorld: true,
  arguments: SHIPMENT,
};
