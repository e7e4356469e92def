/** The rows of the access table for the catalogue. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';

const READERS: readonly CallerKind[] = ['client_admin', 'employee', 'auditor', 'customer'];
const ADMIN: readonly CallerKind[] = ['client_admin'];
const read = ['orders:read'];
const write = ['catalogue:write'];
const NAMES = { en: 'Parcel tape' };

async function itemOf({ good, fresh }: World, user: UserName, names: object = NAMES) {
  const item = { kind: 'supply', code: fresh().toLowerCase() };
  await good(`/catalogue/supply/${item.code}`, user, { method: 'PUT', body: { names } });
  return item;
}
async function categoryOf({ good, fresh }: World, user: UserName, names: object = NAMES) {
  const code = fresh().toLowerCase();
  await good(`/catalogue/categories/${code}`, user, { method: 'PUT', body: { names } });
  return { code };
}
const ownItem: MakeInput = (world) => itemOf(world, 'client_admin');
const otherItem: MakeInput = (world) => itemOf(world, 'other_client_admin');
const FOREIGN = 'Foreign tape 7';

export const ROWS: Readonly<Record<string, AccessRow>> = {
  catalogCategories: {
    roles: READERS,
    scopes: read,
    own: () => ({}),
    foreign: {
      input: async (world) => (await categoryOf(world, 'other_client_admin', { en: FOREIGN })) && {},
      excludes: () => FOREIGN,
    },
  },
  catalogCategory: {
    roles: READERS,
    scopes: read,
    own: (world) => categoryOf(world, 'client_admin'),
    foreign: { input: (world) => categoryOf(world, 'other_client_admin'), status: 404 },
    varies: ['code'],
  },
  catalogCategorySet: {
    roles: ADMIN,
    scopes: write,
    own: ({ fresh }) => ({ code: fresh().toLowerCase(), names: NAMES }),
    varies: ['*'],
    shared: 'a code belongs to the business of the caller',
  },
  catalogItems: {
    roles: READERS,
    scopes: read,
    own: () => ({}),
    foreign: {
      input: async (world) => (await itemOf(world, 'other_client_admin', { en: FOREIGN })) && {},
      excludes: () => FOREIGN,
    },
  },
  catalogItem: {
    roles: READERS,
    scopes: read,
    own: ownItem,
    foreign: { input: otherItem, status: 404 },
    varies: ['*'],
  },
  catalogItemSet: {
    roles: ADMIN,
    scopes: write,
    own: ({ fresh }) => ({ kind: 'supply', code: fresh().toLowerCase(), names: NAMES }),
    varies: ['*'],
    shared: 'a code belongs to the business of the caller',
  },
  catalogItemRetire: {
    roles: ADMIN,
    scopes: write,
    own: ownItem,
    foreign: { input: otherItem, status: 404 },
    varies: ['*'],
  },
};
