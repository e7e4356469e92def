/** The rows of the access table for label orders. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const WRITERS: readonly CallerKind[] = ['client_admin', 'employee', 'customer'];
const READERS: readonly CallerKind[] = ['client_admin', 'employee', 'auditor', 'customer'];

const STOP = { name: 'Ada Lovelace', street: 'Invalidenstr. 1', city: 'Berlin', postal_code: '10115', country: 'DE' };
const SHIPMENT = { ship_from: STOP, ship_to: STOP, packages: [{ weight_kg: 1 }] };

/** A method of the demo's account, which prints the labels itself. */
async function methodOf({ good }: World): Promise<number> {
  const { json } = await good('/shipping-methods?enabled=true', 'client_admin');
  return json.shipping_methods[0].id as number;
}

/** A label order of the caller. */
async function labelOrder(world: World, role: CallerKind): Promise<number> {
  const customer = role === 'customer' ? { customer_id: world.demo.users.customer.id } : {};
  const body = { ...SHIPMENT, ...customer, method_id: await methodOf(world) };
  return (await world.good('/label-orders', 'client_admin', { body })).json.order_id as number;
}

const known = new WeakMap<World, Promise<number>>();
/** A label order of the business that belongs to no customer. */
async function ordersOfOthers(world: World): Promise<number> {
  const made = known.get(world) ?? labelOrder(world, 'client_admin');
  known.set(world, made);
  return made;
}

/** Orders of another business are unknown, like an id that does not exist. */
const ofOrder = (roles: readonly CallerKind[], scope: string, more: Input = {}): AccessRow => ({
  roles,
  scopes: [scope],
  own: async (world, role) => ({ order_id: await labelOrder(world, role), ...more }),
  foreign: [
    { input: ({ orders }) => ({ order_id: orders.otherOrder, ...more }), status: 404 },
    {
      input: async (world) => ({ order_id: await ordersOfOthers(world), ...more }),
      as: ['customer'],
      status: 404,
    },
  ],
  varies: ['*'],
});

const creating = (more: (world: World) => Promise<Input>): AccessRow => ({
  roles: WRITERS,
  scopes: ['labels:write'],
  own: async (world) => ({ ...SHIPMENT, ...(await more(world)) }),
  shared: 'names nothing but a method or rate of the own business',
  varies: ['*'],
});

const own: MakeInput = async (world, role) => (await labelOrder(world, role)) > 0 ? { per_page: 200 } : {};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  labelOrderCreate: creating(async (world) => ({ method_id: await methodOf(world) })),
  labelOrderQuoteAndShip: creating(async () => ({ strategy: 'cheapest' })),
  labelOrders: {
    roles: READERS,
    scopes: ['labels:read'],
    own,
    foreign: {
      input: async (world) => {
        await world.good('/label-orders', 'client_admin', {
          body: { ...SHIPMENT, order_ref: 'foreign-label-8', method_id: await methodOf(world) },
        });
        return { per_page: 200 };
      },
      as: ['customer'],
      excludes: () => 'foreign-label-8',
    },
    varies: ['*'],
  },
  labelOrder: ofOrder(READERS, 'labels:read'),
  labelOrderPurchase: { ...ofOrder(WRITERS, 'labels:write'), status: 409 },
  labelOrderCarrierDetail: ofOrder(WRITERS, 'labels:write'),
  labelOrderFiles: ofOrder(WRITERS, 'labels:write'),
  labelOrderCancel: ofOrder(WRITERS, 'labels:write'),
};
