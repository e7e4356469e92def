/** The rows of the access table for alliances. */
import type { AccessRow, Input } from '../table.js';
import type { World } from '../world.js';

const READERS = ['client_admin', 'employee', 'auditor'] as const;
const read = { roles: READERS, scopes: ['alliance:read'] };
const write = { roles: ['client_admin'], scopes: ['alliance:write'], varies: ['*'] } as const;

const found = async ({ good }: World, user: 'client_admin' | 'other_client_admin', name = 'North') => ({
  alliance_id: (await good('/alliances', user, { body: { name } })).json.alliance.id as number,
});
const own = (world: World) => found(world, 'client_admin');
/** Returns an alliance whose only member is the other business. */
const another = (world: World) => found(world, 'other_client_admin');

/** Returns an alliance that the other business founded and to which it invites the caller's business. */
async function invited(world: World): Promise<{ alliance_id: number }> {
  const alliance = await another(world);
  const body = { business_code: 'demo' };
  await world.good(`/alliances/${alliance.alliance_id}/invitations`, 'other_client_admin', { body });
  return alliance;
}

async function grantOf(world: World, user: 'client_admin' | 'other_client_admin') {
  const { alliance_id } = await found(world, user);
  const { json } = await world.good(`/alliances/${alliance_id}/grants`, user, { body: { kind: 'orders' } });
  return { alliance_id, grant_id: json.grant.id as number };
}

/** A row about one alliance. The same call for an alliance of another business returns 404. */
const onOne = (row: Pick<AccessRow, 'roles' | 'scopes' | 'varies'>, more: (world: World) => Input = () => ({})) =>
  ({
    ...row,
    varies: ['*'],
    own: async (world) => ({ ...(await own(world)), ...more(world) }),
    foreign: { input: async (world) => ({ ...(await another(world)), ...more(world) }), status: 404 },
  }) satisfies AccessRow;

export const ROWS: Readonly<Record<string, AccessRow>> = {
  alliances: {
    ...read,
    own: () => ({}),
    varies: ['*'],
    foreign: {
      input: async (world) => {
        await found(world, 'other_client_admin', 'Foreign Alliance 7');
        return { per_page: 200 };
      },
      excludes: () => 'Foreign Alliance 7',
    },
  },
  alliance: onOne(read),
  allianceMembers: onOne(read),
  accessibleClients: { ...read, own: () => ({}), shared: 'whose grants are open: test/api/alliances/grants.test.ts' },
  allianceGrants: onOne(read),
  allianceGrant: {
    ...read,
    varies: ['*'],
    own: (world) => grantOf(world, 'client_admin'),
    foreign: { input: (world) => grantOf(world, 'other_client_admin'), status: 404 },
  },
  allianceUses: onOne({ ...read, roles: ['client_admin', 'auditor'] }),
  allianceCreate: { ...write, own: () => ({ name: 'North' }), shared: 'a new alliance of its own' },
  allianceInvite: onOne(write, () => ({ business_code: 'other' })),
  allianceAnswer: {
    ...write,
    own: async (world) => ({ ...(await invited(world)), accept: true }),
    foreign: { input: async (world) => ({ ...(await another(world)), accept: true }), status: 404 },
  },
  allianceLeave: onOne(write),
  allianceMemberRemove: {
    ...write,
    own: async (world) => {
      const alliance = await own(world);
      const body = { business_code: 'other' };
      await world.good(`/alliances/${alliance.alliance_id}/invitations`, 'client_admin', { body });
      return { ...alliance, business_id: world.otherBusinessId };
    },
    foreign: {
      input: async (world) => ({ ...(await another(world)), business_id: world.otherBusinessId }),
      status: 404,
    },
  },
  allianceDissolve: onOne(write),
  allianceGrantCreate: onOne(write, () => ({ kind: 'orders' })),
  allianceRevoke: {
    ...write,
    own: (world) => grantOf(world, 'client_admin'),
    foreign: { input: (world) => grantOf(world, 'other_client_admin'), status: 404 },
  },
};
