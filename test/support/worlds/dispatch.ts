/** Dispatch as users of the demo: contractors get orders and rules, and routes are created, filled and emptied. */
import { expect } from 'chai';
import { createOrderFactory } from './order-factory.js';
import { startTestService } from './service.js';
import { asUsers, type UserName } from './users.js';

export type DispatchFixture = Awaited<ReturnType<typeof openDispatchFixture>>;

/** Starts a separate service. */
export async function openDispatchFixture() {
  const service = await startTestService();
  const as = asUsers(service);
  const id = (name: UserName) => service.demo.users[name].id;
  let made = 0;
  return {
    service,
    orders: createOrderFactory(service),
    stop: () => service.stop(),
    as,
    id,
    assign: (order_ids: number[], broker: UserName = 'broker') =>
      as('client_admin', '/broker-order-assignments', { order_ids, broker_id: id(broker) }),
    setRules: (rules: unknown, broker: UserName = 'broker', by: UserName = 'client_admin') =>
      as(by, `/brokers/${id(broker)}/rules`, { rules }, 'PUT'),
    /** Creates a route and returns its id. */
    async route(by: UserName = 'client_admin', driver?: UserName): Promise<number> {
      const { status, json } = await as(by, '/routes', {
        name: `Tour ${++made}`,
        schedule_date: '2026-11-24',
        allow_past_date: true,
        ...(driver && { driver_id: id(driver) }),
      });
      expect(status).to.equal(201);
      return json.route.id;
    },
    add: (route: number, order_ids: unknown, by: UserName = 'client_admin') =>
      as(by, `/routes/${route}/orders`, { order_ids }),
    remove: (route: number, order_ids: unknown, by: UserName = 'client_admin') =>
      as(by, `/routes/${route}/orders/remove`, { order_ids }),
  };
}
