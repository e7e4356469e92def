/** The rows of the access table for fleets. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OWNERS: readonly CallerKind[] = ['client_admin', 'employee', 'broker'];
const scopes = ['fleets:write'];

async function fleetOf({ good }: World, user: UserName): Promise<{ fleet_id: number }> {
  const { json } = await good('/fleets', user, { body: { name: 'Vans' } });
  return { fleet_id: json.fleet.id };
}

/** A fleet with a contractor and a driver as captains; other callers cannot see it. */
const captained: MakeInput = async (world) => {
  const { broker, driver } = world.demo.users;
  const fleet = await fleetOf(world, 'client_admin');
  const body = { user_ids: [broker.id, driver.id] };
  await world.good(`/fleets/${fleet.fleet_id}/captains`, 'client_admin', { method: 'PUT', body });
  return fleet;
};
const another: MakeInput = (world) => fleetOf(world, 'other_client_admin');

/** A row about a fleet of the caller's own side. */
const onOwn = (more: (world: World) => Input): AccessRow => ({
  roles: OWNERS,
  scopes,
  own: async (world, role) => ({
    ...(await fleetOf(world, role === 'broker' ? 'broker' : 'client_admin')),
    ...more(world),
  }),
  foreign: { input: async (world, role) => ({ ...(await another(world, role)), ...more(world) }), status: 404 },
  varies: ['*'],
});

/** A row that reads the content of one fleet. */
const READ_ONE: AccessRow = {
  roles: [...OWNERS, 'auditor', 'driver'],
  scopes: ['fleets:read'],
  own: captained,
  foreign: { input: another, status: 404 },
  varies: ['*'],
};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  fleets: {
    roles: [...OWNERS, 'auditor', 'driver'],
    scopes: ['fleets:read'],
    own: () => ({}),
    foreign: {
      input: async ({ good }) => {
        await good('/fleets', 'other_client_admin', { body: { name: 'Foreign Vans 7' } });
        return { per_page: 200 };
      },
      excludes: () => 'Foreign Vans 7',
    },
  },
  fleet: {
    roles: [...OWNERS, 'auditor', 'driver'],
    scopes: ['fleets:read'],
    own: captained,
    foreign: { input: another, status: 404 },
    varies: ['*'],
  },
  fleetCaptains: READ_ONE,
  fleetDrivers: READ_ONE,
  fleetVehicles: READ_ONE,
  fleetCreate: {
    roles: OWNERS,
    scopes,
    own: () => ({ name: 'Vans' }),
    varies: ['*'],
    shared: 'a new fleet of its own',
  },
  fleetUpdate: onOwn(() => ({ name: 'Trucks' })),
  fleetDelete: onOwn(() => ({})),
  fleetCaptainsSet: onOwn(() => ({ user_ids: [] })),
  fleetVehiclesSet: onOwn(() => ({ vehicles: [{ id: 'VAN-1', name: 'Van' }] })),
  fleetDriversSet: {
    roles: [...OWNERS, 'driver'],
    scopes,
    own: async (world, role) => ({ ...(await captained(world, role)), driver_ids: [world.demo.users.driver.id] }),
    foreign: { input: async (world, role) => ({ ...(await another(world, role)), driver_ids: [] }), status: 404 },
    varies: ['*'],
  },
};
