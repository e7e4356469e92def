/** The users of the demo business, and of a second business that must not see the data of the first. */
import { randomBytes } from 'node:crypto';
import type { Cause } from '../../commands/core/handle.js';
import { accountStream, type UserRole } from '../../events/accounts/events.js';
import { businessStream, type Module } from '../../events/businesses/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { createIds } from '../../engines/postgres/ids.js';
import { createLogins } from '../../engines/postgres/logins.js';
import type { Service } from '../service.js';

export interface DemoUser {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

const PEOPLE = {
  client_admin: { role: 'client_admin', business: 'demo' },
  employee: { role: 'employee', business: 'demo' },
  broker: { role: 'broker', business: 'demo' },
  broker_2: { role: 'broker', business: 'demo' },
  driver: { role: 'driver', business: 'demo' },
  customer: { role: 'customer', business: 'demo' },
  auditor: { role: 'auditor', business: 'demo' },
  platform_admin: { role: 'platform_admin', business: undefined },
  other_client_admin: { role: 'client_admin', business: 'other' },
  other_broker: { role: 'broker', business: 'other' },
} as const satisfies Record<string, { role: UserRole; business: 'demo' | 'other' | undefined }>;

export type DemoUsers = Readonly<Record<keyof typeof PEOPLE, DemoUser>>;

const BUSINESSES = {
  demo: { name: 'Demo Logistics', timezone: 'Europe/Berlin', modules: ['contractor_assignment'] },
  other: { name: 'Other Logistics', timezone: 'America/Toronto', modules: ['contractor_assignment'] },
} as const satisfies Record<string, { name: string; timezone: string; modules: readonly Module[] }>;

/**
 * Seeds the missing users. Ids are the same on each run. `before`: users from the last run, whose passwords are kept if
 * they are still valid.
 */
export async function seedPeople(
  { commands, engines: { pool, emailIndex } }: Pick<Service, 'commands' | 'engines'>,
  before: Partial<DemoUsers> | undefined,
  cause: Cause,
): Promise<{ readonly businessId: number; readonly timezone: string; readonly users: DemoUsers }> {
  const ids = createIds(pool);
  const logins = createLogins(pool, emailIndex);
  // Two processes that seed at the same time reserve the same ids.
  const reserveId = async (sequence: string, name: string) =>
    (await ids.reserve(sequence, 1, derivedId('seed', sequence, name), true))[0]!;
  const businessOf = async (code: string) =>
    (
      await pool.query<{ id: number }>('select id from businesses.businesses where code = $1 order by id limit 1', [
        code,
      ])
    ).rows[0]?.id;

  const businessIds: Record<string, number> = {};
  for (const [code, { name, timezone, modules }] of Object.entries(BUSINESSES)) {
    const id = (businessIds[code] = (await businessOf(code)) ?? (await reserveId('businesses', code)));
    await commands.businesses(
      businessStream(id),
      { do: 'register', commandId: derivedId('seed', 'business', code), id, code, name, timezone },
      cause,
    );
    for (const module of modules)
      await commands.businesses(
        businessStream(id),
        { do: 'switch', commandId: derivedId('seed', 'module', code, module), module, on: true },
        cause,
      );
  }

  const users: Record<string, DemoUser> = {};
  for (const [key, { role, business }] of Object.entries(PEOPLE)) {
    const email = `${key.replaceAll('_', '.')}@demo.example`;
    const userId = (await logins.accountOf(email)) ?? (await reserveId('users', key));
    const businessId = business && businessIds[business]!;
    await logins.claim(email, userId);
    const person = { email, name: `Demo ${key.replaceAll('_', ' ')}` };
    await commands.accounts(
      accountStream(userId),
      { do: 'open', commandId: derivedId('seed', 'user', key), userId, businessId, role, status: 'active', person },
      businessId === undefined ? cause : { ...cause, business: String(businessId) },
    );
    const known = before?.[key as keyof DemoUsers];
    const password =
      known?.id === userId && (await logins.matches(userId, known.password))
        ? known.password
        : randomBytes(18).toString('base64url');
    if (password !== known?.password) await logins.setPassword(userId, password);
    users[key] = { id: userId, email, password };
  }
  return { businessId: businessIds['demo']!, timezone: BUSINESSES.demo.timezone, users: users as DemoUsers };
}
