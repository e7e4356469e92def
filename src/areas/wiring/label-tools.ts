/** The tools of label orders, on both MCP servers. */
import type { ToolDefinition } from '../../api/mcp/definition.js';

const ORDER = 'id,status,carrier,method_name,tracking_numbers,shipping_price,currency,payment_status';

const CREATE: ToolDefinition = {
  category: 'labels',
  name: 'create_shipping_label',
  title: 'Create a shipping label',
  operation: 'labelOrderCreate',
  description:
    'Book a shipment with a carrier and buy its labels, at a rate_id of get_shipping_rate or with a method_id of get_shipping_methods. Returns the order with its tracking numbers; result false: the carrier refused, and the order is kept.',
  fields: { label_order: ORDER },
};

const LABEL: ToolDefinition = {
  category: 'labels',
  name: 'get_shipping_label',
  title: 'Get a shipping label',
  operation: 'labelOrder',
  description: 'Status, packages, tracking numbers and download links of the labels of a label order.',
  fields: { label_order: 'id,status,packages,tracking_numbers' },
};

export const LABEL_TOOLS: {
  readonly operations: readonly ToolDefinition[];
  readonly developer: readonly ToolDefinition[];
} = {
  operations: [
    CREATE,
    {
      category: 'labels',
      name: 'quote_and_ship',
      title: 'Rate all carriers and ship',
      operation: 'labelOrderQuoteAndShip',
      description:
        'Rate a shipment with all enabled carriers, pick the best rate by strategy, and buy the labels in one call. To compare first, use compare_all_carriers and create_shipping_label.',
      fields: { label_order: ORDER },
    },
    {
      category: 'labels',
      name: 'get_shipping_detail',
      title: 'Get carrier shipping detail',
      operation: 'labelOrderCarrierDetail',
      description:
        'Ask the carrier now about a label order: tracking numbers, price, billed weight, refund of a void, and differences to the order.',
      fields: { label_order: ORDER },
    },
    {
      category: 'labels',
      name: 'download_shipping_label',
      title: 'Download shipping labels',
      operation: 'labelOrderFiles',
      description: 'Content of the labels of a label order as base64, one file for each package.',
    },
    {
      category: 'labels',
      name: 'cancel_shipping_label',
      title: 'Void a shipping label',
      operation: 'labelOrderCancel',
      description:
        'Void the carrier labels of a label order, by its id or the tracking number of a package. Only before the carrier has the parcel. The customer is refunded.',
      fields: { label_order: ORDER },
    },
  ],
  developer: [CREATE, LABEL],
};
