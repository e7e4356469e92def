/** A resource that a proposal changes, with its old and new values, as proposals show it. */
import { z } from 'zod';

export const changeSchema = z
  .object({
    resource: z.string().describe('Kind of the resource, such as `order`.'),
    order_id: z.int().nullable().describe('Null for a new order, and for resources that are not orders.'),
    order_ref: z.string().nullable().describe('Reference of the order.'),
    recipient: z.string().nullable().describe('Name and city of the recipient. Null if the caller may not read them.'),
    status: z.string().nullable().describe('Current status.'),
    old: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Current values. Null for a new resource, and for callers that may not read the resource.'),
    new: z.record(z.string(), z.unknown()).describe('Values after the write, under the same names.'),
  })
  .meta({ id: 'ProposedChange' });
export type ProposedChange = z.infer<typeof changeSchema>;

export type Members = Readonly<Record<string, unknown>>;

export const NO_ORDER = { order_id: null, order_ref: null, recipient: null, status: null } as const;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Name and city of the delivery, or of the pickup of an order without delivery. */
export function recipientOf({ delivery, pickup }: Members): string | null {
  const stop = isMembers(delivery) ? delivery : pickup;
  if (!isMembers(stop) || typeof stop['name'] !== 'string') return null;
  return [stop['name'], stop['city']].filter((part) => typeof part === 'string' && part !== '').join(', ');
}
