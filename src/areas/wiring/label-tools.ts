/** The tool that reads a label order, on the developer server. */
import type { ToolDefinition } from '../../api/mcp/definition.js';

export const GET_SHIPPING_LABEL: ToolDefinition = {
  category: 'labels',
  name: 'get_shipping_label',
  title: 'Get a shipping label',
  operation: 'labelOrder',
  description: 'Status, packages, tracking numbers and download links of the labels of a label order.',
  fields: { label_order: 'id,status,packages,tracking_numbers' },
};
