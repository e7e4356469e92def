/** What a contractor may plan. Bodies that work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const CONTRACTOR_EXAMPLES: Examples = {
  brokerRulesSet: { path: { broker_id: 3 }, body: { rules: [{ order_types: ['D'], postal_prefixes: ['10', '12'] }] } },
};
