/** Creation of an account. An active account claims its e-mail address; a pending one only records it. */
import { z } from 'zod';
import type { AccountCommand } from '../../../commands/accounts/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { Logins } from '../../../engines/postgres/logins.js';
import { accountStream, type UserRole } from '../../../events/accounts/events.js';
import { USER_IDS } from '../../../projections/accounts/read-model.js';
import { fieldError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';

export const nameSchema = z.string().trim().min(1).max(200);
export const phoneSchema = z
  .string()
  .trim()
  .min(3)
  .max(32)
  .regex(/^[+0-9 ().\/-]+$/)
  .describe('Phone number: digits, spaces and the characters `+().-/`.');

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly phone?: string | undefined;
  readonly role: UserRole;
  readonly businessId: number | undefined;
  readonly status: 'active' | 'pending';
}

/** Returns the id of the new account; throws EMAIL_TAKEN. */
export type OpenAccount = (context: Context, account: NewAccount) => Promise<number>;

export const createOpenAccount =
  (handle: Handle<AccountCommand, undefined>, logins: Logins): OpenAccount =>
  async (context, { email, password, role, businessId, status, name, phone }) => {
    const { commandId, cause, address, reserveIds, wrote } = context;
    const [id] = await reserveIds(USER_IDS, 1);
    if (!cause.dryRun) {
      // A pending account has not proved that the address is its own, so the address stays free for its real owner.
      if (status === 'pending') await logins.note(email, id!);
      else if (!(await logins.claim(email, id!))) throw fieldError('EMAIL_TAKEN', 'email');
    }
    const { position } = await handle(
      accountStream(id!),
      { do: 'open', commandId, userId: id!, businessId, role, status, person: { email, name, phone } },
      cause,
    );
    if (!cause.dryRun) await logins.setPassword(id!, password, address);
    wrote(position);
    return id!;
  };
