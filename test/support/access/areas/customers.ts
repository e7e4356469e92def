/** The rows of the access table for customers and return reasons. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const ADMIN: readonly CallerKind[] = ['client_admin'];
const FOREIGN = 'foreign_reason_7';
const LABELS = { labels: { en: 'Wrong address' } };

async function reasonOf({ good, fresh }: World, user: UserName): Promise<{ code: string }> {
  const code = `r_${fresh().toLowerCase().replaceAll('-', '_')}`;
  await good(`/return-reasons/${code}`, user, { method: 'PUT', body: LABELS });
  return { code };
}

export const ROWS: Readonly<Record<string, AccessRow>> = {
  customers: {
    roles: OFFICE,
    scopes: ['accounts:read'],
    own: () => ({}),
    foreign: {
      input: async ({ good, fresh }) => {
        const email = `${fresh().toLowerCase()}@example.com`;
        const body = { email, password: 'a long password', name: 'Foreign Customer 7', role: 'customer' };
        await good('/users', 'other_client_admin', { body });
        return { per_page: 200 };
      },
      excludes: () => 'Foreign Customer 7',
    },
  },
  customer: {
    roles: OFFICE,
    scopes: ['accounts:read'],
    own: ({ demo }) => ({ customer_id: demo.users.customer.id }),
    foreign: [
      { input: ({ demo }) => ({ customer_id: demo.users.other_broker.id }), status: 404 },
      { input: ({ demo }) => ({ customer_id: demo.users.driver.id }), status: 404 },
    ],
  },
  returnReasons: {
    roles: [...OFFICE, 'auditor', 'driver', 'broker', 'customer'],
    scopes: ['orders:read'],
    own: () => ({}),
    foreign: {
      input: async (world) => {
        await world.good(`/return-reasons/${FOREIGN}`, 'other_client_admin', { method: 'PUT', body: LABELS });
        return { include_retired: true };
      },
      excludes: () => FOREIGN,
    },
  },
  returnReasonSet: {
    roles: ADMIN,
    scopes: ['catalogue:write'],
    own: ({ fresh }) => ({ code: `r_${fresh().toLowerCase().replaceAll('-', '_')}`, ...LABELS }),
    varies: ['*'],
    shared: 'a code belongs to the business of the caller',
  },
  returnReasonRetire: {
    roles: ADMIN,
    scopes: ['catalogue:write'],
    own: (world) => reasonOf(world, 'client_admin'),
    foreign: { input: (world) => reasonOf(world, 'other_client_admin'), status: 404 },
    varies: ['code'],
  },
};
