/**
 * Orders of the demo business: some assignable, some on a route, one with a third-party carrier. Also the planning
 * rules of its contractors.
 */
import type { Cause } from '../../commands/core/handle.js';
import type { NewOrder } from '../../commands/orders/decider.js';
import { localDate } from '../../events/core/local-time.js';
import { contractorStream, type ContractorRule } from '../../events/contractors/events.js';
import { driverStream } from '../../events/drivers/events.js';
import { orderStream } from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { routeStream } from '../../events/routes/events.js';
import { createIds } from '../../engines/postgres/ids.js';
import type { Service } from '../service.js';
import type { DemoUsers } from './people.js';
import { streetOf } from './streets.js';

export interface DemoOrders {
  /** Ids of the orders that were ready for dispatch when they were seeded. */
  readonly assignable: readonly number[];
  readonly on_route: readonly number[];
  readonly third_party: readonly number[];
}

const PLACES = [
  { name: 'Ada Muster', ...streetOf('Invalidenstraße 44') },
  { name: 'Ben Beispiel', ...streetOf('Kantstraße 12') },
  { name: 'Cem Demo', ...streetOf('Jungfernstieg 7') },
  { name: 'Dora Probe', ...streetOf('Sendlinger Straße 3') },
].map((place) => ({ ...place, country: 'DE', phone: '+49 30 5550100' }));
const TYPES = ['D', 'D', 'P', 'D', 'P2P', 'D'] as const;
const COUNTS = { assignable: 12, on_route: 2, third_party: 1 } as const satisfies Record<keyof DemoOrders, number>;

const RULES: Readonly<Record<'broker' | 'broker_2', readonly ContractorRule[]>> = {
  broker: [{ order_types: ['D'], postal_prefixes: ['10', '12'] }],
  broker_2: [{ order_types: ['P', 'P2P'] }, { postal_prefixes: ['20'] }],
};

/** Seeds the missing orders. Later changes to a seeded order are kept. `cause` names the business. */
export async function seedOrders(
  { commands, engines: { pool } }: Pick<Service, 'commands' | 'engines'>,
  {
    businessId: business,
    users,
    carrier,
    timezone,
  }: { readonly businessId: number; readonly users: DemoUsers; readonly carrier: string; readonly timezone: string },
  cause: Cause,
): Promise<DemoOrders> {
  const ids = createIds(pool);
  const idOf = async (sequence: 'orders' | 'routes', name: string, lookupSql: string, value = name) =>
    (await pool.query<{ id: number }>(lookupSql, [business, value])).rows[0]?.id ??
    (await ids.reserve(sequence, 1, derivedId('seed', sequence, name), true))[0]!;
  const by = users.client_admin.id;
  const scheduleDate = localDate(Date.now(), timezone);

  async function seedOrder(kind: keyof DemoOrders, index: number): Promise<number> {
    const ref = `DEMO-${kind.toUpperCase().replace('_', '-')}-${String(index + 1).padStart(2, '0')}`;
    const orderId = await idOf(
      'orders',
      ref,
      'select id from orders.orders where business = $1 and order_ref = $2 order by id limit 1',
    );
    const order: NewOrder = {
      type: kind === 'assignable' ? TYPES[index % TYPES.length]! : 'D',
      order_ref: ref,
      self_delivery: true,
      schedule_date: scheduleDate,
      time_windows: [{ stop: 'delivery', from: '09:00', to: '17:00' }],
      pickup: PLACES[(index + 1) % PLACES.length]!,
      delivery: PLACES[index % PLACES.length]!,
      packages: [{ tracking_number: `${ref.replaceAll('-', '')}X${orderId}`, weight: 2.5 }],
      ...(index % 3 === 0 && { customer_id: users.customer.id }),
    };
    // Created once: a second run finds the order and does not change it.
    const { rowCount } = await pool.query('select from orders.orders where id = $1', [orderId]);
    if (rowCount === 0)
      await commands.orders(
        orderStream(orderId),
        { do: 'create', commandId: derivedId('seed', ref), orderId, business, by, order },
        cause,
      );
    return orderId;
  }

  /** Runs sequentially, so that order numbers are the same in every demo business. */
  async function seedAll(kind: keyof DemoOrders): Promise<number[]> {
    const orderIds: number[] = [];
    for (let index = 0; index < COUNTS[kind]; index++) orderIds.push(await seedOrder(kind, index));
    return orderIds;
  }

  const orders = {
    assignable: await seedAll('assignable'),
    on_route: await seedAll('on_route'),
    third_party: await seedAll('third_party'),
  };

  const routeId = await idOf(
    'routes',
    'Demo tour',
    // The name is encrypted, so the tour is found by its first order.
    'select route_id as id from orders.orders where business = $1 and order_ref = $2 and route_id is not null limit 1',
    'DEMO-ON-ROUTE-01',
  );
  const { rowCount: existingRoutes } = await pool.query('select from routes.routes where id = $1', [routeId]);
  if (existingRoutes === 0)
    await commands.routes(
      routeStream(routeId),
      {
        do: 'create',
        commandId: derivedId('seed', 'route'),
        routeId,
        business,
        by,
        name: 'Demo tour',
        schedule_date: scheduleDate,
        driverId: users.driver.id,
      },
      cause,
    );
  // Each run uses the same command ids, so a completed command has no effect when it is repeated.
  for (const orderId of orders.on_route)
    await commands.orders(
      orderStream(orderId),
      { do: 'put_on_route', commandId: derivedId('seed', 'route', orderId), orderId, business, by, routeId },
      cause,
    );
  for (const orderId of orders.third_party)
    await commands.orders(
      orderStream(orderId),
      {
        do: 'give_to_third_party',
        commandId: derivedId('seed', 'third party', orderId),
        orderId,
        business,
        by,
        provider: carrier,
      },
      cause,
    );
  for (const [broker, rules] of Object.entries(RULES)) {
    const userId = users[broker as keyof typeof RULES].id;
    await commands.contractors(
      contractorStream(userId),
      { commandId: derivedId('seed', 'rules'), userId, business, by, rules },
      cause,
    );
  }
  await commands.drivers(
    driverStream(users.driver.id),
    {
      do: 'setCapacity',
      commandId: derivedId('seed', 'capacity'),
      userId: users.driver.id,
      business,
      by,
      capacity: { max_orders: 60, max_weight: 900 },
    },
    cause,
  );
  return orders;
}
