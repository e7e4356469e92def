/**
 * `admin user add | rotate | revoke`, `admin business add`: creates the first users of an installation. These
 * users do everything else over the API.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { accountStream, USER_ROLES, type UserRole } from '../../events/accounts/events.js';
import { businessCodeSchema, businessStream, timezoneSchema } from '../../events/businesses/events.js';
import { createIds } from '../../engines/postgres/ids.js';
import { createLogins, type Logins } from '../../engines/postgres/logins.js';
import { createEndAccess } from '../../engines/postgres/end-access.js';
import { emailSchema } from '../../api/areas/accounts/sessions.js';
import { command, UsageError, type Context } from '../command.js';
import { withWorkbench, type Workbench } from '../engines.js';
import { operatorCause } from './provider-id.js';

const newPassword = (): string => randomBytes(18).toString('base64url');

export const addBusiness = command({
  name: 'business add',
  summary: 'Register a business and print its id.',

  args: ['code'],
  options: {
    name: { value: '<name>', about: 'Display name.' },
    timezone: { value: '<IANA name>', about: 'Timezone of its days and times.', default: 'UTC' },
  },

  async run({ positionals: [code], values }, context) {
    const name = values.name?.trim();
    if (!name) throw new UsageError('--name is missing.');
    if (!businessCodeSchema.safeParse(code).success)
      throw new UsageError('<code> must consist of lower-case letters, digits and hyphens.');
    if (!timezoneSchema.safeParse(values.timezone).success)
      throw new UsageError(`Unknown timezone ${values.timezone}.`);
    return withWorkbench(context, async ({ engines, commands, catchUp }) => {
      await catchUp();
      const { rowCount } = await engines.pool.query('select from businesses.businesses where code = $1', [code]);
      if (rowCount) throw new Error(`The business ${code} already exists.`);
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
});

export const addUser = command({
  name: 'user add',
  summary: 'Create an account and print its password on a separate line.',

  args: ['e-mail'],
  options: {
    name: { value: '<name>', about: 'Display name.' },
    role: { value: '<role>', about: USER_ROLES.join(', ') },
    business: { value: '<code>', about: 'Business of the account; for all roles except platform_admin.' },
  },

  async run({ positionals: [email], values }, context) {
    const name = values.name?.trim();
    const role = USER_ROLES.find((known) => known === values.role);
    if (!emailSchema.safeParse(email).success) throw new UsageError(`Invalid e-mail address ${email}.`);
    if (!name) throw new UsageError('--name is missing.');
    if (!role) throw new UsageError(`--role requires one of ${USER_ROLES.join(', ')}.`);
    if ((role === 'platform_admin') !== (values.business === undefined))
      throw new UsageError(
        role === 'platform_admin' ? 'A platform admin belongs to no business.' : '--business is missing.',
      );
    return withWorkbench(context, async (workbench) => {
      const password = await openAccount(workbench, { email: email!, name, role, business: values.business });
      await context.print(password);
    });
  },
});

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
  if (business !== undefined && businessId === undefined) throw new Error(`The business ${business} does not exist.`);
  const logins = createLogins(engines.pool, engines.emailIndex, engines);
  const commandId = randomUUID();
  const [userId] = await createIds(engines.pool).reserve('users', 1, commandId, false);
  if (!(await logins.claim(email, userId!)))
    throw new Error('Another account has this address; "user rotate" creates a new password for it.');
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

export const rotateUser = command({
  name: 'user rotate',
  summary: 'Print a new password on a separate line, and revoke all sessions, API keys and applications of the user.',

  args: ['e-mail'],

  async run({ positionals: [email] }, context) {
    return withUser(email, context, async ({ engines, commands }, logins, userId) => {
      const password = newPassword();
      await logins.setPassword(userId, password);
      const { keys } = await createEndAccess(engines)(userId, { keys: true });
      await commands.accounts(
        accountStream(userId),
        { do: 'passwordChanged', commandId: randomUUID(), userId, endKeys: true },
        operatorCause(),
      );
      await context.print(password);
      context.note(`${keys.revoked} ${keys.revoked === 1 ? 'API key' : 'API keys'} revoked.`);
    });
  },
});

export const revokeUser = command({
  name: 'user revoke',
  summary: 'Disable an account immediately and revoke its sessions and API keys.',

  args: ['e-mail'],

  async run({ positionals: [email] }, context) {
    return withUser(email, context, async ({ engines, commands, catchUp }, _logins, userId) => {
      await commands.accounts(
        accountStream(userId),
        { do: 'disable', commandId: randomUUID(), userId },
        operatorCause(),
      );
      const { tokens: taken } = await createEndAccess(engines)(userId, { keys: true });
      await catchUp();
      context.note(`The account ${userId} is disabled; ${taken} ${taken === 1 ? 'token' : 'tokens'} revoked.`);
    });
  },
});

async function withUser(
  email: string,
  context: Context,
  use: (workbench: Workbench, logins: Logins, userId: number) => Promise<void>,
): Promise<void> {
  return withWorkbench(context, async (workbench) => {
    const logins = createLogins(workbench.engines.pool, workbench.engines.emailIndex);
    const userId = await logins.accountOf(email);
    if (userId === undefined) throw new Error('No account has this address.');
    await use(workbench, logins, userId);
  });
}
