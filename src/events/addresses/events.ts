/** Events of an address book entry. Stream `address-<id>`, which is also the key subject of its personal data. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { stopSchema } from '../orders/address.js';

export const ADDRESS_PREFIX = 'address-';
export const addressStream = (id: number): string => `${ADDRESS_PREFIX}${id}`;

export const ADDRESS_KINDS = ['recipient', 'sender', 'pickup', 'return'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

const entry = {
  kind: z.enum(ADDRESS_KINDS),
  /** Free text of its owner. Empty: removed. */
  label: personal(z.string()),
  address: stopSchema,
  /** Empty: removed. */
  notes: personal(z.string()),
  /**
   * The default entry, used if no entry is named. If several entries of an owner and kind are marked, the newest one is
   * the default.
   */
  default: z.boolean(),
};
export const addressEntrySchema = z.object(entry);
export type AddressEntry = z.infer<typeof addressEntrySchema>;

export const AddressSaved = eventType(
  'AddressSaved',
  /** `customer_id`: the customer account that owns the entry; absent: the business. */
  z.object({ address_id: z.int(), business: z.int(), customer_id: z.int().optional(), ...entry }),
);
export type AddressSavedData = z.infer<typeof AddressSaved.schema>;
/** Absent members are unchanged. */
export const AddressChanged = eventType('AddressChanged', addressEntrySchema.partial());
export const AddressRemoved = eventType('AddressRemoved', z.object({}));

export const ADDRESS_EVENTS = [AddressSaved, AddressChanged, AddressRemoved] as const;
