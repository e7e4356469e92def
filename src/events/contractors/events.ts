/** Which orders a contractor may plan without being assigned to them. Stream `contractor-<user id>`. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { ORDER_TYPES, type OrderType } from '../orders/contents.js';

export const CONTRACTOR_PREFIX = 'contractor-';
export const contractorStream = (userId: number): string => `${CONTRACTOR_PREFIX}${userId}`;

/** An order answers to a rule by its type and by where it is served; what a rule does not name it leaves open. */
export const contractorRuleSchema = z.object({
  order_types: z.array(z.enum(ORDER_TYPES)).optional(),
  /** As `areaOf` writes postal codes. */
  postal_prefixes: z.array(z.string()).optional(),
});
export type ContractorRule = z.infer<typeof contractorRuleSchema>;

/** The rules replace all former ones; without any a contractor plans only what is assigned to it. */
export const ContractorRulesSet = eventType(
  'ContractorRulesSet',
  z.object({ broker_id: z.int(), business: z.int(), rules: z.array(contractorRuleSchema), set_by: z.int().optional() }),
);

export const CONTRACTOR_EVENTS = [ContractorRulesSet] as const;

/** Where an order is served: at the delivery, at the pick-up, or (peer to peer) at both. */
export interface Served {
  readonly type: OrderType;
  readonly pickup_postal_code: string | null;
  readonly delivery_postal_code: string | null;
}

/** A postal code without the spaces and the case that people write it with. */
export const areaOf = (postalCode: string): string => postalCode.replace(/\s/g, '').toUpperCase();

/**
 * The first rule that the order answers to. The read model asks the same of the database
 * (projections/planning-queries.ts).
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
