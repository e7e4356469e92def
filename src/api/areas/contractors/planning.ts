/** Planning rules of contractors, and the pools of orders that callers may plan. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { areaOf, contractorStream, ruleFor, type ContractorRule } from '../../../events/contractors/events.js';
import { ORDER_STATUS_NAMES, ORDER_TYPES, type OrderStatus } from '../../../events/orders/events.js';
import type { PlannableOrder } from '../../../projections/contractors/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { hasContractor } from '../drivers/workers.js';
import { RELATIONS } from '../../core/relations.js';
import { settingsVersionSchema, versionBy } from '../../core/versions.js';

/** A rule matches all values of a member that it omits. */
const ruleSchema = z
  .strictObject({
    order_types: z.array(z.enum(ORDER_TYPES)).min(1).max(ORDER_TYPES.length).optional(),
    postal_prefixes: z
      .array(z.string().regex(/^(?=.*[A-Za-z0-9])[A-Za-z0-9 -]{1,12}$/))
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Prefixes of postal codes. The rule compares them with the delivery (type `D`), the pickup (`P`), or both (`P2P`).',
      ),
  })
  .meta({ id: 'ContractorRule' });
const rulesSchema = z.array(ruleSchema).max(50);
const rulesOutput = z.object({
  result: z.boolean(),
  broker_id: z.int(),
  rules: z.array(ruleSchema),
  version: settingsVersionSchema,
});
const RULES_VERSION = versionBy('broker_id', contractorStream);

const poolOrderSchema = z
  .object({
    id: z.int(),
    order_ref: z.string().nullable(),
    type: z.enum(ORDER_TYPES),
    status: z.enum(ORDER_STATUS_NAMES as [OrderStatus, ...OrderStatus[]]),
    order_status_id: z.int(),
    schedule_date: z.string().nullable(),
    pickup_postal_code: z.string().nullable(),
    delivery_postal_code: z.string().nullable(),
    reason: z
      .enum(['business', 'assigned', 'rule'])
      .describe(
        'Why the caller may plan the order: `business` (unassigned order of the business), `assigned` (assigned to the caller), `rule` (allowed by a rule of the caller).',
      ),
    assignment_id: z.int().nullable().describe('Id of the assignment, if the reason is `assigned`.'),
    rule: ruleSchema.nullable().describe('The matching rule, if the reason is `rule`.'),
  })
  .meta({ id: 'PoolOrder' })
  .register(RELATIONS, { order: { read: 'order', by: 'id' } });

export function planningOperations({
  handle,
  planning,
  accounts,
}: Parts<'planning' | 'accounts'> & { handle: Commands['contractors'] }): Operation[] {
  async function expectContractor(caller: Parameters<typeof businessOf>[0], brokerId: number): Promise<void> {
    const { role, userId } = userOf(caller);
    if ((role === 'broker' && userId !== brokerId) || !(await hasContractor(accounts, businessOf(caller), brokerId)))
      throw new ApiError('CONTRACTOR_NOT_FOUND');
  }

  return [
    operation({
      name: 'planningPool',
      area: 'Routes',
      summary: 'List orders that you may plan now',
      description:
        'Staff receive the unassigned orders of the business. Contractors receive orders assigned to them, and unassigned orders that their rules allow. An assigned order is only in the pool of its contractor. `reason` states why each order is listed.',
      rest: { method: 'get', path: '/v1/planning/pool' },
      callers: ['client_admin', 'employee', 'broker'],
      scopes: ['orders:read'],
      reads: ['orders', 'workers'],
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, orders: z.array(poolOrderSchema) }),
      async run(page, { caller }) {
        const { role, userId } = userOf(caller);
        const business = businessOf(caller);
        const rules = role === 'broker' ? await planning.rulesOf(userId, business) : undefined;
        const { orders, ...found } = await planning.pool(
          { business, ...(rules && { contractor: { id: userId, rules } }) },
          rangeOf(page),
        );
        return { ...pageOf(page, found), orders: orders.map((order) => toPoolOrder(order, rules)) };
      },
    }),

    operation({
      name: 'brokerRules',
      versioned: RULES_VERSION,
      area: 'Routes',
      summary: 'Get the planning rules of a contractor',
      description:
        'Rules allow a contractor to plan matching orders without an assignment. Contractors see only their own rules.',
      rest: { method: 'get', path: '/v1/brokers/:broker_id/rules' },
      callers: ['client_admin', 'employee', 'broker'],
      scopes: ['routes:read'],
      reads: ['workers', 'accounts'],
      answers: { 404: 'There is no such contractor.' },
      input: z.object({ broker_id: idSchema }),
      output: rulesOutput,
      async run({ broker_id }, { caller }) {
        await expectContractor(caller, broker_id);
        const { rules, version } = await planning.versionedRules(broker_id, businessOf(caller));
        return { result: true, broker_id, rules: [...rules], version };
      },
    }),

    operation({
      name: 'brokerRulesSet',
      versioned: RULES_VERSION,
      area: 'Routes',
      summary: 'Set the planning rules of a contractor',
      description:
        'Rules allow the contractor to plan matching orders without an assignment. With an empty list, the contractor can plan only assigned orders.',
      rest: { method: 'put', path: '/v1/brokers/:broker_id/rules' },
      callers: ['client_admin'],
      scopes: ['routes:write'],
      risk: 'medium',
      writes: true,
      awaits: ['workers'],
      returns: { read: 'brokerRules' },
      answers: { 404: 'There is no such contractor.' },
      input: z.object({ broker_id: idSchema, rules: rulesSchema }),
      output: z.object({ result: z.boolean() }),
      async run({ broker_id, rules: inputRules }, { caller, cause, commandId, wrote }) {
        await expectContractor(caller, broker_id);
        const rules = inputRules.map(({ postal_prefixes, ...rule }) => ({
          ...rule,
          ...(postal_prefixes && { postal_prefixes: postal_prefixes.map(areaOf) }),
        }));
        wrote(
          (
            await handle(
              contractorStream(broker_id),
              { commandId, userId: broker_id, business: businessOf(caller), by: userOf(caller).userId, rules },
              cause,
            )
          ).position,
        );
        return { result: true };
      },
    }),
  ];
}

/** `rules`: planning rules of the calling contractor; undefined if staff call. */
function toPoolOrder(
  { status_id, broker_id, assignment_id, ...order }: PlannableOrder,
  rules: readonly ContractorRule[] | undefined,
): z.infer<typeof poolOrderSchema> {
  const reason = rules === undefined ? 'business' : broker_id === null ? 'rule' : 'assigned';
  return {
    ...order,
    order_status_id: status_id,
    reason,
    assignment_id,
    rule: (reason === 'rule' && ruleFor(rules!, order)) || null,
  };
}
