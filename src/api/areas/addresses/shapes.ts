/** Entries of address books in requests and responses. */
import { z } from 'zod';
import { compact } from '../../../events/core/compact.js';
import { ADDRESS_KINDS } from '../../../events/addresses/events.js';
import type { Address, AddressOwner } from '../../../projections/addresses/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { versionSchema } from '../../core/versions.js';
import { stopInput } from '../orders/input.js';
import { stopSchema } from '../orders/output.js';

export const entryInput = {
  kind: z.enum(ADDRESS_KINDS),
  label: z.string().trim().min(1).max(100).optional().describe('Name that the owner gives the entry.'),
  address: stopInput,
  note: z.string().trim().min(1).max(500).optional(),
  is_default: z
    .boolean()
    .default(false)
    .describe(
      'Whether requests without an address use this entry. If several entries of a kind are defaults, requests use the newest one.',
    ),
};
export type EntryInput = z.infer<z.ZodObject<typeof entryInput>>;

export const entrySchema = z
  .object({
    id: z.int(),
    kind: z.enum(ADDRESS_KINDS),
    label: z.string().optional(),
    address: stopSchema,
    note: z.string().optional(),
    is_default: z.boolean(),
    order_count: z
      .int()
      .describe('Number of orders that were created with `address_id`. The number is updated with a short delay.'),
    last_used_at: z.iso.datetime().nullable().describe('Time at which the last of these orders was created.'),
    version: versionSchema,
  })
  .meta({ id: 'AddressBookEntry' });

/** Text that addresses are searched by. */
export const searchInput = z.string().trim().min(2).max(200);

/** A customer has a separate address book; all other callers use the book of the business. */
export const ownerOf = (caller: Caller): AddressOwner => {
  const { role, userId } = userOf(caller);
  return { business: businessOf(caller), customerId: role === 'customer' ? userId : null };
};

export const toEntry = ({
  notes,
  default: is_default,
  address = {},
  ordersCount,
  lastUsedAt,
  ...entry
}: Address): z.infer<typeof entrySchema> => {
  const { id, kind, label, revision: version } = entry;
  return {
    ...compact({ id, kind, label: label || undefined, address, note: notes || undefined, is_default }),
    order_count: ordersCount,
    last_used_at: lastUsedAt,
    version,
  };
};

/** Renames the members of an entry to the names used in events. */
export function toStored<I extends { readonly note?: string | undefined; readonly is_default?: boolean | undefined }>({
  note,
  is_default,
  ...entry
}: I) {
  return {
    ...entry,
    ...(note !== undefined && { notes: note }),
    ...(is_default !== undefined && { default: is_default }),
  };
}
