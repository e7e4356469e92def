/** Self-registration of drivers. The responses do not reveal which addresses have an account. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { businessCodeSchema } from '../../../events/businesses/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { EVERYBODY } from '../../core/callers.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { MakeAllowance } from '../../core/rate-limit.js';
import { nameSchema, phoneSchema, type NewAccount, type OpenAccount } from './open-account.js';
import { emailSchema, newPasswordSchema } from './sessions.js';

/** Minimum response time in milliseconds. It exceeds the duration of a registration, so that it reveals nothing. */
const MIN_RESPONSE_MS = 250;
/** Per client network and hour. A person registers once, an office a few times; the log keeps each for ever. */
const REGISTRATION_LIMIT = { points: 20, duration: 3_600 } as const;

type Registration = Pick<NewAccount, 'email' | 'password' | 'name' | 'phone'>;

export function registration(
  accounts: Pick<AccountQueries, 'businessByCode'>,
  open: OpenAccount,
  allowance: MakeAllowance,
  pause: (milliseconds: number) => Promise<unknown> = sleep,
): Operation[] {
  const limitRegistrations = allowance('driver-registrations', REGISTRATION_LIMIT);

  async function register(code: string, account: Registration, context: Context): Promise<void> {
    const business = await accounts.businessByCode(code);
    if (business)
      await open(
        { ...context, wrote: () => undefined },
        { ...account, role: 'driver', businessId: business.id, status: 'pending' },
      );
  }

  return [
    operation({
      name: 'driverRegister',
      area: 'Driver',
      summary: 'Register as a driver and wait for approval',
      description:
        'Creates a pending driver account. The driver can sign in after an admin of the business has enabled the account. Response and response time do not depend on whether the address is free or the business exists, so they do not reveal whether an account exists. A pending account does not reserve its e-mail address. An enabled account does.',
      rest: { method: 'post', path: '/v1/drivers/register', status: 202 },
      callers: EVERYBODY,
      writes: true,
      input: z.object({
        business_code: businessCodeSchema,
        email: emailSchema,
        password: newPasswordSchema,
        name: nameSchema,
        phone: phoneSchema.optional(),
      }),
      output: z.object({
        result: z.boolean(),
        registration: z.object({ status: z.literal('pending') }).meta({ id: 'DriverRegistration' }),
      }),
      async run({ business_code, ...account }, context) {
        await limitRegistrations(context.address);
        await Promise.all([register(business_code, account, context), pause(MIN_RESPONSE_MS)]);
        return { result: true, registration: { status: 'pending' as const } };
      },
    }),
  ];
}
