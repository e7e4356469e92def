/** Describes the order of a proposal in terms that its reviewer recognizes, because an id alone is not enough. */
import { z } from 'zod';
import { innerCall } from '../../core/inner-call.js';
import type { Invoke } from '../../core/invoke.js';
import type { Context, Operation } from '../../core/operation.js';

export const orderSummarySchema = z
  .object({
    order_id: z.int(),
    order_ref: z.string().nullable(),
    status: z.string(),
    schedule_date: z.string().nullable(),
    recipient: z
      .string()
      .nullable()
      .describe('Name and city of the recipient. Null if they were erased, or if the caller may not see them.'),
  })
  .meta({ id: 'ProposedOrder' })
  .describe('Current state of the order in the arguments. Omitted for callers that may not read it.');
export type OrderSummary = z.infer<typeof orderSummarySchema>;

/** The part of an order response that is used here. */
const orderResponse = z.object({
  order: z.object({
    order_ref: z.string().nullish(),
    status: z.string(),
    schedule_date: z.string().nullish(),
    delivery: z.object({ name: z.string().nullish(), city: z.string().nullish() }).nullish(),
  }),
});

/** `readOrder`: the operation that returns one order. It runs with the caller's permissions; undefined if refused. */
export async function readOrderSummary(
  { order_id }: Readonly<Record<string, unknown>>,
  readOrder: Operation | undefined,
  invoke: Invoke,
  { caller, cause, header }: Pick<Context, 'caller' | 'cause' | 'header'>,
): Promise<OrderSummary | undefined> {
  if (typeof order_id !== 'number' || !readOrder) return undefined;
  const response = await invoke(readOrder, () => ({ order_id }), innerCall(caller, cause, header)).catch(
    () => undefined,
  );
  const found = orderResponse.safeParse(response?.result);
  if (!found.success) return undefined;
  const { order_ref = null, status, schedule_date = null, delivery } = found.data.order;
  const recipient = delivery?.name ? [delivery.name, delivery.city].filter(Boolean).join(', ') : null;
  return { order_id, order_ref, status, schedule_date, recipient };
}
