/** The rows of the access table for shifts. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OWNERS: readonly CallerKind[] = ['client_admin', 'employee', 'broker', 'driver'];
const scopes = ['fleets:write'];
const DAY_MS = 86_400_000;

/** Number of shifts that were planned, by world: the worker threads of mocha share this module among test files. */
const planned = new WeakMap<World, number>();
/** Returns times on a different day for each call, so that shifts do not overlap. */
const times = (world: World) => {
  const day = (planned.get(world) ?? 0) + 1;
  planned.set(world, day);
  const begins = Date.UTC(2083, 0, 2) + day * DAY_MS;
  const at = (hour: number) => new Date(begins + hour * 3_600_000).toISOString();
  return { start_at: at(8), end_at: at(16) };
};

/**
 * Creates a fleet of a business with its driver. In the caller's business, a contractor and that driver are captains.
 */
async function fleetOf({ good, demo, orders }: World, side: 'own' | 'other') {
  const admin: UserName = side === 'own' ? 'client_admin' : 'other_client_admin';
  const driver = side === 'own' ? demo.users.driver.id : orders.otherDriver;
  const fleet_id = (await good('/fleets', admin, { body: { name: 'Vans' } })).json.fleet.id;
  await good(`/fleets/${fleet_id}/drivers`, admin, { method: 'PUT', body: { driver_ids: [driver] } });
  if (side === 'own')
    await good(`/fleets/${fleet_id}/captains`, admin, {
      method: 'PUT',
      body: { user_ids: [demo.users.broker.id, driver] },
    });
  return { admin, driver, fleet_id: fleet_id as number };
}

async function shiftOf(world: World, side: 'own' | 'other'): Promise<{ shift_id: number }> {
  const { admin, driver, fleet_id } = await fleetOf(world, side);
  const body = { shifts: [{ driver_id: driver, ...times(world) }] };
  return { shift_id: (await world.good(`/fleets/${fleet_id}/shifts/batch`, admin, { body })).json.results[0].shift.id };
}

const plan =
  (side: 'own' | 'other'): MakeInput =>
  async (world) => {
    const { driver, fleet_id } = await fleetOf(world, side);
    return { fleet_id, shifts: [{ driver_id: driver, ...times(world) }] };
  };
const calendar =
  (side: 'own' | 'other'): MakeInput =>
  async (world) => ({
    fleet_id: (await fleetOf(world, side)).fleet_id,
    schedule_date_from: '2083-01-01',
    schedule_date_to: '2083-03-31',
  });
const onShift = (roles: readonly CallerKind[], more: object): AccessRow => ({
  roles,
  scopes,
  own: async (world) => ({ ...(await shiftOf(world, 'own')), ...more }),
  foreign: { input: async (world) => ({ ...(await shiftOf(world, 'other')), ...more }), status: 404 },
  varies: ['*'],
});

export const ROWS: Readonly<Record<string, AccessRow>> = {
  fleetShifts: {
    roles: [...OWNERS, 'auditor'],
    scopes: ['fleets:read'],
    own: calendar('own'),
    foreign: { input: calendar('other'), status: 404 },
    varies: ['*'],
  },
  shiftsBatch: {
    roles: OWNERS,
    scopes,
    own: plan('own'),
    foreign: { input: plan('other'), status: 404 },
    varies: ['*'],
  },
  shift: { ...onShift([...OWNERS, 'auditor'], {}), scopes: ['fleets:read'] },
  shiftUpdate: onShift(OWNERS, { breaks: [] }),
  shiftCancel: onShift(OWNERS, {}),
  shiftConfirm: onShift(['driver'], {}),
};
