/** The rows of the access table for address books. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { STOP } from '../../worlds/orders.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';

const ROLES: readonly CallerKind[] = ['client_admin', 'employee', 'customer'];
const CSV = 'name,street,city,country\nAda,Weg 1,Berlin,DE';
/** An address book contains an address once. */
const entryOf = ({ fresh }: World) => ({ kind: 'recipient', address: { ...STOP, street: fresh() } });
const FOREIGN = { kind: 'recipient', address: { ...STOP, street: 'Foreign Road 7' } };

const own: MakeInput = async (world, role) => {
  const { test, keyOf } = world;
  const { json } = await test.api('/address-book', { key: await keyOf(role), body: entryOf(world) });
  return { address_id: json.address_book_entry.id as number };
};
const others: MakeInput = async ({ good }) => {
  const { json } = await good('/address-book', 'other_client_admin', { body: FOREIGN });
  return { address_id: json.address_book_entry.id as number };
};
const scopes = ['orders:write'];
const ofEntry: AccessRow = { roles: ROLES, scopes, own, foreign: { input: others, status: 404 }, varies: ['*'] };

export const ROWS: Readonly<Record<string, AccessRow>> = {
  addressBook: {
    roles: ROLES,
    scopes: ['address:read'],
    own: () => ({}),
    foreign: {
      input: async (world, role) => (await others(world, role)) && {},
      excludes: () => FOREIGN.address.street,
    },
  },
  addressCreate: { roles: ROLES, scopes, own: entryOf, varies: ['*'], shared: "a new entry of the caller's book" },
  addressImport: {
    roles: ['client_admin', 'employee'],
    scopes: ['orders:write', 'address:read'],
    own: () => ({ csv: CSV }),
    varies: ['*'],
    shared: "entries of the caller's book",
  },
  addressUpdate: { ...ofEntry, own: async (world, role) => ({ ...(await own(world, role)), label: 'At work' }) },
  addressDelete: ofEntry,
  addressBookEntry: { ...ofEntry, scopes: ['address:read'] },
};
