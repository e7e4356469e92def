/**
 * An order as readers get it. Personal members are decrypted with the keys that still exist; erased members are absent.
 */
import { unseal } from '../../events/core/codec.js';
import {
  BY_PERSON,
  returnMembersOf,
  type Geocoding,
  type NewOrderData,
  type ReturnMembers,
  type Stop,
} from '../../events/orders/events.js';
import type { EventData, OrderRow } from './row.js';

/** A stop. `located`: how its position was found, if the order did not contain it. */
export type LocatedStop = Stop & { readonly located?: Pick<Geocoding, 'precision' | 'confidence' | 'source'> };

/** An order with decrypted personal data. */
export interface Order
  extends
    Omit<OrderRow, 'created' | 'instruction' | 'note' | 'returned' | 'pickup_located' | 'delivery_located'>,
    ReturnMembers,
    Pick<NewOrderData, 'descriptions' | 'delivery_instruction'> {
  readonly pickup?: LocatedStop;
  readonly delivery?: LocatedStop;
  readonly internal_note?: string;
}

/** Inserts the decrypted personal members into the order's row. */
export function openOrder(
  { created, instruction, note, returned, pickup_located, delivery_located, ...row }: OrderRow,
  keys: ReadonlyMap<string, Buffer>,
): Order {
  const order = unseal(created.data, created.id, keys) as unknown as NewOrderData;
  const { pickup, delivery, descriptions, delivery_instruction, note: first } = order;
  const instructed = instruction
    ? (unseal(instruction.data, instruction.id, keys)['delivery_instruction'] as string | undefined)
    : delivery_instruction;
  const noted = note ? (unseal(note.data, note.id, keys)['note'] as string | undefined) : first;
  const lastReturn = returned.at(-1);
  return {
    ...row,
    // The last scan says it more exactly than the order.
    ...returnMembersOf(lastReturn ? unseal(lastReturn.data, lastReturn.id, keys) : order),
    ...(pickup && { pickup: locatedBy(pickup, pickup_located, keys) }),
    ...(delivery && { delivery: locatedBy(delivery, delivery_located, keys) }),
    ...(descriptions && { descriptions }),
    ...(instructed !== undefined && { delivery_instruction: instructed }),
    ...(noted !== undefined && { internal_note: noted }),
  };
}

/** Precedence of positions: a position that a user set, then the order's own position, then a geocoder's position. */
function locatedBy(stop: Stop, event: EventData | null, keys: ReadonlyMap<string, Buffer>): LocatedStop {
  if (!event) return stop;
  const { position, precision, confidence, source } = unseal(event.data, event.id, keys) as unknown as Geocoding;
  if (!position || (stop.position && source.geocoder !== BY_PERSON)) return stop;
  return { ...stop, position, located: { precision, confidence, source } };
}
