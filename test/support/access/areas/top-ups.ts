/** The rows of the access table for top-ups. */
import { expect } from 'chai';
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { PROFILE, TOP_UP } from '../../inputs/top-ups.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const READERS: readonly CallerKind[] = [...OFFICE, 'customer'];
const read = ['billing:read'];

const acceptTransfers = ({ good }: World, admin: UserName) =>
  good('/billing-profile', admin, { method: 'PUT', body: PROFILE });

/** Confirms all pending top-ups: a customer can have only 20. */
async function confirmPending({ good }: World): Promise<void> {
  const { json } = await good('/customer/wallet/top-ups?status=pending&per_page=200', 'client_admin');
  for (const { id, amount } of json.top_ups as readonly { id: number; amount: string }[])
    await good(`/top-ups/${id}/confirm`, 'client_admin', { body: { amount } });
}

/** A new pending top-up of the demo's customer. */
export async function newTopUp(world: World): Promise<Input> {
  await acceptTransfers(world, 'client_admin');
  await confirmPending(world);
  const { json } = await world.good('/customer/wallet/top-ups', 'customer', { body: TOP_UP });
  return { top_up_id: json.top_up.id as number };
}

const known = new WeakMap<World, Promise<Input>>();
/** One top-up for all calls of a world: a customer can begin 60 a day. */
async function knownTopUp(world: World): Promise<Input> {
  const made = known.get(world) ?? newTopUp(world);
  known.set(world, made);
  return made;
}

/** A top-up of a customer of another business. */
async function foreignTopUp(world: World): Promise<Input> {
  const { test, good, fresh } = world;
  await acceptTransfers(world, 'other_client_admin');
  const person = { email: `${fresh()}@example.com`, password: 'long enough password' };
  await good('/users', 'other_client_admin', { body: { ...person, name: 'New', role: 'customer' } });
  const session = await test.api('/user/login', { body: person });
  const begun = await test.api('/customer/wallet/top-ups', { key: session.json.access_token as string, body: TOP_UP });
  expect(begun.status, begun.text).to.equal(201);
  return { top_up_id: begun.json.top_up.id as number };
}

/** A top-up whose money has arrived. */
async function confirmedTopUp(world: World): Promise<Input> {
  const topUp = await knownTopUp(world);
  await world.good(`/top-ups/${topUp['top_up_id']}/confirm`, 'client_admin', { body: { amount: TOP_UP.amount } });
  return topUp;
}

const withMore =
  (make: (world: World) => Promise<Input>, more: Input = {}): MakeInput =>
  async (world) => ({ ...(await make(world)), ...more });

const row = (roles: readonly CallerKind[], scopes: readonly string[], more: Input = {}): AccessRow => ({
  roles,
  scopes,
  own: withMore(knownTopUp, more),
  foreign: { input: withMore(foreignTopUp, more), status: 404 },
  // Other rows change the profile, and confirm the top-up.
  varies: ['bank_details', 'status', 'received_amount', 'confirmed_at', 'version'],
});

export const ROWS: Readonly<Record<string, AccessRow>> = {
  topUps: {
    roles: READERS,
    scopes: read,
    own: async (world) => {
      await knownTopUp(world);
      return {};
    },
    foreign: { input: ({ demo }) => ({ customer_id: demo.users.other_client_admin.id }), status: 404 },
    varies: ['*'],
  },
  topUp: row(READERS, read),
  topUpCreate: {
    roles: ['customer'],
    scopes: ['billing:write'],
    own: async (world) => {
      await acceptTransfers(world, 'client_admin');
      await confirmPending(world);
      return TOP_UP;
    },
    varies: ['id', 'reference', 'created_at', 'expires_at'],
    shared: 'a new top-up of the caller',
  },
  topUpReceipt: { ...row(READERS, read), own: withMore(confirmedTopUp), varies: ['*'] },
  topUpConfirm: row(OFFICE, ['billing:write'], { amount: TOP_UP.amount }),
};
