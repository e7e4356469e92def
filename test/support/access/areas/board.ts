/** The rows of the access table for the route board, and for routes under way. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';

const scopes = ['drivers:write'];
let day = 0;
/** Returns times on a different day for each call, so that routes do not overlap and no day has too many. */
const times = () => {
  const begins = Date.UTC(2083, 2, 1) + (day += 1) * 86_400_000;
  const at = (hour: number) => new Date(begins + hour * 3_600_000).toISOString();
  return { date: at(0).slice(0, 10), start_at: at(8), end_at: at(16) };
};

interface BoardOf {
  readonly fleet: number;
  /** API key of a second driver in the fleet. */
  readonly key: string;
}

async function makeFleet({ good, demo, orders, fresh }: World, side: 'own' | 'other'): Promise<BoardOf> {
  const admin: UserName = side === 'own' ? 'client_admin' : 'other_client_admin';
  const login = { email: `${fresh()}@example.com`, password: 'long enough password' };
  const { id: user_id } = (await good('/users', admin, { body: { ...login, name: 'Second', role: 'driver' } })).json
    .user;
  const { access_token: key } = (await good('/user/login', undefined, { body: login })).json;
  const driver = side === 'own' ? demo.users.driver.id : orders.otherDriver;
  const fleet = (await good('/fleets', admin, { body: { name: 'Board' } })).json.fleet.id as number;
  await good(`/fleets/${fleet}/drivers`, admin, { method: 'PUT', body: { driver_ids: [driver, user_id] } });
  if (side === 'own')
    await good(`/fleets/${fleet}/captains`, admin, { method: 'PUT', body: { user_ids: [demo.users.broker.id] } });
  return { fleet, key };
}

const made = new WeakMap<World, Record<string, Promise<BoardOf>>>();
function boardOf(world: World, side: 'own' | 'other'): Promise<BoardOf> {
  const known = made.get(world) ?? {};
  made.set(world, known);
  return (known[side] ??= makeFleet(world, side));
}

async function routeOf(world: World, by: UserName, date: string, driver_id?: number): Promise<number> {
  const body = { name: world.fresh(), schedule_date: date, ...(driver_id !== undefined && { driver_id }) };
  return (await world.good('/routes', by, { body })).json.route.id;
}

/** Posts a route on the board, as a user with permission. */
const posted =
  (side: 'own' | 'other'): MakeInput =>
  async (world, role) => {
    const admin: UserName = side === 'own' ? (role === 'broker' ? 'broker' : 'client_admin') : 'other_client_admin';
    const { date, ...span } = times();
    const { fleet } = await boardOf(world, side);
    const route_id = await routeOf(world, admin, date);
    await world.good(`/route-board/${route_id}`, admin, { method: 'PUT', body: { fleet_ids: [fleet], ...span } });
    return { route_id };
  };
const claimed: MakeInput = async (world, role) => {
  const made = await posted('own')(world, role);
  await world.good(`/route-board/${made['route_id'] as number}/claim`, 'driver', { body: {} });
  return made;
};
const claimedByAnother: MakeInput = async (world, role) => {
  const made = await posted('own')(world, role);
  const { key } = await boardOf(world, 'own');
  await world.good(`/route-board/${made['route_id'] as number}/claim`, undefined, { key, body: {} });
  return made;
};
const run =
  (started: boolean): MakeInput =>
  async (world) => {
    const route_id = await routeOf(world, 'client_admin', times().date, world.demo.users.driver.id);
    if (started) await world.good(`/routes/${route_id}/start`, 'client_admin', { body: {} });
    return { route_id };
  };
const foreignRoute: MakeInput = async (world) => ({
  route_id: await routeOf(world, 'other_client_admin', times().date, world.orders.otherDriver),
});

const onBoard = (own: MakeInput): AccessRow => ({
  roles: ['driver'],
  scopes,
  own,
  foreign: { input: posted('other'), status: 404 },
  varies: ['*'],
});
const RUNNERS: readonly CallerKind[] = ['client_admin', 'employee', 'driver'];

export const ROWS: Readonly<Record<string, AccessRow>> = {
  boardRoutes: {
    roles: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['routes:read'],
    own: () => ({}),
    foreign: {
      input: async (world, role) => {
        await posted('other')(world, role);
        return { per_page: 200 };
      },
      excludes: ({ orders }) => `"driver_id":${orders.otherDriver}`,
    },
    varies: ['*'],
  },
  boardRoute: {
    roles: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['routes:read'],
    own: posted('own'),
    foreign: { input: posted('other'), status: 404 },
    varies: ['*'],
  },
  boardPost: {
    roles: ['client_admin', 'employee', 'broker'],
    scopes: ['routes:write'],
    own: async (world, role) => {
      const { date, ...span } = times();
      const route_id = await routeOf(world, role === 'broker' ? 'broker' : 'client_admin', date);
      return { route_id, fleet_ids: [(await boardOf(world, 'own')).fleet], ...span };
    },
    foreign: {
      input: async (world) => ({
        ...(await foreignRoute(world, 'client_admin')),
        fleet_ids: [(await boardOf(world, 'own')).fleet],
      }),
      status: 404,
    },
    varies: ['*'],
  },
  boardUnpost: {
    roles: ['client_admin', 'employee', 'broker'],
    scopes: ['routes:write'],
    own: posted('own'),
    foreign: { input: posted('other'), status: 404 },
    varies: ['*'],
  },
  boardClaim: onBoard(posted('own')),
  boardStandby: onBoard(claimedByAnother),
  boardWithdraw: onBoard(claimed),
  boardConfirm: onBoard(claimed),
  routeStart: {
    roles: RUNNERS,
    scopes: ['orders:write'],
    own: run(false),
    foreign: { input: foreignRoute, status: 404 },
    varies: ['*'],
  },
  routeFinish: {
    roles: RUNNERS,
    scopes: ['orders:write'],
    own: run(true),
    foreign: { input: foreignRoute, status: 404 },
    varies: ['*'],
  },
};
