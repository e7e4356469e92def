/** The rows of the access table for skills. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const scopes = ['drivers:write'];

async function skillOf({ good, fresh }: World, user: UserName): Promise<{ code: string }> {
  const code = fresh().toLowerCase();
  await good(`/skills/${code}`, user, { method: 'PUT', body: {} });
  return { code };
}

export const ROWS: Readonly<Record<string, AccessRow>> = {
  skills: {
    roles: OFFICE,
    scopes: ['drivers:read'],
    own: () => ({}),
    foreign: {
      input: async (world) => {
        await world.good('/skills/foreign_skill_7', 'other_client_admin', { method: 'PUT', body: {} });
        return {};
      },
      excludes: () => 'foreign_skill_7',
    },
  },
  skillSet: {
    roles: OFFICE,
    scopes,
    own: ({ fresh }) => ({ code: fresh().toLowerCase(), names: { en: 'Cold goods' } }),
    varies: ['*'],
    shared: 'a code means something inside the own business alone',
  },
  skillDelete: {
    roles: OFFICE,
    scopes,
    own: (world) => skillOf(world, 'client_admin'),
    foreign: { input: (world) => skillOf(world, 'other_client_admin'), status: 404 },
    varies: ['code'],
  },
  driverSkillsSet: {
    roles: OFFICE,
    scopes,
    own: ({ demo }) => ({ driver_id: demo.users.driver.id, skills: [] }),
    foreign: { input: ({ orders }) => ({ driver_id: orders.otherDriver, skills: [] }), status: 404 },
  },
};
