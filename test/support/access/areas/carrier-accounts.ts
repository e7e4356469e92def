/** The rows of the access table for carrier accounts and shipping methods. */
import { randomInt } from 'node:crypto';
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { simpleCard } from '../../inputs/shipments.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';

const ADMIN: readonly CallerKind[] = ['client_admin'];
const READERS: readonly CallerKind[] = ['client_admin', 'employee', 'customer'];
const scopes = ['labels:write'];
/** Objects that are created once per business: a business has at most 200 accounts. */
const once = (make: (world: World, user: UserName) => Promise<number>) => {
  const known = new WeakMap<World, Map<UserName, Promise<number>>>();
  return (world: World, user: UserName): Promise<number> => {
    const made = known.get(world) ?? new Map<UserName, Promise<number>>();
    known.set(world, made);
    const one = made.get(user) ?? make(world, user);
    made.set(user, one);
    return one;
  };
};

/** A card with prices of a transport. */
const cardOf = once(async ({ good }, user) => {
  const created = { family: 'shipping_service', name: 'Parcels', currency: 'EUR' };
  const { id } = (await good('/rate-cards', user, { body: created })).json.rate_card;
  await good(`/rate-cards/${id}/versions`, user, { body: { card: simpleCard() } });
  return id as number;
});

/** Two accounts must not have the same numbers. */
const accountInput = async (world: World, user: UserName) => ({
  adapter: 'sheet',
  name: 'Own vans',
  settings: {
    rate_card_id: await cardOf(world, user),
    carrier_name: 'Own vans',
    company_prefix: String(randomInt(1_000_000_000, 9_999_999_999)),
  },
});
const createAccount = once(async (world, user) => {
  const { json } = await world.good('/carrier-accounts', user, { body: await accountInput(world, user) });
  return json.carrier_account.id as number;
});
const accountOf =
  (user: UserName): MakeInput =>
  async (world) => ({ carrier_account_id: await createAccount(world, user) });
const own = accountOf('client_admin');
const foreign = { input: accountOf('other_client_admin'), status: 404 };
const FOREIGN_CARRIER = 'Vans of another business';

/** Lists of another business do not contain its accounts. */
const createForeign = once(async (world, user) => {
  const body = await accountInput(world, user);
  body.settings.carrier_name = FOREIGN_CARRIER;
  return (await world.good('/carrier-accounts', user, { body })).json.carrier_account.id as number;
});
const foreignList = {
  input: async (world: World) => {
    await createForeign(world, 'other_client_admin');
    return { per_page: 200 };
  },
  excludes: () => FOREIGN_CARRIER,
};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  carrierAccounts: { roles: ADMIN, scopes: ['labels:read'], own: () => ({}), foreign: foreignList, varies: ['*'] },
  carrierAccount: { roles: ADMIN, scopes: ['labels:read'], own, foreign, varies: ['*'] },
  carrierAccountTest: { roles: ADMIN, scopes, own, foreign },
  carrierAccountDisable: { roles: ADMIN, scopes, own, foreign, varies: ['*'] },
  carrierAccountEnable: { roles: ADMIN, scopes, own, foreign, varies: ['*'] },
  carrierAccountCreate: {
    roles: ADMIN,
    scopes,
    own: (world) => accountInput(world, 'client_admin'),
    varies: ['*'],
    foreign: {
      // The rate card belongs to another business.
      input: async (world) => {
        const input = await accountInput(world, 'client_admin');
        return { ...input, settings: { ...input.settings, rate_card_id: await cardOf(world, 'other_client_admin') } };
      },
      status: 422,
    },
  },
  carrierAccountUpdate: {
    roles: ADMIN,
    scopes,
    own: async (world, role) => ({ ...(await own(world, role)), name: 'Vans in Hamburg' }),
    foreign: { input: async (world, role) => ({ ...(await foreign.input(world, role)), name: 'Mine' }), status: 404 },
    varies: ['*'],
  },
  shippingMethods: { roles: READERS, scopes: ['labels:read'], own: () => ({}), foreign: foreignList, varies: ['*'] },
};
