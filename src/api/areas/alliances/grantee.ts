/** Reads of another business's data through its grants, with the input `business_id` of ordinary operations. */
import { z } from 'zod';
import type { Taker } from '../../../projections/alliances/active-grants.js';
import { businessOf, userOf, isStaff, type Caller } from '../../core/callers.js';
import { idSchema } from '../../core/ids.js';

export const clientInput = {
  business_id: idSchema
    .optional()
    .describe('Id of another business, to read the data that it has granted. Default: your own business.'),
};
export const viaSchema = z
  .object({ alliance_id: z.int(), grant_id: z.int() })
  .meta({ id: 'ViaAlliance' })
  .optional()
  .describe('Grant that allowed the read. Present only if the request has `business_id`.');

/**
 * The reader and the giver if `clientId` is another business; undefined for the caller's own business.
 * `mayUseGrants`: whether the caller's role may use grants. Only client admins, employees and auditors may.
 */
export function granteeOf(
  caller: Caller,
  clientId: number | undefined,
): (Taker & { readonly mayUseGrants: boolean }) | undefined {
  if (clientId === undefined || clientId === userOf(caller).businessId) return undefined;
  const { userId } = userOf(caller);
  return { business: businessOf(caller), userId, giver: clientId, mayUseGrants: isStaff(caller) };
}
