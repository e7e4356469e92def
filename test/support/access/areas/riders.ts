/** The rows of the access table for riders. */
import { randomUUID } from 'node:crypto';
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { STOP } from '../../worlds/orders.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Foreign, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const REQUESTERS: readonly CallerKind[] = [...OFFICE, 'customer'];
const OWN_ONLY = 'names nothing: it is about the caller alone';

const place = () => ({ at: new Date().toISOString(), latitude: 43.64, longitude: -79.38 });
const grant = ({ good, demo }: World, driver = demo.users.driver.id) =>
  good(`/drivers/${driver}/rider-grant`, 'client_admin', { method: 'PUT', body: { enabled: true, max_concurrent: 5 } });

async function orderOf({ good }: World, user: UserName): Promise<number> {
  const { latitude, longitude } = place();
  const pickup = { ...STOP, position: { latitude, longitude } };
  const body = { type: 'P2P', pickup, delivery: STOP, packages: [{ weight_kg: 1 }] };
  return (await good('/client/orderCreate', user, { body })).json.order_id;
}
const requested =
  (user?: UserName): MakeInput =>
  async (world, role) => {
    const by = user ?? (role as UserName);
    const order_id = await orderOf(world, by);
    await world.good(`/orders/${order_id}/instant-delivery`, by, { body: { radius_m: 100, offer_s: 120 } });
    return { order_id };
  };

/** Ends earlier instant orders of the driver, so that the driver has capacity for the next one. */
async function free({ test, demo, businessId: business }: World): Promise<void> {
  const { rows } = await test.service.engines.pool.query<{ what: string }>(
    "select what from driver_times.driver_times where driver_id = $1 and active and what like 'instant:%'",
    [demo.users.driver.id],
  );
  for (const { what } of rows)
    await test.service.commands.drivers(
      `driver-${demo.users.driver.id}`,
      { do: 'release', commandId: randomUUID(), userId: demo.users.driver.id, business, what, why: 'over' },
      { correlationId: randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' },
    );
}

/** An offer to the driver of the demo, or to another driver of the business. */
const offered =
  (to: 'own' | 'neighbour'): MakeInput =>
  async (world) => {
    const { good, fresh } = world;
    let key: string | undefined;
    if (to === 'own') {
      for (const { id } of (await offersOf(world)).offers)
        await good(`/instant-rider/offers/${id}/decline`, 'driver', { body: {} });
      await free(world);
      await grant(world);
    } else {
      await good('/instant-rider/offline', 'driver', { body: {} });
      const login = { email: `${fresh()}@example.com`, password: 'long enough password' };
      const body = { ...login, name: 'Rider', role: 'driver' };
      await grant(world, (await good('/users', 'client_admin', { body })).json.user.id);
      key = (await good('/user/login', undefined, { body: login })).json.access_token;
    }
    const user = key === undefined ? 'driver' : undefined;
    const as = key === undefined ? {} : { key };
    await good('/instant-rider/online', user, { ...as, body: {} });
    await good('/instant-rider/locations', user, { ...as, body: { points: [place()] } });
    const order = await orderOf(world, 'client_admin');
    await good(`/orders/${order}/instant-delivery`, 'client_admin', { body: { radius_m: 100, offer_s: 120 } });
    const { offers } = (await good('/instant-rider/offers', user, as)).json;
    if (key !== undefined) await good('/instant-rider/offline', user, { ...as, body: {} });
    return { offer_id: offers[0].id };
  };
async function offersOf(world: World): Promise<{ readonly offers: readonly { readonly id: string }[] }> {
  await grant(world);
  return (await world.good('/instant-rider/offers', 'driver')).json;
}
const granted =
  (input: MakeInput): MakeInput =>
  async (world, role) => {
    await grant(world);
    return input(world, role);
  };

const rider = (scope: string, own: MakeInput): AccessRow => ({
  roles: ['driver'],
  scopes: [scope],
  own: granted(own),
  shared: OWN_ONLY,
  varies: ['*'],
});
const offer: AccessRow = {
  roles: ['driver'],
  scopes: ['orders:write'],
  own: offered('own'),
  foreign: { input: granted(offered('neighbour')), status: 404 },
  varies: ['*'],
};
/**
 * Orders that the caller must not find: of another business, and for a customer also orders of the same business that
 * are not the customer's.
 */
const others: readonly Foreign[] = [
  { input: ({ orders }) => ({ order_id: orders.otherOrder }), status: 404 },
  { input: ({ orders }) => ({ order_id: orders.neighbourOrder }), as: ['customer'], status: 404 },
];

export const ROWS: Readonly<Record<string, AccessRow>> = {
  riderGrantSet: {
    roles: OFFICE,
    scopes: ['drivers:write'],
    own: ({ demo }) => ({ driver_id: demo.users.driver.id, enabled: true, max_concurrent: 5 }),
    foreign: { input: ({ orders }) => ({ driver_id: orders.otherDriver, enabled: true }), status: 404 },
  },
  rider: rider('drivers:read', () => ({})),
  riderOnline: rider('drivers:write', () => ({})),
  riderOffline: rider('drivers:write', () => ({})),
  riderLocations: rider('drivers:write', async ({ good }) => {
    await good('/instant-rider/online', 'driver', { body: {} });
    return { points: [place()] };
  }),
  riderOffers: rider('drivers:read', () => ({})),
  riderAccept: offer,
  riderDecline: offer,
  orderDriverPosition: {
    roles: REQUESTERS,
    scopes: ['orders:read'],
    own: async (world, role) => ({ order_id: await orderOf(world, role as UserName) }),
    foreign: others,
    varies: ['*'],
  },
  instantDeliveryRequest: {
    roles: REQUESTERS,
    scopes: ['orders:write'],
    own: async (world, role) => ({ order_id: await orderOf(world, role as UserName), radius_m: 100 }),
    foreign: others,
    varies: ['*'],
  },
  instantDeliveryCancel: {
    roles: REQUESTERS,
    scopes: ['orders:write'],
    own: requested(),
    foreign: others,
    varies: ['*'],
  },
  instantDelivery: { roles: REQUESTERS, scopes: ['orders:read'], own: requested(), foreign: others, varies: ['*'] },
};
