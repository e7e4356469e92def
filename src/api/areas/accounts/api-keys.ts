/**
 * API keys: tokens that a user creates for a program, each with its own profile or scopes (specification 3,
 * "Authentication" 5).
 */
import { z } from 'zod';
import type { AccountCommand } from '../../../commands/accounts/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { accountStream } from '../../../events/accounts/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { Tokens } from '../../../engines/postgres/tokens.js';
import { userOf } from '../../core/callers.js';
import { invalidForm } from '../../core/errors.js';
import { DEFAULT_PROFILE, PROFILE_NAMES, PROFILES, SCOPES, scopesFor, type Scope } from '../../core/scopes.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { USERS } from './shapes.js';

const DAY_MS = 86_400_000;

const keySchema = z
  .object({
    id: z.uuid(),
    name: z.string().nullable(),
    profile: z.string().nullable().describe('Profile of the key; null if it was created from individual scopes.'),
    scopes: z.array(z.string()),
    created_at: z.string(),
    expires_at: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' });

export function apiKeys({
  handle,
  accounts,
  tokens,
}: Parts<'accounts'> & { handle: Handle<AccountCommand, undefined>; tokens: Tokens }): Operation[] {
  return [
    operation({
      name: 'apiKeyCreate',
      area: 'User',
      summary: 'Create an API key',
      description: `Creates a key for a program. Only this response contains the \`secret\`. Its permissions come from \`profile\` (default \`${DEFAULT_PROFILE}\`) or from \`scopes\`, and never exceed the permissions of the calling token.`,
      rest: { method: 'post', path: '/v1/api-keys', status: 201 },
      callers: USERS,
      scopes: ['keys:write'],
      loginOnly: true,
      risk: 'high',
      writes: true,
      awaits: ['accounts'],
      returnsCredential: true,
      input: z.object({
        name: z.string().trim().min(1).max(100),
        profile: z.enum(PROFILE_NAMES).optional(),
        scopes: z
          .array(z.enum(SCOPES))
          .min(1)
          .max(SCOPES.length)
          .optional()
          .describe('Scopes of the key, as an alternative to `profile`.'),
        expires_in_days: z
          .int()
          .min(1)
          .max(3_650)
          .optional()
          .describe('Lifetime in days. Default: valid until revoked.'),
      }),
      output: z.object({
        result: z.boolean(),
        api_key: keySchema,
        secret: z.string().describe('The key to send as bearer token. Empty in a dry run.'),
      }),
      async run({ name, profile, scopes, expires_in_days }, { caller, cause, commandId, time, wrote }) {
        if (profile !== undefined && scopes !== undefined)
          throw invalidForm('scopes', 'absent if `profile` is present');
        const user = userOf(caller);
        const keyProfile = scopes === undefined ? (profile ?? DEFAULT_PROFILE) : undefined;
        const grantedScopes = [...scopesFor(user.role, scopes ?? (PROFILES[keyProfile!] as readonly Scope[]))].filter(
          (scope) => user.scopes.has(scope),
        );
        const id = derivedId('api key', commandId);
        const expires = expires_in_days === undefined ? undefined : new Date(time + expires_in_days * DAY_MS);
        wrote(
          (
            await handle(
              accountStream(user.userId),
              {
                do: 'createKey',
                commandId,
                userId: user.userId,
                keyId: id,
                name,
                profile: keyProfile,
                scopes: grantedScopes,
                expiresAt: expires?.toISOString(),
              },
              cause,
            )
          ).position,
        );
        const secret = cause.dryRun
          ? ''
          : await tokens.add({
              id,
              account: user.userId,
              kind: 'api_key',
              scopes: grantedScopes,
              ...(expires && { expiresAt: expires }),
            });
        return {
          result: true,
          api_key: {
            id,
            name,
            profile: keyProfile ?? null,
            scopes: grantedScopes,
            created_at: new Date(time).toISOString(),
            expires_at: expires?.toISOString() ?? null,
          },
          secret,
        };
      },
    }),
    operation({
      name: 'apiKeys',
      area: 'User',
      summary: 'List your API keys, without secrets',
      rest: { method: 'get', path: '/v1/api-keys' },
      callers: USERS,
      reads: ['accounts'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), api_keys: z.array(keySchema) }),
      async run(_input, { caller }) {
        const account = await accounts.byId(userOf(caller).userId);
        return {
          result: true,
          api_keys: account!.api_keys.map(({ id, name, profile, scopes, created_at, expires_at }) => ({
            id,
            name: name ?? null,
            profile: profile ?? null,
            scopes: [...scopes],
            created_at,
            expires_at: expires_at ?? null,
          })),
        };
      },
    }),
    operation({
      name: 'apiKeyRevoke',
      area: 'User',
      summary: 'Revoke one of your API keys',
      description: 'The key stops working and cannot be restored.',
      rest: { method: 'delete', path: '/v1/api-keys/:key_id' },
      callers: USERS,
      scopes: ['keys:write'],
      loginOnly: true,
      risk: 'high',
      writes: true,
      awaits: ['accounts'],
      input: z.object({ key_id: z.uuid() }),
      output: z.object({ result: z.boolean() }),
      async run({ key_id }, { caller, cause, commandId, wrote }) {
        const { userId } = userOf(caller);
        // Revoke before the event is stored: a crash in between leaves a listed key that no longer works. The reverse
        // order would leave a working key that is no longer listed.
        if (!cause.dryRun) await tokens.revoke(userId, key_id);
        wrote(
          (await handle(accountStream(userId), { do: 'revokeKey', commandId, userId, keyId: key_id }, cause)).position,
        );
        return { result: true };
      },
    }),
  ];
}
