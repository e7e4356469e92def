/** User accounts of a business: create, list, enable and disable them. */
import { z } from 'zod';
import type { AccountCommand } from '../../../commands/accounts/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { accountStream, ACCOUNT_STATUSES, USER_ROLES, type UserRole } from '../../../events/accounts/events.js';
import type { Account } from '../../../projections/accounts/queries.js';
import { userOf, type UserCaller } from '../../core/callers.js';
import { clearable, emptied } from '../../core/clearing.js';
import { explainedError, fieldError, invalidField } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { EndAccess } from '../../../engines/postgres/end-access.js';
import type { Tokens } from '../../../engines/postgres/tokens.js';
import type { Parts } from '../../core/parts.js';
import { emailSchema, newPasswordSchema } from './sessions.js';
import { nameSchema, phoneSchema, type OpenAccount } from './open-account.js';
import { passwordKeysOutput, toPasswordKeys } from './password-keys.js';
import { toUser, USER_VERSION, userSchema, USERS } from './shapes.js';
import { dryRunOf } from '../../../commands/core/handle.js';

const READ = {
  area: 'User',
  callers: ['platform_admin', 'client_admin', 'employee', 'auditor'],
  scopes: ['accounts:read'],
  reads: ['accounts'],
} as const;
const WRITE = {
  area: 'User',
  callers: ['platform_admin', 'client_admin'],
  scopes: ['accounts:write'],
  writes: true,
  awaits: ['accounts'],
} as const;
const writeOutput = z.object({ result: z.boolean() });
const userOutput = z.object({ result: z.boolean(), user: userSchema });

export function users(
  options: Parts<'accounts' | 'logins'> & {
    readonly handle: Handle<AccountCommand, undefined>;
    readonly endAccess: EndAccess;
    readonly tokens: Pick<Tokens, 'countKeys'>;
    readonly open: OpenAccount;
  },
): Operation[] {
  const { handle, accounts, logins, endAccess, tokens, open } = options;

  /** The account, if the caller may manage it; throws NOT_FOUND for an account of another business. */
  async function expectManaged(caller: UserCaller, id: number): Promise<Account> {
    const account = await accounts.byId(id);
    const isManaged =
      caller.role === 'platform_admin'
        ? account?.role === 'platform_admin' || account?.role === 'client_admin'
        : account?.business === caller.businessId;
    if (!account || !isManaged) throw fieldError('NOT_FOUND', 'user_id');
    return account;
  }

  const setStatus = (name: 'userEnable' | 'userDisable', verb: 'enable' | 'disable', summary: string) =>
    operation({
      ...WRITE,
      name,
      versioned: USER_VERSION,
      summary,
      returns: { read: 'user' },
      rest: { method: 'post', path: `/v1/users/:user_id/${verb}` },
      risk: 'high',
      input: z.object({ user_id: idSchema }),
      output: writeOutput,
      async run({ user_id }, { caller, cause, commandId, wrote }) {
        const user = userOf(caller);
        const { status } = await expectManaged(user, user_id);
        if (user_id === user.userId) throw explainedError('CONFLICT', 'OWN_ACCOUNT', 'user_id');
        const command = { do: verb, commandId, userId: user_id } as const;
        if (verb === 'enable' && !cause.dryRun) await handle(accountStream(user_id), command, dryRunOf(cause));
        // A crash while disabling may have left valid tokens. Delete them before the account is enabled again.
        if (verb === 'enable' && status === 'disabled' && !cause.dryRun) await endAccess(user_id, { keys: true });
        if (verb === 'enable' && !cause.dryRun && !(await logins.prove(user_id)))
          throw fieldError('EMAIL_TAKEN', 'user_id');
        wrote((await handle(accountStream(user_id), command, cause)).position);
        // Tokens of a disabled account are already refused by its status; this deletes them for good.
        if (verb === 'disable' && !cause.dryRun) await endAccess(user_id, { keys: true });
        return { result: true };
      },
    });

  return [
    operation({
      ...WRITE,
      name: 'userCreate',
      returns: { read: 'user' },
      summary: 'Create a user account',
      description:
        'The account is active immediately. Client admins create accounts in their own business. Platform admins create accounts of client admins (with `business_id`) and of platform admins.',
      rest: { method: 'post', path: '/v1/users', status: 201 },
      risk: 'high',
      answers: { 409: 'Another account has this e-mail address (`EMAIL_TAKEN`).' },
      input: z.object({
        email: emailSchema,
        password: newPasswordSchema,
        name: nameSchema,
        phone: phoneSchema.optional(),
        role: z.enum(USER_ROLES),
        business_id: idSchema
          .optional()
          .describe('Business of the account. Required when a platform admin creates a client admin.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ business_id, role, ...account }, context) {
        return {
          result: true,
          user_id: await open(context, {
            ...account,
            role,
            businessId: await businessFor(userOf(context.caller), role, business_id),
            status: 'active',
          }),
        };
      },
    }),
    operation({
      ...READ,
      name: 'users',
      summary: 'List user accounts',
      description:
        'Callers see the accounts of their business. Platform admins see client admins or, with `role` `platform_admin`, platform admins.',
      rest: { method: 'get', path: '/v1/users' },
      input: z.object({
        role: z.enum(USER_ROLES).optional(),
        status: z.enum(ACCOUNT_STATUSES).optional(),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, users: z.array(userSchema) }),
      async run({ role, status, ...page }, { caller }) {
        const { businessId, role: callerRole } = userOf(caller);
        // Platform admins see the accounts that they manage, not the other accounts of a business.
        const roleFilter = callerRole === 'platform_admin' ? (role === 'platform_admin' ? role : 'client_admin') : role;
        const { accounts: found, ...listed } = await accounts.list({
          business: businessId,
          role: roleFilter,
          status,
          ...rangeOf(page),
        });
        return { ...pageOf(page, listed), users: found.map(toUser) };
      },
    }),
    operation({
      ...READ,
      name: 'user',
      versioned: USER_VERSION,
      summary: 'Get a user account',
      description: 'Callers find accounts of their business. Platform admins find client admins and platform admins.',
      rest: { method: 'get', path: '/v1/users/:user_id' },
      input: z.object({ user_id: idSchema }),
      output: userOutput,
      run: async ({ user_id }, { caller }) => ({
        result: true,
        user: toUser(await expectManaged(userOf(caller), user_id)),
      }),
    }),
    operation({
      name: 'me',
      area: 'User',
      summary: 'Get your account and the permissions of your token',
      description:
        'Returns the account of the caller, the scopes of the token, and the modules and time zone of the business.',
      rest: { method: 'get', path: '/v1/me' },
      callers: USERS,
      reads: ['accounts'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), user: userSchema }),
      async run(_input, { caller }) {
        const { userId: id, scopes, modules, timezone } = userOf(caller);
        return {
          result: true,
          user: {
            ...toUser((await accounts.byId(id))!),
            scopes: [...scopes].sort(),
            modules: [...modules].sort(),
            timezone,
          },
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'userUpdate',
      versioned: USER_VERSION,
      returns: { read: 'user' },
      summary: 'Update the name or phone number of a user',
      description: 'Omitted fields keep their values.',
      rest: { method: 'patch', path: '/v1/users/:user_id' },
      risk: 'medium',
      input: z.object({ user_id: idSchema, name: nameSchema.optional(), phone: clearable(phoneSchema) }),
      output: writeOutput,
      async run({ user_id, ...changed }, { caller, cause, commandId, wrote }) {
        const person = emptied(changed, 'phone');
        await expectManaged(userOf(caller), user_id);
        if (Object.values(person).some((value) => value !== undefined))
          wrote(
            (await handle(accountStream(user_id), { do: 'change', commandId, userId: user_id, person }, cause))
              .position,
          );
        return { result: true };
      },
    }),
    setStatus('userEnable', 'enable', 'Enable a user account'),
    setStatus('userDisable', 'disable', 'Disable a user account and end its sessions and keys'),
    operation({
      ...WRITE,
      name: 'userPasswordReset',
      versioned: USER_VERSION,
      returns: { read: 'user' },
      summary: 'Reset the password of a user',
      description:
        'Ends all sessions of the account, and revokes its API keys and the access of its applications. The response contains the number of revoked keys.',
      rest: { method: 'post', path: '/v1/users/:user_id/password' },
      risk: 'high',
      input: z.object({ user_id: idSchema, new_password: newPasswordSchema }),
      output: z.object({ ...writeOutput.shape, ...passwordKeysOutput }),
      async run({ user_id, new_password }, { caller, cause, commandId, address, wrote }) {
        await expectManaged(userOf(caller), user_id);
        const command = { do: 'passwordChanged', commandId, userId: user_id, endKeys: true } as const;
        // A dry run has no effect, so it reports the keys that the reset would revoke.
        if (cause.dryRun) {
          await handle(accountStream(user_id), command, cause);
          return { result: true, ...toPasswordKeys({ keys: { revoked: await tokens.countKeys(user_id), kept: 0 } }) };
        }
        await handle(accountStream(user_id), command, dryRunOf(cause));
        await logins.setPassword(user_id, new_password, address);
        const ended = await endAccess(user_id, { keys: true });
        wrote((await handle(accountStream(user_id), command, cause)).position);
        return { result: true, ...toPasswordKeys(ended) };
      },
    }),
  ];

  /** The business of the new account; throws if the caller may not create such an account. */
  async function businessFor(
    caller: UserCaller,
    role: UserRole,
    requestedBusiness: number | undefined,
  ): Promise<number | undefined> {
    if (caller.role !== 'platform_admin') {
      if (role === 'platform_admin')
        throw explainedError('FORBIDDEN', 'ROLE_NOT_ALLOWED', 'role', { params: { role } });
      if (requestedBusiness !== undefined && requestedBusiness !== caller.businessId)
        throw explainedError('FORBIDDEN', 'FIELD_NOT_ALLOWED', 'business_id');
      return caller.businessId;
    }
    if (role === 'platform_admin') return undefined;
    if (role !== 'client_admin') throw explainedError('FORBIDDEN', 'ROLE_NOT_ALLOWED', 'role', { params: { role } });
    if (requestedBusiness === undefined) throw invalidField('REQUIRED', 'business_id');
    if (!(await accounts.business(requestedBusiness))) throw fieldError('NOT_FOUND', 'business_id');
    return requestedBusiness;
  }
}
