/** The tools that ask carriers for rates. */
import type { ToolDefinition } from '../../api/mcp/definition.js';

const FIELDS = 'rate_id,carrier,method_name,shipping_price,currency,cost,delivery_days,price_hidden';

const SHIPMENT: ToolDefinition['arguments'] = {
  ship_from: { description: 'Sender, as `ship_to`. Default: the default warehouse.', opaque: true },
  ship_to: { description: '`country`, `postal_code`, `city`, `street`, `name`.', opaque: true },
  packages: { description: '`weight_kg`; all or none of `length_cm`, `width_cm`, `height_cm`.', opaque: true },
  ship_date: { description: 'Default: today.' },
  customs: { description: '`contents_type`, `currency`, `items`.', opaque: true },
  customer_id: { description: 'Customer account.' },
};

/** Members that the tools do not offer, so that the list of tools stays short. */
const OMITTED: ToolDefinition['fixed'] = Object.fromEntries(
  [
    'warehouse_id',
    'return_to',
    'order_ref',
    'signature',
    'insurance_amount',
    'cod_amount',
    'is_residential',
    'saturday_delivery',
    'method_ids',
  ].map((member) => [member, undefined]),
);

const EXAMPLE = { ship_from: { country: 'DE' }, ship_to: { country: 'DE' }, packages: [{ weight_kg: 1 }] };

export const GET_SHIPPING_RATE: ToolDefinition = {
  category: 'labels',
  name: 'get_shipping_rate',
  title: 'Get carrier rates',
  operation: 'labelserviceRate',
  description: 'Carrier label prices for a shipment. Buys nothing.',
  fields: { 'rates[]': FIELDS },
  openWorld: true,
  example: EXAMPLE,
  fixed: OMITTED,
  arguments: { ...SHIPMENT, carrier_account_ids: { description: 'Only these accounts.' } },
};

export const COMPARE_ALL_CARRIERS: ToolDefinition = {
  category: 'labels',
  name: 'compare_all_carriers',
  title: 'Compare all carriers',
  operation: 'labelserviceCompareAllCarriers',
  description: 'Label prices of all carrier accounts for a shipment, cheapest first. Buys nothing.',
  fields: { 'rates[]': FIELDS },
  openWorld: true,
  example: EXAMPLE,
  fixed: OMITTED,
  arguments: SHIPMENT,
};
