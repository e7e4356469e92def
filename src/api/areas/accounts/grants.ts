/** OAuth grants: the access that a user gave to agents' clients, and its revocation. */
import { z } from 'zod';
import type { OAuthGrants } from '../../../engines/postgres/oauth-grants.js';
import { userOf } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { USERS } from './shapes.js';

const grantSchema = z
  .object({
    id: z.uuid(),
    client_id: z.string(),
    client_name: z.string().nullable().describe('Name that the application chose for itself; not verified.'),
    scopes: z.array(z.string()),
    created_at: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'OAuthGrant' });

export function grants(oauthGrants: OAuthGrants): Operation[] {
  return [
    operation({
      name: 'oauthGrants',
      area: 'User',
      summary: 'List applications with access, newest first',
      description: 'Lists the applications to which you gave access with OAuth, such as MCP clients.',
      rest: { method: 'get', path: '/v1/oauth/grants' },
      callers: USERS,
      input: z.object({}),
      output: z.object({ result: z.boolean(), oauth_grants: z.array(grantSchema) }),
      async run(_input, { caller }) {
        const found = await oauthGrants.of(userOf(caller).userId);
        return {
          result: true,
          oauth_grants: found.map(({ id, clientId, clientName, scopes, agreedAt, expiresAt }) => ({
            id,
            client_id: clientId,
            client_name: clientName ?? null,
            scopes: [...scopes],
            created_at: agreedAt.toISOString(),
            expires_at: expiresAt.toISOString(),
          })),
        };
      },
    }),
    operation({
      name: 'oauthGrantRevoke',
      area: 'User',
      summary: "Revoke an application's access",
      description: 'The tokens of the application stop working immediately, in every process.',
      rest: { method: 'delete', path: '/v1/oauth/grants/:oauth_grant_id' },
      callers: USERS,
      scopes: ['keys:write'],
      risk: 'high',
      writes: true,
      answers: { 404: 'The calling user has no grant with this id.' },
      input: z.object({ oauth_grant_id: z.uuid() }),
      output: z.object({ result: z.boolean() }),
      async run({ oauth_grant_id }, { caller, cause }) {
        const { userId } = userOf(caller);
        const exists = cause.dryRun
          ? (await oauthGrants.of(userId)).some(({ id }) => id === oauth_grant_id)
          : await oauthGrants.revoke(userId, oauth_grant_id);
        if (!exists) throw fieldError('NOT_FOUND', 'oauth_grant_id');
        return { result: true };
      },
    }),
  ];
}
