/** The rows of the access table for jobs, route plans and planning settings. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { dayIn } from '../../worlds/days.js';
import { STOP } from '../../worlds/orders.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee', 'broker'];
const READERS: readonly CallerKind[] = [...OFFICE, 'auditor'];
const position = { latitude: 52.5, longitude: 13.4 };
const date = dayIn(1);
const BUILD = '/../v3/client/build-route';

let foreignPlan = 0;

/** Creates a start warehouse and an order that can be planned, and returns them with a driver of the user. */
async function plannable({ good, demo, fresh }: World, user: UserName): Promise<Input> {
  const admin = user === 'other_client_admin' ? user : 'client_admin';
  const address = { ...STOP, position };
  const site = { code: fresh(), name: 'Hub', address, timezone: 'UTC' };
  const warehouse_id = (await good('/wms/warehouses', admin, { body: site })).json.warehouse.id;
  await good('/planning-settings', admin, { method: 'PATCH', body: { default_start_warehouse_id: warehouse_id } });
  if (user === 'broker') {
    const fleet_id = (await good('/fleets', 'broker', { body: { name: 'Own' } })).json.fleet.id;
    const body = { driver_ids: [demo.users.driver.id] };
    await good(`/fleets/${fleet_id}/drivers`, 'client_admin', { method: 'PUT', body });
  }
  const order = { type: 'D', delivery: address, packages: [{ weight_kg: 1 }], schedule_date: date, warehouse_id };
  const { order_id } = (await good('/client/orderCreate', admin, { body: order })).json;
  if (user === 'broker') {
    const body = { order_ids: [order_id], broker_id: demo.users.broker.id };
    await good('/broker-order-assignments', 'client_admin', { body });
  }
  return {
    schedule_date: date,
    order_ids: [order_id],
    budget: { iterations: 50, threads: 1, seed: 1 },
    auto_commit: false,
  };
}

/**
 * Waits until no plan of the business is queued or running. A business may have only a few at once, and a busy machine
 * plans slowly.
 */
async function hasTurn({ good }: World, user: UserName): Promise<void> {
  const admin = user === 'other_client_admin' ? user : 'client_admin';
  for (const state of ['queued', 'running'])
    while ((await good(`/jobs?kind=route_plan&status=${state}`, admin)).json.total > 0) await sleep(100);
}

/** A finished plan. */
async function planOf(
  world: World,
  user: UserName,
): Promise<{ route_plan_id: number; job_id: string; order_id: number }> {
  const body = { ...(await plannable(world, user)), wait_s: 25 };
  await hasTurn(world, user);
  const { json } = await world.good(BUILD, user, { body });
  const [order_id] = (body as unknown as { order_ids: number[] }).order_ids;
  return { route_plan_id: json.route_plan.id, job_id: json.route_plan.job_id, order_id: order_id! };
}
/** One plan per world and user, for rows that only read it. */
const known = new WeakMap<World, Map<UserName, ReturnType<typeof planOf>>>();
function aPlanOf(world: World, user: UserName): ReturnType<typeof planOf> {
  const plans = known.get(world) ?? new Map<UserName, ReturnType<typeof planOf>>();
  known.set(world, plans);
  const plan = plans.get(user) ?? planOf(world, user);
  plans.set(user, plan);
  return plan;
}
const userFor = (role: CallerKind): UserName => (role === 'broker' ? 'broker' : 'client_admin');

const planRow = (
  roles: readonly CallerKind[],
  scopes: readonly string[],
  input: (plan: { route_plan_id: number; order_id: number }) => Input,
  make = aPlanOf,
): AccessRow => ({
  roles,
  scopes,
  own: async (world, role) => input(await make(world, userFor(role))),
  foreign: { input: async (world) => input(await make(world, 'other_client_admin')), status: 404 },
  varies: ['*'],
});
/** A route of the user with a driver and an order. */
async function filled(world: World, user: UserName): Promise<{ route_id: number; order_id: number }> {
  const { good, demo } = world;
  const { order_ids } = (await plannable(world, user)) as unknown as { order_ids: number[] };
  const driver_id = user === 'other_client_admin' ? undefined : demo.users.driver.id;
  const { id: route_id } = (await good('/routes', user, { body: { name: 'Filled', schedule_date: date, driver_id } }))
    .json.route;
  await good(`/routes/${route_id}/orders`, user, { body: { order_ids } });
  return { route_id, order_id: order_ids[0]! };
}
const filledRow = (input: (of: { route_id: number; order_id: number }) => Input): AccessRow => ({
  roles: OFFICE,
  scopes: ['routes:write'],
  own: async (world, role) => input(await filled(world, userFor(role))),
  foreign: { input: async (world) => input(await filled(world, 'other_client_admin')), status: 404 },
  varies: ['*'],
});

/** A row about a job of the caller. */
const jobRow = (roles: readonly CallerKind[], more: Input = {}): AccessRow => {
  const of =
    (user?: UserName): MakeInput =>
    async (world, role) => ({ job_id: (await aPlanOf(world, user ?? userFor(role))).job_id, ...more });
  return {
    roles,
    own: of(),
    foreign: { input: of('other_client_admin'), status: 404 },
    notFoundFor: ['driver', 'customer'],
    varies: ['*'],
  };
};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  jobs: {
    roles: [...READERS, 'driver', 'customer'],
    own: () => ({}),
    foreign: {
      input: async (world) => {
        foreignPlan = (await aPlanOf(world, 'other_client_admin')).route_plan_id;
        return { kind: 'route_plan', per_page: 200 };
      },
      excludes: () => `"plan-${foreignPlan}"`,
    },
    varies: ['*'],
  },
  job: jobRow(READERS),
  jobCancel: jobRow(OFFICE),
  jobArtifact: { ...jobRow(READERS, { name: 'problem.json' }), restOnly: true },
  planningSettings: {
    roles: READERS,
    scopes: ['routes:read'],
    own: () => ({}),
    shared: 'names nothing: the settings of the own business',
  },
  planningSettingsUpdate: {
    roles: ['client_admin'],
    scopes: ['routes:write'],
    own: () => ({ eta_window_minutes: 90 }),
    foreign: {
      input: async ({ good, fresh }) => {
        const body = { code: fresh(), name: 'Hub', address: { ...STOP, position }, timezone: 'UTC' };
        const { json } = await good('/wms/warehouses', 'other_client_admin', { body });
        return { default_start_warehouse_id: json.warehouse.id };
      },
      status: 404,
    },
    varies: ['*'],
  },
  routeSequenceSet: filledRow(({ route_id, order_id }) => ({ route_id, stops: [{ order_id }] })),
  routePinsUpdate: filledRow(({ route_id, order_id }) => ({ route_id, pins: [{ order_id, pin: 'driver' as const }] })),
  routePlanOptions: {
    roles: READERS,
    scopes: ['routes:read'],
    own: () => ({}),
    shared: 'names nothing: what the service can do',
    varies: ['*'],
  },
  routePlanCreate: {
    roles: OFFICE,
    scopes: ['routes:write'],
    async own(world, role) {
      await hasTurn(world, userFor(role));
      return plannable(world, userFor(role));
    },
    foreign: {
      input: async (world, role) => ({
        ...(await plannable(world, userFor(role))),
        driver_ids: [world.demo.users.other_broker.id],
      }),
      status: 422,
    },
    varies: ['*'],
  },
  routePlans: {
    roles: READERS,
    scopes: ['routes:read'],
    own: () => ({ schedule_date: date }),
    foreign: {
      input: async (world) => {
        await aPlanOf(world, 'other_client_admin');
        return { schedule_date: date, per_page: 200 };
      },
      excludes: ({ demo }) => `"requested_by":${demo.users.other_client_admin.id},`,
    },
    varies: ['*'],
  },
  routePlan: planRow(READERS, ['routes:read'], ({ route_plan_id }) => ({ route_plan_id })),
  routePlanCommit: planRow(OFFICE, ['routes:write'], ({ route_plan_id }) => ({ route_plan_id }), planOf),
  routePlanDiscard: planRow(OFFICE, ['routes:write'], ({ route_plan_id }) => ({ route_plan_id }), planOf),
  routePlanExplain: planRow(READERS, ['routes:read'], ({ route_plan_id }) => ({ route_plan_id })),
  routePlanReplay: planRow(['client_admin', 'auditor'], ['routes:read'], ({ route_plan_id }) => ({ route_plan_id })),
};
