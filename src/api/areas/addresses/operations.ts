/** Address books: a business has one, and each of its customers has one. */
import { z } from 'zod';
import type { AddressCommand, AddressChange } from '../../../commands/addresses/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { ADDRESS_KINDS, addressStream } from '../../../events/addresses/events.js';
import type { AddressQueries } from '../../../projections/addresses/queries.js';
import { ADDRESS_IDS } from '../../../projections/addresses/read-model.js';
import { clearable, emptied } from '../../core/clearing.js';
import { deleted, deletedSchema } from '../../core/deleted.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { createWrite } from '../../core/write.js';
import { versionBy } from '../../core/versions.js';
import { countryInput } from '../orders/input.js';
import type { Saving } from './saving.js';
import { entryInput, entrySchema, ownerOf, searchInput, toEntry, toStored } from './shapes.js';

const CALLERS = ['client_admin', 'employee', 'customer'] as const;
const READ = {
  area: 'AddressBook',
  callers: CALLERS,
  scopes: ['address:read'],
  reads: ['addresses', 'address_uses'],
} as const;
const WRITE = {
  area: 'AddressBook',
  callers: CALLERS,
  scopes: ['orders:write'],
  awaits: ['addresses', 'address_search'],
  writes: true,
  risk: 'medium',
} as const;
const ADDRESS_VERSION = versionBy('address_id', addressStream);
const NOT_FOUND = { 404: "The caller's address book has no entry with this id." };

export interface AddressesOptions {
  readonly handle: Handle<AddressCommand, undefined>;
  readonly queries: Pick<AddressQueries, 'byId' | 'list'>;
  readonly saving: Saving;
}

export function addressOperations({ handle, queries, saving }: AddressesOptions): Operation[] {
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
      reads: [...READ.reads, 'address_search'],
      summary: 'List address book entries',
      description: 'Customers see their own address book. Staff see the address book of the business.',
      rest: { method: 'get', path: '/v1/address-book' },
      input: z.object({
        kind: z.enum(ADDRESS_KINDS).optional(),
        country: countryInput.optional(),
        query: searchInput
          .optional()
          .describe('Search text: words of the label, name, company or address. The search tolerates typing errors.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, addresses: z.array(entrySchema) }),
      async run({ kind, country, query, ...page }, { caller }) {
        const { rows, ...found } = await queries.list({ kind, country, query, ...rangeOf(page) }, ownerOf(caller));
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
      description:
        'Customers add to their own address book, staff to the address book of the business. If the book already has the same address, no entry is created: the response has the existing entry, unchanged, and `existing` is true. Two addresses are the same if they differ only in case, accents, spaces, punctuation or short forms such as `Apt.`. Addresses with different names or companies are different. A book has at most 50,000 entries.',
      rest: { method: 'post', path: '/v1/address-book', status: 201 },
      input: z.object(entryInput),
      output: z.object({
        result: z.boolean(),
        existing: z.boolean().describe('True: the address book already had this address.'),
      }),
      async run(input, { caller, commandId, cause, reserveIds, wrote }) {
        const [id] = await reserveIds(ADDRESS_IDS, 1);
        const entry = { ...toStored(input), default: input.is_default };
        const saved = await saving.save({ id: id!, owner: ownerOf(caller), entry, commandId }, cause);
        wrote(saved.position);
        return { result: true, existing: saved.existing, address_id: saved.id };
      },
    }),
    operation({
      ...WRITE,
      name: 'addressUpdate',
      versioned: ADDRESS_VERSION,
      returns: { read: 'addressBookEntry' },
      summary: 'Update an address book entry',
      description: 'Omitted fields keep their values; null clears `label` and `note`.',
      rest: { method: 'patch', path: '/v1/address-book/:address_id' },
      answers: NOT_FOUND,
      input: z.object({
        address_id: idSchema,
        ...z.object({ ...entryInput, is_default: z.boolean() }).partial().shape,
        label: clearable(entryInput.label.unwrap()),
        note: clearable(entryInput.note.unwrap()),
      }),
      output: writeOutput,
      async run({ address_id, ...input }, context) {
        const result = await send(address_id, context, {
          do: 'change',
          entry: toStored(emptied(input, 'label', 'note')),
        });
        if (!context.cause.dryRun) await saving.changed(address_id, ownerOf(context.caller), input.address);
        return result;
      },
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
      async run({ address_id }, context) {
        const result = await deleted(send(address_id, context, { do: 'remove' }));
        if (!context.cause.dryRun) await saving.removed(address_id);
        return result;
      },
    }),
  ];
}
