/** The tools that submit label orders to carriers. */
import type { ToolDefinition } from '../../api/mcp/definition.js';

export const END_OF_DAY: ToolDefinition = {
  category: 'labels',
  name: 'end_of_day',
  title: 'Submit open labels to carriers',
  operation: 'labelOrdersEndDay',
  description: 'Submits all open label orders to the carriers, in manifests.',
  openWorld: true,
  fixed: { wait_s: undefined },
  arguments: {
    carrier_account_ids: { description: 'Only these accounts.' },
    ship_date: { description: 'Only this date.' },
  },
};

export const SUBMIT_SHIPPING_INFORMATION: ToolDefinition = {
  category: 'labels',
  name: 'submit_shipping_information',
  title: 'Mark label orders as submitted',
  operation: 'labelOrdersSubmitInformation',
  description: 'Marks label orders without a manifest as submitted to their carriers.',
  arguments: { order_ids: { description: 'Label orders.' } },
};
