/** The tools that ask carriers for rates. */
import type { ToolDefinition } from '../../api/mcp/definition.js';
import { OMITTED_MEMBERS, omitting, SHIPMENT_ARGUMENTS } from './label-shipment-arguments.js';

const FIELDS = 'rate_id,carrier,method_name,shipping_price,currency,cost,delivery_days,price_hidden';

const OMITTED = omitting([...OMITTED_MEMBERS, 'order_ref', 'method_ids']);
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
  arguments: { ...SHIPMENT_ARGUMENTS, carrier_account_ids: { description: 'Only these accounts.' } },
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
  arguments: SHIPMENT_ARGUMENTS,
};
