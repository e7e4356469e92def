/** Address books: a business has one, and each of its customers has one. */
import { z } from 'zod';
import type { AddressCommand, AddressChange } from '../../../commands/addresses/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { compact } from '../../../events/core/compact.js';
import { ADDRESS_KINDS, addressStream } from '../../../events/addresses/events.js';
import type { Address, AddressOwner, AddressQueries } from '../../../projections/addresses/queries.js';
import { ADDRESS_IDS } from '../../../projections/addresses/read-model.js';
import { deleted, deletedSchema } from '../../core/deleted.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { createWrite } from '../../core/write.js';
import { stopInput } from '../orders/input.js';
import { stopSchema } from '../orders/output.js';
import { versionBy, versionSchema } from '../../core/versions.js';

const CALLERS = ['client_admin', 'employee', 'customer'] as const;
const READ = { area: 'AddressBook', callers: CALLERS, scopes: ['address:read'], reads: ['addresses'] } as const;
const WRITE = {
  area: 'AddressBook',
  callers: CALLERS,
  scopes: ['orders:write'],
  awaits: ['addresses'],
  writes: true,
  risk: 'medium',
} as const;
const ADDRESS_VERSION = versionBy('address_id', addressStream);
const NOT_FOUND = { 404: "The caller's address book has no entry with this id." };

const entryInput = {
  kind: z.enum(ADDRESS_KINDS),
  label: z.string().trim().min(1).max(100).optional().describe('Name that the owner gives the entry.'),
  address: stopInput,
  note: z.string().trim().min(1).max(500).optional(),
  is_default: z
    .boolean()
    .default(false)
    .describe('Whether requests without an address use this entry. The newest default of each kind counts.'),
};
const entrySchema = z
  .object({
    id: z.int(),
    kind: z.enum(ADDRESS_KINDS),
    label: z.string().optional(),
    address: stopSchema,
    note: z.string().optional(),
    is_default: z.boolean(),
    version: versionSchema,
  })
  .meta({ id: 'AddressBookEntry' });

/** A customer has a separate address book; all other callers use the book of the business. */
const ownerOf = (caller: Caller): AddressOwner => {
  const { role, userId } = userOf(caller);
  return { business: businessOf(caller), customerId: role === 'customer' ? userId : null };
};

const toEntry = ({ notes, default: is_default, address = {}, ...entry }: Address): z.infer<typeof entrySchema> => {
  const { id, kind, label, revision: version } = entry;
  return compact({ id, kind, label, address, note: notes, is_default, version });
};

/** Renames the members of an entry to the names used in events. */
function toStored<I extends { readonly note?: string | undefined; readonly is_default?: boolean | undefined }>({
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

export interface AddressesOptions {
  readonly handle: Handle<AddressCommand, undefined>;
  readonly queries: AddressQueries;
}

export function addressOperations({ handle, queries }: AddressesOptions): Operation[] {
  const write = createWrite(handle, addressStream);
  const send = async (id: number, context: Context, change: AddressChange) => {
    await write(id, context, { ...change, customerId: ownerOf(context.caller).customerId ?? undefined });
    return { result: true, address_id: id };
  };
  const writeOutput = z.object({ result: z.boolean() });

  return [
    operation({
      ...READ,
      name: 'addressBook',
      summary: 'List address book entries',
      description: 'Customers see their own address book. Staff see the address book of the business.',
      rest: { method: 'get', path: '/v1/address-book' },
      input: z.object({
        kind: z.enum(ADDRESS_KINDS).optional(),
        country: z.string().length(2).optional(),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, addresses: z.array(entrySchema) }),
      async run({ kind, country, ...page }, { caller }) {
        const { rows, ...found } = await queries.list({ kind, country, ...rangeOf(page) }, ownerOf(caller));
        return { ...pageOf(page, found), addresses: rows.map(toEntry) };
      },
    }),
    operation({
      ...READ,
      name: 'addressBookEntry',
      versioned: ADDRESS_VERSION,
      summary: 'Get an address book entry',
      rest: { method: 'get', path: '/v1/address-book/:address_id' },
      answers: NOT_FOUND,
      input: z.object({ address_id: idSchema }),
      output: z.object({ result: z.boolean(), address_book_entry: entrySchema }),
      async run({ address_id }, { caller }) {
        const found = await queries.byId(address_id, ownerOf(caller));
        if (!found) throw new ApiError('ADDRESS_NOT_FOUND');
        return { result: true, address_book_entry: toEntry(found) };
      },
    }),
    operation({
      ...WRITE,
      name: 'addressCreate',
      returns: { read: 'addressBookEntry' },
      summary: 'Create an address book entry',
      description: 'Customers add to their own address book, staff to the address book of the business.',
      rest: { method: 'post', path: '/v1/address-book', status: 201 },
      input: z.object(entryInput),
      output: writeOutput,
      async run(input, context) {
        const [id] = await context.reserveIds(ADDRESS_IDS, 1);
        return send(id!, context, { do: 'save', entry: { ...toStored(input), default: input.is_default } });
      },
    }),
    operation({
      ...WRITE,
      name: 'addressUpdate',
      versioned: ADDRESS_VERSION,
      returns: { read: 'addressBookEntry' },
      summary: 'Update an address book entry',
      description: 'Omitted fields keep their values.',
      rest: { method: 'patch', path: '/v1/address-book/:address_id' },
      answers: NOT_FOUND,
      input: z.object({
        address_id: idSchema,
        ...z.object({ ...entryInput, is_default: z.boolean() }).partial().shape,
      }),
      output: writeOutput,
      run: ({ address_id, ...input }, context) => send(address_id, context, { do: 'change', entry: toStored(input) }),
    }),
    operation({
      ...WRITE,
      name: 'addressDelete',
      versioned: ADDRESS_VERSION,
      summary: 'Delete an address book entry',
      description: 'Orders that were created from the entry keep their own copy of the address.',
      rest: { method: 'delete', path: '/v1/address-book/:address_id' },
      answers: NOT_FOUND,
      input: z.object({ address_id: idSchema }),
      output: deletedSchema,
      run: ({ address_id }, context) => deleted(send(address_id, context, { do: 'remove' })),
    }),
  ];
}
