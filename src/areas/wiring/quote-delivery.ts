/** The tool that prices a delivery. Its stops have only the members that a price can depend on. */
import { z } from 'zod';
import { rateStopInput } from '../../api/areas/pricing/rate-input.js';
import type { ToolDefinition } from '../../api/mcp/definition.js';

const { country, postal_code, city, street, position } = rateStopInput.shape;
const stop = z.strictObject({ country, postal_code, city, street, position }).optional();

export const QUOTE_DELIVERY: ToolDefinition = {
  category: 'orders',
  name: 'quote_delivery',
  title: 'Quote a delivery',
  operation: 'ordersRate',
  description:
    'Prices of a local delivery before the order exists, one per service, sorted by price. Creates nothing. With `fields`, also `price_details`: the lines of each price.',
  shape: { pickup: stop, delivery: stop },
  fields: {
    'rates[]':
      'rate_id,service_code,service_name,shipping_price,currency,delivery_date_from,delivery_date_to,valid_until,price_hidden',
  },
  arguments: {
    type: { description: 'Direction, as in create_order.' },
    pickup: { description: 'Start (P, P2P): members as in `delivery`.', opaque: true },
    delivery: { description: 'Destination (D, P2P).' },
    'delivery.position': { description: '`latitude`, `longitude`; improves the distance.', opaque: true },
    packages: { description: 'Packages; `declared_value` is an amount.' },
    'packages.declared_value': { description: 'Such as `12.50`.' },
    time_windows: { description: 'As in create_order.', opaque: true },
    warehouse_id: { description: 'Start (D) or end (P). Default: the default warehouse.' },
    service_codes: { description: 'Only these services.' },
    options: { description: 'Codes of options.' },
    cod_amount: { description: 'Cash on delivery.' },
    is_residential: { description: 'The destination is a home.' },
    currency: { description: 'Only prices in this currency.' },
    customer_id: { description: 'Customer whose prices apply.' },
  },
};
