/** The tool that lists shipping methods, on both MCP servers. */
import type { ToolDefinition } from '../../api/mcp/definition.js';

export const GET_SHIPPING_METHODS: ToolDefinition = {
  category: 'labels',
  name: 'get_shipping_methods',
  title: 'List shipping methods',
  operation: 'shippingMethods',
  description:
    'Carriers and their shipping methods with ids, for get_shipping_rate and create_shipping_label. Without prices.',
  fields: { 'shipping_methods[]': 'id,carrier_account_id,carrier,code,name,enabled' },
  arguments: {
    carrier_account_ids: { description: 'Only these carrier accounts.' },
    enabled: { description: 'True: only methods that can be used now.' },
  },
};
