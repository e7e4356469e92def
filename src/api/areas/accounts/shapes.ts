/** Users as the API returns them. */
import { z } from 'zod';
import { ACCOUNT_STATUSES, accountStream, USER_ROLES } from '../../../events/accounts/events.js';
import type { Account } from '../../../projections/accounts/queries.js';
import { versionBy, versionSchema } from '../../core/versions.js';

export const USERS = USER_ROLES;

/** API keys of the user are in the same stream, and raise the version, too. */
export const USER_VERSION = versionBy('user_id', accountStream);

export const userSchema = z
  .object({
    id: z.int(),
    business_id: z.int().nullable(),
    role: z.enum(USER_ROLES),
    status: z.enum(ACCOUNT_STATUSES),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    created_at: z.string(),
    version: versionSchema,
    scopes: z
      .array(z.string())
      .optional()
      .describe('Scopes of the calling token. Present only in the response of `me`.'),
    modules: z
      .array(z.string())
      .optional()
      .describe('Modules enabled for the business. Present only in the response of `me`.'),
    timezone: z
      .string()
      .optional()
      .describe('Time zone of the business (IANA name). Present only in the response of `me`.'),
  })
  .meta({ id: 'User' });

/** Erased fields are null. */
export function toUser({
  id,
  business,
  role,
  status,
  name,
  email,
  phone,
  created_at,
  revision,
}: Account): z.infer<typeof userSchema> {
  return {
    id,
    business_id: business,
    role,
    status,
    name: name ?? null,
    email: email ?? null,
    phone: phone || null,
    created_at,
    version: revision,
  };
}
