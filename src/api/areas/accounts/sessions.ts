/** Signing in, signing out, and changing the caller's password (specification 1, "Login"). */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AccountCommand } from '../../../commands/accounts/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { accountStream } from '../../../events/accounts/events.js';
import type { Tokens } from '../../../engines/postgres/tokens.js';
import { EVERYBODY, userOf } from '../../core/callers.js';
import { ApiError, explainedError } from '../../core/errors.js';
import { localDateTime } from '../../../events/core/local-time.js';
import { PROFILES, scopesFor } from '../../core/scopes.js';
import { operation, type Operation } from '../../core/operation.js';
import type { EndAccess } from '../../../engines/postgres/end-access.js';
import type { Parts } from '../../core/parts.js';
import { passwordKeysOutput, toPasswordKeys } from './password-keys.js';
import { USERS } from './shapes.js';

export interface SessionsOptions extends Parts<'accounts' | 'logins' | 'now'> {
  readonly handle: Handle<AccountCommand, undefined>;
  readonly tokens: Tokens;
  readonly endAccess: EndAccess;
}

const SESSION_HOURS = 24;

export const emailSchema = z.email().max(254).describe('E-mail address of the account.');
/** The minimum makes guessing hard; the maximum limits the cost of hashing. All characters are allowed. */
export const newPasswordSchema = z.string().min(12).max(200);

const sessionSchema = z.object({
  result: z.boolean(),
  access_token: z.string().describe('Token to send as `Authorization: Bearer <token>`.'),
  token_type: z.literal('Bearer'),
  expires_at: z
    .string()
    .meta({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' })
    .describe('End of validity, `YYYY-MM-DD HH:MM:SS` in the time zone of the business.'),
  expires_timestamp: z.int().describe('End of validity, in seconds since 1970 (UTC).'),
});

export function sessions({ handle, accounts, logins, tokens, endAccess, now }: SessionsOptions): Operation[] {
  return [
    operation({
      name: 'userLogin',
      area: 'User',
      summary: 'Sign in with e-mail address and password',
      description:
        'Returns an access token that is valid for 24 hours. Response and response time are the same for an unknown address and for a wrong password. After five consecutive failures the account is locked for the network of the caller: for two seconds, doubled with each additional failure up to 15 minutes. Sign-in from other networks remains possible. A network is also locked if sign-ins to many accounts fail from it.',
      rest: { method: 'post', path: '/v1/user/login' },
      callers: EVERYBODY,
      writes: true,
      answers: {
        401: 'The address or the password is wrong.',
        429: 'Sign-in is locked for the seconds in `Retry-After`.',
      },
      returnsCredential: true,
      input: z.object({ email: emailSchema, password: z.string().min(1).max(200) }),
      output: sessionSchema,
      async run({ email, password }, { cause, address }) {
        // A dry run must not issue a token and must not test passwords.
        if (cause.dryRun) throw new ApiError('NOT_REHEARSED');
        const signedIn = await logins.signIn(email, password, address);
        if (signedIn === 'refused') throw new ApiError('WRONG_CREDENTIALS');
        if ('lockedSeconds' in signedIn)
          throw new ApiError('LOCKED_OUT', {
            params: { seconds: signedIn.lockedSeconds },
            headers: { 'Retry-After': String(signedIn.lockedSeconds) },
          });
        const account = await accounts.byId(signedIn.account);
        if (account?.status !== 'active') throw new ApiError('WRONG_CREDENTIALS');
        const expires = now() + SESSION_HOURS * 3_600_000;
        const token = await tokens.add({
          id: randomUUID(),
          account: account.id,
          kind: 'login',
          scopes: [...scopesFor(account.role, PROFILES.full)],
          expiresAt: new Date(expires),
        });
        const timezone = account.business === null ? undefined : (await accounts.business(account.business))?.timezone;
        return {
          result: true,
          access_token: token,
          token_type: 'Bearer' as const,
          expires_at: localDateTime(expires, timezone ?? 'UTC'),
          expires_timestamp: Math.floor(expires / 1_000),
        };
      },
    }),
    operation({
      name: 'userLogout',
      area: 'User',
      summary: 'Sign out and revoke the token of this session',
      rest: { method: 'post', path: '/v1/user/logout' },
      callers: USERS,
      scopes: ['sessions:write'],
      writes: true,
      input: z.object({}),
      output: z.object({ result: z.boolean() }),
      async run(_input, { caller, cause }) {
        const { userId, tokenId } = userOf(caller);
        if (!cause.dryRun) await tokens.revoke(userId, tokenId);
        return { result: true };
      },
    }),
    operation({
      name: 'mePasswordSet',
      area: 'User',
      summary: 'Set a new password and end all other sessions',
      description:
        'Also revokes the access of all applications of the user. API keys remain valid unless `end_api_keys` is true. The response contains the numbers of revoked keys and of keys that remain valid.',
      rest: { method: 'put', path: '/v1/me/password' },
      returns: { read: 'me' },
      callers: USERS,
      scopes: ['sessions:write'],
      loginOnly: true,
      writes: true,
      awaits: ['accounts'],
      input: z.object({
        current_password: z.string().min(1).max(200),
        new_password: newPasswordSchema,
        end_api_keys: z.boolean().default(false).describe('Whether to revoke also the API keys of the user.'),
      }),
      output: z.object({ result: z.boolean(), ...passwordKeysOutput }),
      async run({ current_password, new_password, end_api_keys }, { caller, cause, commandId, address, wrote }) {
        const { userId, tokenId } = userOf(caller);
        if (cause.dryRun) throw new ApiError('NOT_REHEARSED');
        // Failures count as for a sign-in, so that this operation gives no additional way to guess passwords.
        const confirmation = await logins.confirm(userId, current_password, address);
        if (confirmation !== 'refused' && 'lockedSeconds' in confirmation)
          throw new ApiError('LOCKED_OUT', {
            params: { seconds: confirmation.lockedSeconds },
            headers: { 'Retry-After': String(confirmation.lockedSeconds) },
          });
        if (confirmation === 'refused') throw explainedError('WRONG_CREDENTIALS', 'WRONG_PASSWORD', 'current_password');
        await logins.setPassword(userId, new_password, address);
        const ended = await endAccess(userId, { keep: tokenId, keys: end_api_keys });
        wrote(
          (
            await handle(
              accountStream(userId),
              { do: 'passwordChanged', commandId, userId, endKeys: end_api_keys },
              cause,
            )
          ).position,
        );
        return { result: true, ...toPasswordKeys(ended) };
      },
    }),
  ];
}
