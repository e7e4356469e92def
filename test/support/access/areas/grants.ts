/** The rows of the access table for the access that users grant to applications. */
import { USER_ROLES } from '../../../../src/events/accounts/events.js';
import { connectAgent } from '../../clients/oauth.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';

async function grantOf({ test, demo }: World, user: keyof World['demo']['users']): Promise<string> {
  const { json } = await connectAgent(test.url, demo.users[user], { scope: 'keys:write' });
  const { json: list } = await test.api('/oauth/grants', { key: json['access_token'] });
  return list.oauth_grants[0].id as string;
}

const own: MakeInput = async (world, role) => ({
  oauth_grant_id: await grantOf(world, role as keyof World['demo']['users']),
});
const others: MakeInput = async (world) => ({ oauth_grant_id: await grantOf(world, 'other_client_admin') });

export const ROWS: Readonly<Record<string, AccessRow>> = {
  oauthGrants: {
    roles: USER_ROLES,
    own: () => ({}),
    shared: 'names nothing: it is about the caller alone',
    varies: ['*'],
  },
  oauthGrantRevoke: { roles: USER_ROLES, scopes: ['keys:write'], own, foreign: { input: others, status: 404 } },
};
