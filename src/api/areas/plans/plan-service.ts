/** Shared parts of the operations on plans: access and representation. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { PlanQueries } from '../../../projections/plans/queries.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { chooseLanguage } from '../../core/messages/index.js';
import type { Context } from '../../core/operation.js';
import type { Planner } from './planning-data.js';
import type { PlanResponse } from './shapes.js';
import { toPlan } from './plan-response.js';

/** References and tracking numbers of orders, by order id. */
export const namesOf = async (orders: Pick<OrderQueries, 'named'>, ids: readonly number[], business: number) =>
  new Map(
    (await orders.named(ids, business)).map(({ id, order_ref, packages }) => [
      id,
      { order_ref, tracking_numbers: packages.map(({ tracking_number }) => tracking_number) },
    ]),
  );

const OFFICE = ['client_admin', 'employee', 'broker'] as const;
/** Read models from which the problem of a plan is built. */
export const INPUT_READ_MODELS = [
  'orders',
  'routes',
  'board',
  'planning',
  'accounts',
  'fleets',
  'shifts',
  'skills',
  'warehouses',
  'workers',
  'driver_profiles',
] as const;
export const READ = {
  area: 'Client',
  callers: [...OFFICE, 'auditor'],
  scopes: ['routes:read'],
  reads: ['plans', 'planning', 'accounts', 'orders'],
} as const;
export const WRITE = {
  area: 'Client',
  callers: OFFICE,
  scopes: ['routes:write'],
  writes: true,
  awaits: ['plans'],
} as const;
export const NOT_FOUND = { 404: 'There is no such plan, or the caller cannot see it.' };
export const planIdInput = { route_plan_id: idSchema };

export const plannerOf = (caller: Caller): Planner => {
  const { role, userId, timezone } = userOf(caller);
  return { business: businessOf(caller), timezone, ...(role === 'broker' && { brokerId: userId }) };
};

export type PlanService = ReturnType<typeof createPlanService>;

export function createPlanService({
  plans,
  accounts,
  orders,
}: {
  readonly plans: PlanQueries;
  readonly accounts: AccountQueries;
  readonly orders: Pick<OrderQueries, 'named'>;
}) {
  return {
    plans,

    /** Throws PLAN_NOT_FOUND, also for plans of others. */
    async planOf(id: number, caller: Caller): Promise<PlanRow> {
      const plan = await plans.byId(id, plannerOf(caller));
      if (!plan) throw new ApiError('PLAN_NOT_FOUND');
      return plan;
    },

    async toResponse(plan: PlanRow, { caller, header }: Pick<Context, 'caller' | 'header'>): Promise<PlanResponse> {
      const ids = [...new Set(plan.solved?.routes.map(({ driver_id }) => driver_id))];
      const orderIds = [
        ...(plan.problem?.orders ?? []).map(({ order_id }) => order_id),
        // Contractors must not see references of orders that they may not know.
        ...(plan.problem?.excluded ?? [])
          .filter(({ reasons }) => reasons[0]?.code !== 'ORDER_NOT_FOUND')
          .map(({ order_id }) => order_id),
        ...(plan.solved?.routes ?? []).flatMap(({ done = [] }) => done.flatMap(({ order_id }) => order_id ?? [])),
      ];
      const names = {
        drivers: new Map((await accounts.byIds(ids)).map(({ id, name }) => [id, name])),
        orders: await namesOf(orders, orderIds, businessOf(caller)),
      };
      return toPlan(plan, names, chooseLanguage(header('accept-language')));
    },
  };
}
