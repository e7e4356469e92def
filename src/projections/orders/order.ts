/** An order as readers see it: personal members are opened with the keys that still exist; erased ones are absent. */
import { unseal } from '../../events/core/codec.js';
import type { NewOrderData } from '../../events/orders/events.js';
import type { OrderRow } from './row.js';

/** An order with what is personal opened. */
export interface Order
  extends
    Omit<OrderRow, 'created' | 'instruction' | 'note'>,
    Pick<NewOrderData, 'pickup' | 'delivery' | 'descriptions' | 'delivery_instruction'> {
  readonly internal_note?: string;
}

/** The order's row with its personal members in place. */
export function openOrder({ created, instruction, note, ...row }: OrderRow, keys: ReadonlyMap<string, Buffer>): Order {
  const {
    pickup,
    delivery,
    descriptions,
    delivery_instruction,
    note: first,
  } = unseal(created.data, created.id, keys) as unknown as NewOrderData;
  const instructed = instruction
    ? (unseal(instruction.data, instruction.id, keys)['delivery_instruction'] as string | undefined)
    : delivery_instruction;
  const noted = note ? (unseal(note.data, note.id, keys)['note'] as string | undefined) : first;
  return {
    ...row,
    ...(pickup && { pickup }),
    ...(delivery && { delivery }),
    ...(descriptions && { descriptions }),
    ...(instructed !== undefined && { delivery_instruction: instructed }),
    ...(noted !== undefined && { internal_note: noted }),
  };
}
