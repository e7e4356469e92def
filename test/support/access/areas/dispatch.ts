/** The rows of the access table for dispatch: items about routes without a driver, and a failed stop for a captain. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { localDate } from '../../../../src/events/core/local-time.js';
import { createOrderFactory } from '../../worlds/order-factory.js';
import type { UserName } from '../../worlds/users.js';
import { OTHERS_DAY, SECRETS } from '../orders-world.js';
import type { AccessRow, Foreign, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const DECIDERS: readonly CallerKind[] = ['client_admin', 'employee', 'broker'];
const VIEWERS: readonly CallerKind[] = [...DECIDERS, 'driver', 'auditor'];
const FOREIGN_TOUR = 'Foreign tour 9';

async function undriven({ good }: World, user: UserName, timezone = 'Europe/Berlin'): Promise<string> {
  const schedule_date = localDate(Date.now(), timezone);
  const { json } = await good('/routes', user, { body: { name: FOREIGN_TOUR, schedule_date } });
  return `no_driver:${json.route.id}`;
}

async function failedOfFleet({ good, demo, test, orders }: World): Promise<string> {
  const { id } = demo.users.driver;
  const fleet_id = (await good('/fleets', 'client_admin', { body: { name: 'Captained' } })).json.fleet.id;
  await good(`/fleets/${fleet_id}/captains`, 'client_admin', { method: 'PUT', body: { user_ids: [id] } });
  await good(`/fleets/${fleet_id}/drivers`, 'client_admin', { method: 'PUT', body: { driver_ids: [id] } });
  const order = await orders.order('driver');
  const at = new Date();
  await createOrderFactory(test).sendCommand(order, {
    do: 'scan',
    tracking_number: `MADE${order}`,
    status_code: 'delivery_failed',
    occurred_at: at.toISOString(),
    instant: at.toISOString().replace('Z', '000000Z'),
  });
  return `failed_stop:${order}`;
}

const itemOf = (world: World, role: CallerKind): Promise<string> =>
  role === 'driver' ? failedOfFleet(world) : undriven(world, role === 'broker' ? 'broker' : 'client_admin');

const others: MakeInput = async (world) => ({
  item_id: await undriven(world, 'other_client_admin', 'America/Toronto'),
});
const neighbours: MakeInput = async (world) => ({ item_id: await undriven(world, 'broker_2') });

const onItem = (roles: readonly CallerKind[], scopes: readonly string[], more: Input = {}): AccessRow => {
  const with_ =
    (make: MakeInput): MakeInput =>
    async (world, role) => ({ ...(await make(world, role)), ...more });
  const foreign: Foreign[] = [
    { input: with_(others), status: 404 },
    { input: with_(neighbours), as: roles.filter((role) => role === 'broker' || role === 'driver'), status: 404 },
  ];
  return {
    roles,
    scopes,
    own: async (world, role) => ({ item_id: await itemOf(world, role), ...more }),
    foreign,
    varies: ['*'],
  };
};

const SETTINGS = { held_days: 1, idle_minutes: 120, silent_hours: 24, silent_minutes: 30 };

export const ROWS: Readonly<Record<string, AccessRow>> = {
  dispatchBoard: {
    roles: VIEWERS,
    scopes: ['routes:read', 'orders:read'],
    own: () => ({ per_page: 1 }),
    varies: ['*'],
    foreign: { input: () => ({ schedule_date: OTHERS_DAY, per_page: 200 }), excludes: () => SECRETS.otherFreeRef },
  },
  dispatchItem: onItem(VIEWERS, ['routes:read', 'orders:read']),
  dispatchDecide: {
    ...onItem(DECIDERS, ['routes:write'], { version: '00000000', decision: 'acknowledge' }),
    own: async (world, role) => {
      const item = await itemOf(world, role);
      const { json } = await world.good(`/dispatch/items/${item}`, role as UserName);
      return { item_id: item, version: json.item.version, decision: 'acknowledge' };
    },
  },
  dispatchTake: onItem(DECIDERS, ['routes:write']),
  dispatchReturn: onItem(DECIDERS, ['routes:write']),
  dispatchReopen: onItem(DECIDERS, ['routes:write']),
  dispatchDecisions: {
    roles: [...DECIDERS, 'auditor'],
    scopes: ['orders:read'],
    own: () => ({ limit: 1 }),
    varies: ['*'],
    foreign: {
      input: async (world) => {
        const { item_id: item } = await others(world, 'client_admin');
        const { json } = await world.good(`/dispatch/items/${String(item)}`, 'other_client_admin');
        const body = { version: json.item.version, decision: 'acknowledge', note: FOREIGN_TOUR };
        await world.good(`/dispatch/items/${String(item)}/decisions`, 'other_client_admin', { body });
        return { schedule_date_from: '2026-01-01', schedule_date_to: '2036-01-01', limit: 200 };
      },
      excludes: () => FOREIGN_TOUR,
    },
  },
  dispatchSettings: {
    roles: ['client_admin', 'employee', 'auditor'],
    scopes: ['routes:read'],
    own: () => ({}),
    foreign: {
      input: async ({ good }) => {
        const body = { ...SETTINGS, silent_hours: 700 };
        await good('/dispatch-settings', 'other_client_admin', { method: 'PATCH', body });
        return {};
      },
      excludes: () => '700',
    },
  },
  dispatchSettingsUpdate: {
    roles: ['client_admin'],
    scopes: ['routes:write'],
    own: () => SETTINGS,
    shared: 'names nothing: it is about the own business alone',
    varies: ['version'],
  },
};
