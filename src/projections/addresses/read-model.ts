/** The read model of address books: entries that are not removed. Personal data stays encrypted. */
import {
  ADDRESS_PREFIX,
  AddressChanged,
  AddressRemoved,
  AddressSaved,
  type AddressKind,
} from '../../events/addresses/events.js';
import { flag, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sealedDataOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of entries. */
export const ADDRESS_IDS = sequence('addresses', { readModel: 'addresses', table: 'addresses.addresses' });

const columns = {
  id: integer(),
  business: integer(),
  customer_id: optional(integer()),
  kind: text<AddressKind>(),
  country: optional(text()),
  /** Entries in the order of the log; later entries override earlier ones. */
  sealed: json<SealedMembers[]>(),
  /** Time when the entry became the default. The newest one of an owner and kind is the default. */
  default_at: optional(text()),
  removed: flag(),
  saved_at: text(),
  revision: integer(),
};
export type AddressRow = RowOf<typeof columns>;

export const addresses = table({
  name: 'addresses',
  version: 2,
  prefixes: [ADDRESS_PREFIX],
  columns,
  indexes: [
    '(business, customer_id, id) where not removed',
    // Erasure of a customer also finds removed entries.
    '(business, customer_id, id) where customer_id is not null',
    '(business, coalesce(customer_id, 0), kind, default_at) where default_at is not null',
  ],
  fold: startsWith(AddressSaved, ({ address_id, business, customer_id = null, kind, ...entry }, event): AddressRow => ({
    id: address_id,
    business,
    customer_id,
    kind,
    country: entry.address.country ?? null,
    sealed: [sealedDataOf(event)],
    default_at: entry.default ? recordedAt(event) : null,
    removed: false,
    saved_at: recordedAt(event),
    revision: event.revision,
  }))
    .on(AddressChanged, (changed, row, event) => ({
      ...(changed.kind && { kind: changed.kind }),
      ...(changed.address && { country: changed.address.country ?? null }),
      ...(changed.default !== undefined && { default_at: changed.default ? recordedAt(event) : null }),
      sealed: [...row.sealed, sealedDataOf(event)],
    }))
    .on(AddressRemoved, () => ({ removed: true, default_at: null, sealed: [] })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'addresses', { 'addresses.addresses': AddressRow }> {}
}
