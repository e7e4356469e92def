/**
 * `admin user add | rotate | revoke`, `admin business add`: the first people of an installation; they do the rest over
 * the API.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { accountStream, USER_ROLES, type UserRole } from '../../events/accounts/events.js';
import { businessCodeSchema, businessStream, timezoneSchema } from '../../events/businesses/events.js';
import { createIds } from '../../engines/postgres/ids.js';
import { createLogins, type Logins } from '../../engines/postgres/logins.js';
import { createTokens } from '../../engines/postgres/tokens.js';
import { emailSchema } from '../../api/areas/accounts/sessions.js';
import { readArgs, UsageError, type Command, type Context } from '../command.js';
import { withWorkbench, type Workbench } from '../engines.js';
import { operatorCause } from './provider-id.js';

const newPassword = (): string => randomBytes(18).toString('base64url');

export const addBusiness: Command = {
  name: 'business add',
  usage: '<code> --name <name> [--timezone <IANA name>]',
  summary: 'Registers a business and prints its id.',

  async run(args, context) {
    const {
      positionals: [code],
      values,
    } = readArgs(args, ['code'], { name: { type: 'string' }, timezone: { type: 'string', default: 'UTC' } });
    const name = values.name?.trim();
    if (!name) throw new UsageError('--name is missing.');
    if (!businessCodeSchema.safeParse(code).success)
      throw new UsageError('<code> takes lower-case letters, digits and hyphens.');
    if (!timezoneSchema.safeParse(values.timezone).success)
      throw new UsageError(`What timezone is ${values.timezone}?`);
    return withWorkbench(context, async ({ engines, commands, catchUp }) => {
      await catchUp();
      const { rowCount } = await engines.pool.query('select from businesses.businesses where code = $1', [code]);
      if (rowCount) throw new Error(`There is a business ${code} already.`);
      const commandId = randomUUID();
      const [id] = await createIds(engines.pool).reserve('businesses', 1, commandId, false);
      await commands.businesses(
        businessStream(id!),
        { do: 'register', commandId, id: id!, code: code!, name, timezone: values.timezone },
        operatorCause(),
      );
      await catchUp();
      await context.print(String(id));
    });
  },
};

export const addUser: Command = {
  name: 'user add',
  usage: '<e-mail> --name <name> --role <role> [--business <code>]',
  summary: `Opens an account and prints its password, alone on its line. --role: ${USER_ROLES.join(', ')}; all but platform_admin need --business.`,

  async run(args, context) {
    const {
      positionals: [email],
      values,
    } = readArgs(args, ['e-mail'], {
      name: { type: 'string' },
      role: { type: 'string' },
      business: { type: 'string' },
    });
    const name = values.name?.trim();
    const role = USER_ROLES.find((known) => known === values.role);
    if (!emailSchema.safeParse(email).success) throw new UsageError(`What address is ${email}?`);
    if (!name) throw new UsageError('--name is missing.');
    if (!role) throw new UsageError(`--role takes one of ${USER_ROLES.join(', ')}.`);
    if ((role === 'platform_admin') !== (values.business === undefined))
      throw new UsageError(
        role === 'platform_admin' ? 'A platform admin belongs to no business.' : '--business is missing.',
      );
    return withWorkbench(context, async (workbench) => {
      const password = await openAccount(workbench, { email: email!, name, role, business: values.business });
      await context.print(password);
    });
  },
};

async function openAccount(
  { engines, commands, catchUp }: Workbench,
  { email, name, role, business }: { email: string; name: string; role: UserRole; business: string | undefined },
): Promise<string> {
  await catchUp();
  const businessId =
    business === undefined
      ? undefined
      : (await engines.pool.query<{ id: number }>('select id from businesses.businesses where code = $1', [business]))
          .rows[0]?.id;
  if (business !== undefined && businessId === undefined) throw new Error(`There is no business ${business}.`);
  const logins = createLogins(engines.pool, engines.emailIndex);
  const commandId = randomUUID();
  const [userId] = await createIds(engines.pool).reserve('users', 1, commandId, false);
  if (!(await logins.claim(email, userId!)))
    throw new Error('Another account has this address; "user rotate" gives it a new password.');
  const cause = { ...operatorCause(), ...(businessId !== undefined && { business: String(businessId) }) };
  await commands.accounts(
    accountStream(userId!),
    { do: 'open', commandId, userId: userId!, businessId, role, status: 'active', person: { email, name } },
    cause,
  );
  const password = newPassword();
  await logins.setPassword(userId!, password);
  await catchUp();
  return password;
}

export const rotateUser: Command = {
  name: 'user rotate',
  usage: '<e-mail>',
  summary: 'A new password, alone on its line; all sessions of the user end.',

  async run(args, context) {
    return withUser(args, context, async ({ engines, commands }, logins, userId) => {
      const password = newPassword();
      await logins.setPassword(userId, password);
      await createTokens(engines.pool).revokeAll(userId, { kind: 'login' });
      await commands.accounts(
        accountStream(userId),
        { do: 'passwordChanged', commandId: randomUUID(), userId },
        operatorCause(),
      );
      await context.print(password);
    });
  },
};

export const revokeUser: Command = {
  name: 'user revoke',
  usage: '<e-mail>',
  summary: 'Shuts a user out, at once: sessions and API keys are gone.',

  async run(args, context) {
    return withUser(args, context, async ({ engines, commands, catchUp }, _logins, userId) => {
      await commands.accounts(
        accountStream(userId),
        { do: 'disable', commandId: randomUUID(), userId },
        operatorCause(),
      );
      const taken = await createTokens(engines.pool).revokeAll(userId);
      await catchUp();
      context.note(`The account ${userId} is disabled; ${taken} ${taken === 1 ? 'token' : 'tokens'} revoked.`);
    });
  },
};

async function withUser(
  args: readonly string[],
  context: Context,
  use: (workbench: Workbench, logins: Logins, userId: number) => Promise<void>,
): Promise<void> {
  const {
    positionals: [email],
  } = readArgs(args, ['e-mail'], {});
  return withWorkbench(context, async (workbench) => {
    const logins = createLogins(workbench.engines.pool, workbench.engines.emailIndex);
    const userId = await logins.accountOf(email!);
    if (userId === undefined) throw new Error('Nobody has this address.');
    await use(workbench, logins, userId);
  });
}
