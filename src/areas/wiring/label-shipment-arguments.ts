/** Arguments of a shipment, which the tools that rate carriers and the tools that buy labels have in common. */
import type { ToolDefinition } from '../../api/mcp/definition.js';

export const SHIPMENT_ARGUMENTS: ToolDefinition['arguments'] = {
  ship_from: { description: 'Sender. Default: the default warehouse.', opaque: true },
  ship_to: { description: '`country`, `postal_code`, `city`, `street`, `name`.', opaque: true },
  packages: { description: '`weight_kg`; all or none of `length_cm`, `width_cm`, `height_cm`.', opaque: true },
  ship_date: { description: 'Default: today.' },
  customs: { description: '`contents_type`, `currency`, `items`.', opaque: true },
  customer_id: { description: 'Customer account.' },
};

/** Members of a shipment that the tools do not offer, so that the list of tools stays short. */
export const OMITTED_MEMBERS = [
  'warehouse_id',
  'return_to',
  'signature',
  'insurance_amount',
  'cod_amount',
  'is_residential',
  'saturday_delivery',
] as const;

/** The value of `fixed` that omits these members. */
export const omitting = (members: readonly string[]): NonNullable<ToolDefinition['fixed']> =>
  Object.fromEntries(members.map((member) => [member, undefined]));
