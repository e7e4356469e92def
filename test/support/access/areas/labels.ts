/** The rows of the access table for label orders. */
import { randomInt } from 'node:crypto';
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { simpleCard } from '../../inputs/shipments.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const WRITERS: readonly CallerKind[] = ['client_admin', 'employee', 'customer'];
const READERS = WRITERS;

const STOP = { name: 'Ada Lovelace', street: 'Invalidenstr. 1', city: 'Berlin', postal_code: '10115', country: 'DE' };
export const SHIPMENT = { ship_from: STOP, ship_to: STOP, packages: [{ weight_kg: 1 }] };

const LABEL_CARD = { services: [{ code: 'standard', names: { en: 'Standard' }, days_min: 1, days_max: 3 }], taxes: [] };

const methods = new WeakMap<World, Promise<number>>();
/** A method of an account that prints its labels itself. It has a price for customers. */
function methodOf(world: World): Promise<number> {
  const made = methods.get(world) ?? newMethod(world);
  methods.set(world, made);
  return made;
}

export async function newMethod({ good }: Pick<World, 'good'>): Promise<number> {
  const cardOf = async (family: string, card: object): Promise<number> => {
    const body = { family, name: `${family} of labels`, currency: 'EUR' };
    const { id } = (await good('/rate-cards', 'client_admin', { body })).json.rate_card;
    await good(`/rate-cards/${id}/versions`, 'client_admin', { body: { card } });
    return id as number;
  };
  const rate_card_id = await cardOf('label_service', LABEL_CARD);
  await good('/pricing/defaults/label_service', 'client_admin', { method: 'PUT', body: { rate_card_id } });
  return (await newAccount({ good }, await cardOf('shipping_service', simpleCard()))).method;
}

async function newAccount({ good }: Pick<World, 'good'>, rate_card_id: number, more: object = {}) {
  const company_prefix = String(randomInt(1_000_000_000, 9_999_999_999));
  const settings = { rate_card_id, carrier_name: 'Vans of labels', company_prefix, ...more };
  const body = { adapter: 'sheet', name: 'Vans of labels', settings };
  const account = (await good('/carrier-accounts', 'client_admin', { body })).json.carrier_account;
  const found = await good(`/shipping-methods?carrier_account_ids=${account.id}`, 'client_admin');
  return { id: account.id as number, method: found.json.shipping_methods[0].id as number, settings: account.settings };
}

/** An order of the caller without a label, whose account has numbers again. */
async function failedOrder(world: World, role: CallerKind): Promise<Input> {
  const { good } = world;
  await methodOf(world);
  const { json } = await good('/carrier-accounts?per_page=200', 'client_admin');
  const { settings } = json.carrier_accounts[0] as { readonly settings: { readonly rate_card_id: number } };
  const short = await newAccount(world, settings.rate_card_id, { serial_to: 0 });
  const customer = role === 'customer' ? { customer_id: world.demo.users.customer.id } : {};
  const [one] = SHIPMENT.packages;
  const body = { ...SHIPMENT, packages: [one, one], ...customer, method_id: short.method };
  const { order_id } = (await good('/label-orders', 'client_admin', { body })).json;
  const more = { settings: { serial_to: 9 } };
  await good(`/carrier-accounts/${short.id}`, 'client_admin', { method: 'PATCH', body: more });
  return { order_id };
}

/** A label order of the caller. */
export async function labelOrder(world: World, role: CallerKind): Promise<number> {
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
    { input: async (world) => ({ order_id: await ordersOfOthers(world), ...more }), as: ['customer'], status: 404 },
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

const own: MakeInput = async (world, role) => ((await labelOrder(world, role)) > 0 ? { per_page: 200 } : {});

export const ROWS: Readonly<Record<string, AccessRow>> = {
  labelOrderCreate: creating(async (world) => ({ method_id: await methodOf(world) })),
  labelOrderQuoteAndShip: creating(async (world) => ((await methodOf(world)) > 0 ? { strategy: 'cheapest' } : {})),
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
  labelOrderPurchase: { ...ofOrder(WRITERS, 'labels:write'), own: failedOrder },
  labelOrderCarrierDetail: ofOrder(WRITERS, 'labels:write'),
  labelOrderFiles: ofOrder(WRITERS, 'labels:write'),
  labelOrderCancel: ofOrder(WRITERS, 'labels:write'),
};
