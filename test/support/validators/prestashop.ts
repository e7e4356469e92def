/**
 * PrestaShop webservice, JSON: all values are strings, states have the ids of a new shop, and the last history entry is
 * the current state. Except for `id_order`, which the webservice requires: only the shop knows it.
 */
import { z } from 'zod';
import { bySchema } from './validate.js';

const state = z.string().regex(/^([1-9]|1[0-3])$/);

const order = z.strictObject({
  current_state: state,
  shipping_number: z.string().max(64),
  reference: z.string().optional(),
  note: z.string(),
});
const history = z.strictObject({
  id_order_state: state,
  date_add: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
});

export const validatePrestashop = bySchema(
  z
    .strictObject({ order, order_histories: z.array(history) })
    .refine(
      ({ order, order_histories }) =>
        order_histories.length === 0 || order_histories.at(-1)!.id_order_state === order.current_state,
      'the last change leads to the current state',
    )
    .refine(
      ({ order_histories }) =>
        order_histories.every(({ date_add }, index) => index === 0 || order_histories[index - 1]!.date_add <= date_add),
      'histories are oldest first',
    ),
);
