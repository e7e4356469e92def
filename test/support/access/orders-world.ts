/**
 * The orders, routes and proposals that the rows of the access table use. They belong to the caller, to another user of
 * the same business, or to another business.
 */
import type { CallerKind } from '../../../src/api/core/callers.js';
import type { Answer, CallOptions } from '../clients/http.js';
import { callTool, tokenOf } from '../clients/mcp.js';
import { eventually } from '../eventually.js';
import { createOrderFactory } from '../worlds/order-factory.js';
import { ORDER, STOP } from '../worlds/orders.js';
import type { TestService } from '../worlds/service.js';
import type { UserName } from '../worlds/users.js';

type Good = (path: string, user: UserName | undefined, options?: CallOptions) => Promise<Answer>;

/** Texts that occur only in objects of other users and businesses. */
export const SECRETS = {
  otherRef: 'OTHERS-REF-1',
  otherFreeRef: 'OTHERS-REF-2',
  otherStreet: 'Fremdweg',
  otherRoute: 'Others tour',
  otherDriver: 'Others driver',
  neighbourRef: 'NEIGHBOURS-REF',
  neighbourStreet: 'Nachbarsteig',
  neighbourRoute: 'Neighbours tour',
} as const;
/** A day on which only the other business has an order. */
export const OTHERS_DAY = '2031-01-01';

export interface OrderWorld {
  /**
   * Returns an order that the role may act on. For a customer it is the customer's own order, for a contractor an
   * assigned one, for a driver one on the driver's route. Otherwise it waits for dispatch.
   */
  readonly order: (role: CallerKind) => Promise<number>;
  readonly refOf: (order: number) => string;
  /** Tracking number of an order on a route of the demo's driver. */
  readonly carried: () => Promise<string>;
  readonly given: () => Promise<number>;
  /** Returns a route that the role may change. */
  readonly route: (role: CallerKind, orders?: readonly number[]) => Promise<number>;
  readonly proposal: (role?: UserName) => Promise<string>;
  /** Returns a proposal of a user who creates proposals through a connection that requires approvals. */
  readonly queued: (role: 'broker' | 'customer') => Promise<string>;
  /** A proposal of the demo business, by its office. */
  readonly neighbourProposal: string;
  readonly batch: string;
  readonly otherBatch: string;
  /** Assigned to a contractor of the other business. */
  readonly otherOrder: number;
  readonly otherRoute: number;
  readonly otherDriver: number;
  readonly otherProposal: string;
  /**
   * An order of the demo business that is assigned to its second contractor and is on a route of that contractor. Other
   * contractors, customers and drivers must not see it.
   */
  readonly neighbourOrder: number;
  readonly neighbourRoute: number;
  readonly neighbourDriver: number;
}

export async function openOrderWorld(test: TestService, good: Good, fresh: () => string): Promise<OrderWorld> {
  const { users } = test.demo;
  const orders = createOrderFactory(test);
  const other = await orders.businessOf('other');
  const stop = (street: string) => ({ delivery: { ...STOP, street: `${street} 7` } });
  const assign = (order: number, broker_id: number, by: UserName) =>
    good('/broker-order-assignments', by, { body: { order_ids: [order], broker_id } });
  const driverOf = async (by: UserName, name: string): Promise<number> =>
    (
      await good('/users', by, {
        body: { email: `${fresh()}@example.com`, password: 'long enough password', name, role: 'driver' },
      })
    ).json.user.id;
  const newRoute = async (by: UserName, name: string, members: object = {}): Promise<number> =>
    (await good('/routes', by, { body: { name, schedule_date: '2026-11-23', allow_past_date: true, ...members } })).json
      .route.id;
  const batchOf = async (by: UserName): Promise<string> => {
    const { async_id } = (await good('/client/batchOrderCreateAsync', by, { body: { orders: [ORDER] } })).json;
    while ((await good(`/client/async/${async_id}`, by)).json.status !== 'done')
      await new Promise((resolve) => setTimeout(resolve, 50));
    return async_id as string;
  };
  const propose = async (by: UserName, order_id: number): Promise<string> =>
    (await good('/proposals', by, { body: { tool: 'hold_order', arguments: { order_id } } })).json.proposal.id;

  const queue = async (by: UserName, mutation: string): Promise<string> => {
    const headers = { 'x-mcp-require-approval': '1' };
    const query = `mutation { ${mutation} { result } }`;
    const toolResult = await callTool(
      test,
      'run_graphql_query',
      { query },
      { path: '/mcp/developer', token: await tokenOf(test, by), headers },
    );
    return /proposal ([\da-f-]{36})/.exec(JSON.stringify(toolResult.structuredContent))![1]!;
  };

  const [otherOrder] = (await orders.create(
    1,
    { order_ref: SECRETS.otherRef, schedule_date: OTHERS_DAY, ...stop(SECRETS.otherStreet) },
    other,
  )) as [number];
  await orders.create(1, { order_ref: SECRETS.otherFreeRef, schedule_date: OTHERS_DAY }, other);
  await assign(otherOrder, users.other_broker.id, 'other_client_admin');
  const neighbourOrder = await orders.createOne({ order_ref: SECRETS.neighbourRef, ...stop(SECRETS.neighbourStreet) });
  await assign(neighbourOrder, users.broker_2.id, 'client_admin');
  const neighbourDriver = await driverOf('client_admin', 'Neighbour');
  const otherDriver = await driverOf('other_client_admin', SECRETS.otherDriver);
  // Contractors assign routes to drivers of their own fleets.
  const fleet_id = (await good('/fleets', 'broker_2', { body: { name: fresh() } })).json.fleet.id;
  await good(`/fleets/${fleet_id}/drivers`, 'client_admin', { method: 'PUT', body: { driver_ids: [neighbourDriver] } });

  const order = async (role: CallerKind): Promise<number> => {
    const made = await orders.createOne(role === 'customer' ? { customer_id: users.customer.id } : {});
    if (role === 'broker') await assign(made, users.broker.id, 'client_admin');
    if (role === 'driver') await route('driver', [made]);
    return made;
  };
  const route = async (role: CallerKind, on: readonly number[] = []): Promise<number> => {
    const by: UserName = role === 'broker' ? 'broker' : 'client_admin';
    const made = await newRoute(by, fresh(), role === 'driver' ? { driver_id: users.driver.id } : {});
    if (on.length > 0) await good(`/routes/${made}/orders`, by, { body: { order_ids: on } });
    return made;
  };

  return {
    order,
    route,
    otherOrder,
    neighbourOrder,
    neighbourDriver,
    otherDriver,
    refOf: (id) => `REF-${id}`,
    async carried() {
      const made = await orders.createOne();
      await route('driver', [made]);
      const key = await tokenOf(test, 'client_admin');
      const isKnown = async () => (await test.api(`/wms/mobile/lookup?code=MADE${made}`, { key })).status === 200;
      await eventually(isKnown, `a scanner knows the parcel of order ${made}`);
      return `MADE${made}`;
    },
    async given() {
      const made = await orders.createOne();
      await good(`/orders/${made}/third-party`, 'client_admin', { body: { provider: test.demo.provider.id } });
      return made;
    },
    proposal: async (by = 'client_admin') => propose(by, await orders.createOne()),
    queued: async (role) =>
      role === 'customer'
        ? queue('customer', `orderCancel(orderId: ${await order('customer')}, reason: "Asked by phone")`)
        : queue(
            'broker',
            `fleetDelete(fleetId: ${(await good('/fleets', 'broker', { body: { name: fresh() } })).json.fleet.id})`,
          ),
    neighbourProposal: await propose('client_admin', neighbourOrder),
    batch: await batchOf('client_admin'),
    otherBatch: await batchOf('other_client_admin'),
    otherProposal: await propose('other_client_admin', otherOrder),
    otherRoute: await newRoute('other_client_admin', SECRETS.otherRoute, { driver_id: otherDriver }),
    neighbourRoute: await newRoute('broker_2', SECRETS.neighbourRoute, { driver_id: neighbourDriver }),
  };
}
