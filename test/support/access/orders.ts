/** The rows of the access table for orders, contractors, routes, drivers and approvals: see table.ts. */
import { USER_ROLES } from '../../../src/events/accounts/events.js';
import type { CallerKind } from '../../../src/api/core/callers.js';
import { warehouseOf } from './areas/warehouses.js';
import { OTHERS_DAY, SECRETS } from './orders-world.js';
import type { AccessRow, Foreign, Input, MakeInput } from './table.js';
import type { World } from './world.js';
import { ORDER, STOP } from '../worlds/orders.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const OFFICE_READS: readonly CallerKind[] = [...OFFICE, 'auditor'];
const PLANNERS: readonly CallerKind[] = [...OFFICE, 'broker'];
const ALL_CALLERS: readonly CallerKind[] = ['anonymous', 'provider', ...USER_ROLES];
/** Roles that see only their own part of a business. */
const NARROW: readonly CallerKind[] = ['broker', 'customer', 'driver'];
const CLIENT: readonly CallerKind[] = ['client_admin'];
const NO_INPUT = (): Input => ({});
const INSTRUCTION = { delivery_instruction: 'ring twice' };
const NO_ORDER = 'There is no such order.';
const GUIDANCE = 'documents, the same for everybody';

const own =
  (more: Input = {}): MakeInput =>
  async ({ orders }, role) => ({ order_id: await orders.order(role), ...more });
const others =
  (more: Input = {}): MakeInput =>
  ({ orders }) => ({ order_id: orders.otherOrder, ...more });
/** An order of the same business that the roles in `as` must not see. */
const neighbours = (as: readonly CallerKind[], more: Input = {}): Foreign => ({
  input: ({ orders }) => ({ order_id: orders.neighbourOrder, ...more }),
  as,
  status: 404,
});
/**
 * A row about one order. Orders of other businesses, and orders of the same business that the role must not see, look
 * like unknown orders.
 */
const ofOrder = (roles: readonly CallerKind[], scope: string, more: Input = {}): AccessRow => {
  const narrow = roles.filter((role) => NARROW.includes(role));
  return {
    roles,
    scopes: [scope],
    own: own(more),
    foreign: [{ input: others(more), status: 404 }, ...(narrow.length > 0 ? [neighbours(narrow, more)] : [])],
    varies: ['*'],
  };
};
const hides = (input: MakeInput, text: string, as?: readonly CallerKind[]): Foreign => ({
  input,
  excludes: () => text,
  ...(as && { as }),
});

const ordersRows: Readonly<Record<string, AccessRow>> = {
  orderCreate: {
    roles: [...OFFICE, 'customer'],
    scopes: ['orders:write'],
    own: () => ORDER,
    varies: ['*'],
    foreign: {
      input: ({ demo }) => ({ ...ORDER, customer_id: demo.users.other_client_admin.id }),
      as: OFFICE,
      status: 400,
    },
  },
  ordersBatch: {
    roles: OFFICE,
    scopes: ['orders:write'],
    own: () => ({ orders: [ORDER] }),
    varies: ['*'],
    foreign: {
      input: ({ demo }) => ({ orders: [{ ...ORDER, customer_id: demo.users.other_client_admin.id }] }),
      contains: 'UNKNOWN_CUSTOMER',
    },
  },
  ordersBatchAsync: {
    roles: OFFICE,
    scopes: ['orders:write'],
    own: () => ({ orders: [ORDER] }),
    varies: ['*'],
    shared: 'its orders are checked as those of ordersBatch, by the same code, later',
  },
  clientAsync: {
    roles: OFFICE_READS,
    scopes: ['orders:read'],
    own: ({ orders }) => ({ async_id: orders.batch }),
    foreign: { input: ({ orders }) => ({ async_id: orders.otherBatch }), status: 404 },
  },
  ordersSearch: {
    roles: [...OFFICE_READS, ...NARROW],
    scopes: ['orders:read'],
    own: async ({ orders }, role) => ({ query: `MADE${await orders.order(role)}`, limit: 1 }),
    varies: ['*'],
    foreign: [
      hides(({ orders }) => ({ query: `MADE${orders.otherOrder}` }), SECRETS.otherRef),
      hides(({ orders }) => ({ query: `MADE${orders.neighbourOrder}` }), SECRETS.neighbourRef, NARROW),
    ],
  },
  ordersExceptions: {
    roles: OFFICE_READS,
    scopes: ['orders:read'],
    own: NO_INPUT,
    foreign: { input: () => ({ schedule_date: OTHERS_DAY }), contains: '"total":0' },
  },
  orders: {
    roles: [...OFFICE_READS, ...NARROW],
    scopes: ['orders:read'],
    own: () => ({ per_page: 5 }),
    foreign: [
      hides(() => ({ per_page: 200 }), SECRETS.otherRef),
      hides(() => ({ per_page: 200 }), SECRETS.neighbourRef, NARROW),
    ],
  },
  order: ofOrder([...OFFICE_READS, ...NARROW], 'orders:read'),
  orderCancel: ofOrder([...OFFICE, 'customer'], 'orders:write', { reason: 'not needed' }),
  orderHold: ofOrder(OFFICE, 'orders:write'),
  orderRelease: {
    ...ofOrder(OFFICE, 'orders:write'),
    async own(world, role) {
      const input = await own()(world, role);
      await world.good(`/orders/${String(input['order_id'])}/hold`, 'client_admin', { method: 'POST', body: {} });
      return input;
    },
  },
  orderUpdate: {
    ...ofOrder([...OFFICE, 'customer'], 'orders:write', INSTRUCTION),
    foreign: [
      { input: others(INSTRUCTION), status: 404 },
      neighbours(['customer'], INSTRUCTION),
      {
        input: async (world, role) => ({
          order_id: await world.orders.order(role),
          ...(await warehouseOf(world, 'other_client_admin')),
        }),
        as: OFFICE,
        status: 404,
      },
    ],
  },
  ordersTimeWindows: {
    roles: OFFICE,
    scopes: ['orders:write'],
    varies: ['*'],
    own: async ({ orders }, role) => ({
      order_refs: [orders.refOf(await orders.order(role))],
      time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }],
    }),
    foreign: {
      input: () => ({
        order_refs: [SECRETS.otherRef],
        time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }],
      }),
      contains: NO_ORDER,
    },
  },
  orderPositionSet: ofOrder([...OFFICE, 'driver'], 'orders:write', { position: { latitude: 52.5, longitude: 13.4 } }),
  orderReroute: ofOrder([...OFFICE, 'customer'], 'orders:write', { delivery: STOP }),
  trackingPublic: {
    roles: ALL_CALLERS,
    own: ({ orders }) => ({ tracking_number: `MADE${orders.neighbourOrder}` }),
    shared: 'public: what a tracking number shows anybody',
  },
  trackingOperationevents: ofOrder(OFFICE_READS, 'orders:read'),
  orderSnapshot: ofOrder(OFFICE_READS, 'orders:read'),
  orderLabel: ofOrder([...OFFICE, 'customer'], 'orders:read'),
  analyticsDigest: {
    roles: OFFICE_READS,
    scopes: ['analytics:read'],
    own: NO_INPUT,
    varies: ['count', 'total', 'by_status', 'by_type', 'pending_pickup_count', 'delivered_count', 'exception_count'],
    foreign: { input: () => ({ schedule_date: OTHERS_DAY }), contains: '"total":0' },
  },
  analyticsSummary: {
    roles: OFFICE_READS,
    scopes: ['analytics:read'],
    own: NO_INPUT,
    varies: ['count', 'total', 'by_status', 'by_type', 'pending_pickup_count', 'delivered_count', 'exception_count'],
    shared: "it names nothing: the numbers of the caller's business, counted as analyticsDigest counts them",
  },
  addressesSearch: {
    roles: [...OFFICE, 'customer'],
    scopes: ['address:read'],
    own: () => ({ query: STOP.street }),
    foreign: [
      hides(() => ({ query: SECRETS.otherStreet }), SECRETS.otherStreet),
      hides(() => ({ query: SECRETS.neighbourStreet }), SECRETS.neighbourStreet, ['customer']),
    ],
  },
};

const MODULE = { module: 'contractor_assignment' } as const;
const assignmentRows: Readonly<Record<string, AccessRow>> = {
  brokerOrderAssignments: {
    ...MODULE,
    roles: PLANNERS,
    scopes: ['orders:read'],
    own: () => ({ per_page: 3 }),
    foreign: [
      { input: others(), contains: '"total":0' },
      { input: ({ orders }) => ({ order_id: orders.neighbourOrder }), as: ['broker'], contains: '"total":0' },
    ],
  },
  assignOrdersToBroker: {
    ...MODULE,
    roles: CLIENT,
    scopes: ['orders:write'],
    own: async ({ orders, demo }, role) => ({ order_ids: [await orders.order(role)], broker_id: demo.users.broker.id }),
    foreign: [
      {
        input: ({ orders, demo }) => ({ order_ids: [orders.otherOrder], broker_id: demo.users.broker.id }),
        contains: NO_ORDER,
      },
      {
        input: async ({ orders, demo }, role) => ({
          order_ids: [await orders.order(role)],
          broker_id: demo.users.other_broker.id,
        }),
        status: 422,
      },
    ],
  },
  revokeBrokerOrderAssignments: {
    ...MODULE,
    roles: CLIENT,
    scopes: ['orders:write'],
    own: async ({ orders }) => ({ order_ids: [await orders.order('broker')] }),
    foreign: { input: ({ orders }) => ({ order_ids: [orders.otherOrder] }), contains: NO_ORDER },
  },
  releaseBrokerOrderAssignment: {
    // 400 by the specification: a contractor must not learn whether an order of another contractor exists.
    ...MODULE,
    roles: ['broker'],
    scopes: ['orders:write'],
    own: own(),
    varies: ['*'],
    foreign: [
      { input: others(), status: 400 },
      { ...neighbours(['broker']), status: 400 },
    ],
  },
  planningPool: {
    roles: PLANNERS,
    scopes: ['orders:read'],
    own: () => ({ per_page: 3 }),
    foreign: [
      hides(() => ({ per_page: 200 }), SECRETS.otherFreeRef),
      hides(() => ({ per_page: 200 }), SECRETS.neighbourRef),
    ],
  },
  brokerRules: {
    roles: PLANNERS,
    scopes: ['routes:read'],
    own: ({ demo }) => ({ broker_id: demo.users.broker.id }),
    foreign: [
      { input: ({ demo }) => ({ broker_id: demo.users.other_broker.id }), status: 404 },
      { input: ({ demo }) => ({ broker_id: demo.users.broker_2.id }), as: ['broker'], status: 404 },
    ],
  },
  brokerRulesSet: {
    roles: CLIENT,
    scopes: ['routes:write'],
    own: ({ demo }) => ({ broker_id: demo.users.broker_2.id, rules: [{ order_types: ['P'] }] }),
    foreign: { input: ({ demo }) => ({ broker_id: demo.users.other_broker.id, rules: [] }), status: 404 },
  },
  orderThirdPartyGive: ofOrder(OFFICE, 'orders:write', { provider: 'demo-carrier' }),
  orderThirdPartyTake: {
    ...ofOrder(OFFICE, 'orders:write', { provider: 'demo-carrier' }),
    own: async ({ orders }) => ({ order_id: await orders.given(), provider: 'demo-carrier' }),
  },
};

/** Routes of another business, and of another contractor of the same business. */
const othersRoute = (
  make: (route_id: number, world: World) => Input = (route_id) => ({ route_id }),
  narrow: readonly CallerKind[] = ['broker'],
): readonly Foreign[] => [
  { input: (world) => make(world.orders.otherRoute, world), status: 404 },
  { input: (world) => make(world.orders.neighbourRoute, world), as: narrow, status: 404 },
];
const ROUTE_READERS: readonly CallerKind[] = [...PLANNERS, 'driver', 'auditor'];
/**
 * Puts the demo's driver into a fleet of the demo's contractor, because a contractor assigns routes only to drivers of
 * its fleets.
 */
async function employed({ good, demo }: World): Promise<void> {
  const fleet_id = (await good('/fleets', 'broker', { body: { name: 'Employed' } })).json.fleet.id;
  const body = { driver_ids: [demo.users.driver.id] };
  await good(`/fleets/${fleet_id}/drivers`, 'client_admin', { method: 'PUT', body });
}
const othersDriver = ({ orders }: World) => ({ driver_id: orders.otherDriver });
const scan = (tracking_number: string): Input => ({
  tracking_number,
  status_code: 'in_transit',
  occurred_at: '2026-11-20T10:00:00Z',
});
const routeRows: Readonly<Record<string, AccessRow>> = {
  routes: {
    roles: ROUTE_READERS,
    scopes: ['routes:read'],
    own: () => ({ per_page: 3 }),
    foreign: [
      hides(() => ({ per_page: 200 }), SECRETS.otherRoute),
      hides(() => ({ per_page: 200 }), SECRETS.neighbourRoute, ['broker', 'driver']),
    ],
  },
  route: {
    roles: ROUTE_READERS,
    scopes: ['routes:read'],
    own: async ({ orders }, role) => ({ route_id: await orders.route(role) }),
    varies: ['*'],
    foreign: othersRoute(undefined, ['broker', 'driver']),
  },
  routeCreate: {
    roles: PLANNERS,
    scopes: ['routes:write'],
    own: ({ fresh }) => ({ name: fresh(), schedule_date: '2046-11-23' }),
    varies: ['*'],
    foreign: { input: (world) => ({ name: 'New', schedule_date: '2046-11-23', ...othersDriver(world) }), status: 422 },
  },
  routeAddOrders: {
    roles: PLANNERS,
    scopes: ['routes:write'],
    own: async ({ orders }, role) => ({
      route_id: await orders.route(role),
      order_ids: [await orders.order(role === 'broker' ? role : 'client_admin')],
    }),
    varies: ['*'],
    foreign: [
      ...othersRoute((route_id, { orders }) => ({ route_id, order_ids: [orders.otherOrder] })),
      {
        input: async ({ orders }, role) => ({ route_id: await orders.route(role), order_ids: [orders.otherOrder] }),
        contains: NO_ORDER,
      },
      {
        input: async ({ orders }, role) => ({ route_id: await orders.route(role), order_ids: [orders.neighbourOrder] }),
        as: ['broker'],
        contains: '"added":0',
      },
    ],
  },
  routeRemoveOrders: {
    roles: PLANNERS,
    scopes: ['routes:write'],
    varies: ['*'],
    async own({ orders }, role) {
      const order = await orders.order(role === 'broker' ? role : 'client_admin');
      return { route_id: await orders.route(role, [order]), order_ids: [order] };
    },
    foreign: [
      ...othersRoute((route_id, { orders }) => ({ route_id, order_ids: [orders.otherOrder] })),
      {
        input: async ({ orders }, role) => ({ route_id: await orders.route(role), order_ids: [orders.otherOrder] }),
        contains: NO_ORDER,
      },
    ],
  },
  routeDriverSet: {
    roles: PLANNERS,
    scopes: ['routes:write'],
    own: async (world, role) => {
      if (role === 'broker') await employed(world);
      return { route_id: await world.orders.route(role), driver_id: world.demo.users.driver.id };
    },
    varies: ['*'],
    foreign: [
      ...othersRoute((route_id, { demo }) => ({ route_id, driver_id: demo.users.driver.id })),
      {
        input: async (world, role) => ({ route_id: await world.orders.route(role), ...othersDriver(world) }),
        status: 422,
      },
    ],
  },
  routeLabels: {
    roles: ['client_admin', 'employee'],
    scopes: ['routes:read', 'orders:read'],
    own: async ({ orders }, role) => ({ route_id: await orders.route(role, [await orders.order('client_admin')]) }),
    varies: ['*'],
    // The second route is for contractors, who may not print.
    foreign: othersRoute().slice(0, 1),
  },
  routeClose: {
    roles: PLANNERS,
    scopes: ['routes:write'],
    own: async ({ orders }, role) => ({ route_id: await orders.route(role) }),
    varies: ['*'],
    foreign: othersRoute(),
  },
  drivers: {
    roles: OFFICE,
    scopes: ['drivers:read'],
    own: () => ({ per_page: 3 }),
    foreign: hides(() => ({ per_page: 200 }), SECRETS.otherDriver),
  },
  driver: {
    roles: [...OFFICE, 'driver'],
    scopes: ['drivers:read'],
    own: ({ demo }) => ({ driver_id: demo.users.driver.id }),
    foreign: [
      { input: othersDriver, status: 404 },
      { input: ({ orders }) => ({ driver_id: orders.neighbourDriver }), as: ['driver'], status: 404 },
    ],
  },
  driverCapacitySet: {
    roles: OFFICE,
    scopes: ['routes:write', 'drivers:read'],
    own: ({ demo }) => ({ driver_id: demo.users.driver.id, max_orders: 60 }),
    foreign: { input: (world) => ({ ...othersDriver(world), max_orders: 60 }), status: 404 },
  },
  driverRoutes: {
    roles: [...OFFICE, 'driver'],
    scopes: ['routes:read', 'drivers:read'],
    own: ({ demo }) => ({ driver_id: demo.users.driver.id }),
    foreign: [
      { input: othersDriver, status: 404 },
      { input: ({ orders }) => ({ driver_id: orders.neighbourDriver }), as: ['driver'], status: 404 },
    ],
  },
  driverScan: {
    roles: [...OFFICE, 'driver'],
    scopes: ['orders:write'],
    own: async ({ orders }) => scan(await orders.carried()),
    varies: ['*'],
    foreign: [
      { input: ({ orders }) => scan(`MADE${orders.otherOrder}`), status: 404 },
      { input: ({ orders }) => scan(`MADE${orders.neighbourOrder}`), as: ['driver'], status: 404 },
    ],
  },
};

const decides = {
  roles: CLIENT,
  scopes: ['approvals:write'],
  own: async ({ orders }: World) => ({ proposal_id: await orders.proposal('employee') }),
  varies: ['*'],
};
/** Roles that may only create proposals through a connection that requires approvals. */
const PROPOSE_OWN: readonly CallerKind[] = ['broker', 'customer'];
const othersProposal: Foreign = { input: ({ orders }) => ({ proposal_id: orders.otherProposal }), status: 404 };
const approvalRows: Readonly<Record<string, AccessRow>> = {
  proposalCreate: {
    roles: OFFICE_READS,
    scopes: ['approvals:read'],
    own: async ({ orders }) => ({ tool: 'hold_order', arguments: { order_id: await orders.order('client_admin') } }),
    varies: ['*'],
    foreign: {
      input: ({ orders }) => ({ tool: 'hold_order', arguments: { order_id: orders.otherOrder } }),
      status: 404,
    },
  },
  proposals: {
    roles: [...OFFICE_READS, ...PROPOSE_OWN],
    scopes: ['approvals:read'],
    own: () => ({ per_page: 3 }),
    varies: ['*'],
    foreign: [
      { input: () => ({ per_page: 200, status: 'all' }), excludes: ({ orders }) => orders.otherProposal },
      {
        as: PROPOSE_OWN,
        input: () => ({ per_page: 200, status: 'all' }),
        excludes: ({ orders }) => orders.neighbourProposal,
      },
    ],
  },
  proposal: {
    roles: [...OFFICE_READS, ...PROPOSE_OWN],
    scopes: ['approvals:read'],
    own: async ({ orders }, role) => ({
      proposal_id: await (role === 'broker' || role === 'customer' ? orders.queued(role) : orders.proposal()),
    }),
    varies: ['*'],
    foreign: [
      othersProposal,
      { as: PROPOSE_OWN, input: ({ orders }) => ({ proposal_id: orders.neighbourProposal }), status: 404 },
    ],
  },
  proposalApprove: { ...decides, foreign: othersProposal },
  proposalReject: { ...decides, foreign: othersProposal },
};

const agentRows: Readonly<Record<string, AccessRow>> = {
  aiSkillVersion: { roles: ALL_CALLERS, own: NO_INPUT, shared: GUIDANCE },
  apiEndpoints: { roles: ALL_CALLERS, own: () => ({ query: 'order' }), shared: GUIDANCE },
  graphqlOperations: { roles: ALL_CALLERS, own: () => ({ query: 'order' }), shared: GUIDANCE },
  integrationGuide: { roles: ALL_CALLERS, own: () => ({ guide: 'otep' }), shared: GUIDANCE },
  webhookSignatureVerify: {
    roles: ALL_CALLERS,
    own: () => ({
      payload: '{}',
      webhook_id: 'a',
      webhook_timestamp: '1700000000',
      signature: 'v1,AAAA',
      secret: 'a-secret-of-nobody-1',
    }),
    shared: 'nothing is stored',
  },
};

export const ORDER_ROWS: Readonly<Record<string, AccessRow>> = {
  ...ordersRows,
  ...assignmentRows,
  ...routeRows,
  ...approvalRows,
  ...agentRows,
};
