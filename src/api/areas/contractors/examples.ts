/** Example for the planning rules of a contractor. The body works on a fresh demo. */
import type { Examples } from '../../core/example.js';

export const CONTRACTOR_EXAMPLES: Examples = {
  brokerRulesSet: { path: { broker_id: 3 }, body: { rules: [{ order_types: ['D'], postal_prefixes: ['10', '12'] }] } },
};
