/** Rules for the orders that a contractor may plan without an assignment. Stream `contractor-<user id>`. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { ORDER_TYPES, type OrderType } from '../orders/contents.js';

export const CONTRACTOR_PREFIX = 'contractor-';
export const contractorStream = (userId: number): string => `${CONTRACTOR_PREFIX}${userId}`;

/** Matches orders by type and by place of service. Absent members match every order. */
export const contractorRuleSchema = z.object({
  order_types: z.array(z.enum(ORDER_TYPES)).optional(),
  /** In the form of `areaOf`. */
  postal_prefixes: z.array(z.string()).optional(),
});
export type ContractorRule = z.infer<typeof contractorRuleSchema>;

/** The rules replace all earlier ones. Without rules, a contractor can plan only its assigned orders. */
export const ContractorRulesSet = eventType(
  'ContractorRulesSet',
  z.object({ broker_id: z.int(), business: z.int(), rules: z.array(contractorRuleSchema), set_by: z.int().optional() }),
);

export const CONTRACTOR_EVENTS = [ContractorRulesSet] as const;

/** Fields that determine where an order is served: at the delivery, at the pickup, or (peer to peer) at both. */
export interface Served {
  readonly type: OrderType;
  readonly pickup_postal_code: string | null;
  readonly delivery_postal_code: string | null;
}

/** A postal code without spaces, in upper case. */
export const areaOf = (postalCode: string): string => postalCode.replace(/\s/g, '').toUpperCase();

/**
 * The first rule that matches the order. The read model implements the same rule in SQL
 * (projections/contractors/queries.ts).
 */
export function ruleFor(rules: readonly ContractorRule[], order: Served): ContractorRule | undefined {
  const codes = {
    D: [order.delivery_postal_code],
    P: [order.pickup_postal_code],
    P2P: [order.pickup_postal_code, order.delivery_postal_code],
  }[order.type];
  return rules.find(
    ({ order_types, postal_prefixes }) =>
      (!order_types || order_types.includes(order.type)) &&
      (!postal_prefixes ||
        codes.every((code) => code !== null && postal_prefixes.some((prefix) => areaOf(code).startsWith(prefix)))),
  );
}
