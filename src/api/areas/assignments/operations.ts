/** Assigns orders exclusively to one contractor, and revokes it (specification 1, "Contractor order assignment"). */
import { ASSIGNMENT_IDS } from '../../../projections/assignments/read-model.js';
import { z } from 'zod';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { OrderCommand, OrderReply } from '../../../commands/orders/decider.js';
import { orderStream } from '../../../events/orders/events.js';
import type { Assignment, AssignmentQueries } from '../../../projections/assignments/queries.js';
import { ASSIGNMENT_STATUSES } from '../../../projections/assignments/read-model.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { toAssignment, assignmentSchema } from './shapes.js';
import { hasContractor } from '../drivers/workers.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { orderErrorSchema, orderIdsSchema, perOrder, unique } from '../orders/per-order.js';

const COMMON = { area: 'Broker Order Assignments', module: 'contractor_assignment' } as const;
const WRITE = { ...COMMON, scopes: ['orders:write'], writes: true, awaits: ['assignments', 'orders'] } as const;
const PATH = '/v1/broker-order-assignments';
const countFields = {
  result: z.boolean().describe('True if at least one order was changed.'),
  skipped: z.int(),
  errors: z.array(orderErrorSchema).describe('One entry for each order that was not changed.'),
};
const reason = z.string().max(255).optional().describe('Reason, stored with the assignment.');

export function brokerOrderAssignments({
  handle,
  assignments,
  accounts,
}: Parts<'accounts'> & { handle: Handle<OrderCommand, OrderReply>; assignments: AssignmentQueries }): Operation[] {
  const toResponses = async (found: readonly Assignment[]) => {
    const brokers = await accounts.byIds([...new Set(found.map((one) => one.broker_id))]);
    const names = new Map(brokers.map(({ id, name }) => [id, name]));
    return found.map((one) => toAssignment(one, names.get(one.broker_id)));
  };
  return [
    operation({
      ...COMMON,
      name: 'brokerOrderAssignments',
      summary: 'List order assignments to contractors, newest first',
      description: 'Client admins and employees see the assignments of their business. Contractors see only their own.',
      rest: { method: 'get', path: PATH },
      callers: ['client_admin', 'employee', 'broker'],
      scopes: ['orders:read'],
      reads: ['assignments', 'orders', 'accounts'],
      answers: { 503: 'The module is not yet available on this system (`MODULE_UNAVAILABLE`).' },
      input: z.object({
        broker_id: idSchema
          .optional()
          .describe('Return only assignments of this contractor. Ignored for contractor accounts.'),
        status: z.enum(ASSIGNMENT_STATUSES).optional(),
        order_id: idSchema.optional().describe('Return only assignments of this order.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, assignments: z.array(assignmentSchema) }),
      async run({ broker_id, status, order_id, ...page }, { caller }) {
        const { role, userId } = userOf(caller);
        const filter = {
          business: businessOf(caller),
          brokerId: role === 'broker' ? userId : broker_id,
          status,
          orderId: order_id,
          ...rangeOf(page),
        };
        const { assignments: found, ...listed } = await assignments.list(filter).catch(toUnavailable);
        return { ...pageOf(page, listed), assignments: await toResponses(found) };
      },
    }),

    operation({
      ...WRITE,
      name: 'assignOrdersToBroker',
      summary: 'Assign orders exclusively to one contractor',
      description:
        'Assigns orders so that only this contractor can plan them. An order that is assigned to another contractor is reassigned in one step. `errors` lists the orders that were not assigned: orders on a route, orders without self-delivery, orders that are not in an assignable status, orders at a third-party carrier, and orders that this contractor already has.',
      rest: { method: 'post', path: PATH },
      callers: ['client_admin'],
      risk: 'medium',
      missing: { order_ids: 'MISSING_ORDERS', broker_id: 'MISSING_CONTRACTOR' },
      answers: { 422: 'Orders or contractor are missing (`MISSING_ORDERS`, `MISSING_CONTRACTOR`).' },
      input: z.object({
        order_ids: orderIdsSchema,
        broker_id: z.int().describe('User id of the contractor (broker employee).'),
        note: z.string().max(500).optional().describe('Note, stored with the assignment.'),
      }),
      output: z.object({ ...countFields, assigned: z.int() }),
      async run({ order_ids, broker_id, note }, context) {
        const { caller, cause, commandId, reserveIds } = context;
        const business = businessOf(caller);
        const orderIds = unique(order_ids);
        const [isContractor, ids] = await Promise.all([
          hasContractor(accounts, business, broker_id),
          reserveIds(ASSIGNMENT_IDS, orderIds.length),
        ]);
        if (!isContractor) throw fieldError('UNKNOWN_CONTRACTOR', 'broker_id');
        const { done, errors } = await perOrder(orderIds, context, (orderId, index) =>
          handle(
            orderStream(orderId),
            {
              do: 'assign',
              commandId,
              orderId,
              business,
              by: userOf(caller).userId,
              assignmentId: ids[index]!,
              brokerId: broker_id,
              ...(note !== undefined && { note }),
            },
            cause,
          ),
        );
        return { result: done > 0, assigned: done, skipped: errors.length, errors };
      },
    }),

    operation({
      ...WRITE,
      name: 'revokeBrokerOrderAssignments',
      summary: 'Revoke order assignments to contractors',
      description:
        'Ends the assignments. The rules of the contractors then apply to the orders again. Orders on a route stay assigned and are listed in `errors`.',
      rest: { method: 'post', path: `${PATH}/revoke` },
      callers: ['client_admin'],
      risk: 'medium',
      missing: { order_ids: 'MISSING_ORDERS' },
      answers: { 422: 'Orders are missing (`MISSING_ORDERS`).' },
      input: z.object({ order_ids: orderIdsSchema, reason }),
      output: z.object({ ...countFields, revoked: z.int() }),
      async run({ order_ids, reason }, context) {
        const { caller, cause, commandId } = context;
        const business = businessOf(caller);
        const { done, errors } = await perOrder(unique(order_ids), context, (orderId) =>
          handle(
            orderStream(orderId),
            {
              do: 'revoke_assignment',
              commandId,
              orderId,
              business,
              by: userOf(caller).userId,
              ...(reason !== undefined && { reason }),
            },
            cause,
          ),
        );
        return { result: done > 0, revoked: done, skipped: errors.length, errors };
      },
    }),

    operation({
      ...WRITE,
      name: 'releaseBrokerOrderAssignment',
      summary: 'Return an assigned order to the client',
      description:
        'Only the contractor with the assignment can call this. The rules of all contractors, including this one, then apply to the order again.',
      rest: { method: 'post', path: `${PATH}/release` },
      callers: ['broker'],
      risk: 'medium',
      answers: { 400: 'The order is on a route, or it is not assigned to this contractor (`NOT_ASSIGNED_TO_YOU`).' },
      input: z.object({ order_id: z.int(), reason }),
      output: z.object({
        result: z.boolean(),
        message: z.string(),
        assignment: assignmentSchema.optional().describe('The response of a dry run does not contain it.'),
      }),
      async run({ order_id: orderId, reason }, { caller, cause, commandId, header, wrote }) {
        const { userId } = userOf(caller);
        const command = {
          do: 'release_assignment',
          commandId,
          orderId,
          business: businessOf(caller),
          by: userId,
          brokerId: userId,
          ...(reason !== undefined && { reason }),
        } as const;
        wrote((await handle(orderStream(orderId), command, cause).catch(toNotAssigned)).position);
        return {
          result: true,
          message: translate('ASSIGNMENT_RELEASED', {}, chooseLanguage(header('accept-language'))),
        };
      },
      async after({ order_id }, result, { caller }) {
        const { userId: brokerId } = userOf(caller);
        const filter = { business: businessOf(caller), brokerId, orderId: order_id as number, offset: 0, limit: 1 };
        const [assignment] = await toResponses((await assignments.list(filter)).assignments);
        return { ...result, ...(assignment && { assignment }) };
      },
    }),
  ];
}

/** An order that does not exist, or belongs to another business, gives the same error as one assigned to others. */
function toNotAssigned(error: unknown): never {
  throw error instanceof DomainError && error.code === 'ORDER_NOT_FOUND' ? new ApiError('NOT_ASSIGNED_TO_YOU') : error;
}

/** SQLSTATEs for a missing schema, table or column: the database has not been migrated yet. */
const NOT_MIGRATED = new Set(['3F000', '42P01', '42703']);

function toUnavailable(error: unknown): never {
  throw NOT_MIGRATED.has((error as { code?: string }).code ?? '')
    ? new ApiError('MODULE_UNAVAILABLE', {
        params: { module: COMMON.module },
        headers: { 'Retry-After': '60' },
        cause: error,
      })
    : error;
}
