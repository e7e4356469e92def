/** Decides commands on an entry of an address book. */
import {
  ADDRESS_PREFIX,
  AddressChanged,
  AddressRemoved,
  AddressSaved,
  addressStream,
  type AddressEntry,
} from '../../events/addresses/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

/** The requested change. */
export type AddressChange =
  | { readonly do: 'save'; readonly entry: AddressEntry }
  | { readonly do: 'change'; readonly entry: Partial<AddressEntry> }
  | { readonly do: 'remove' }
  /** The personal data of the entry was erased: no owner needs the rest. */
  | { readonly do: 'erase' };

/**
 * `customerId`: the customer who sends the command and may change only their own entries. Absent: the command comes
 * from staff of the business.
 */
export type AddressCommand = EntityCommand &
  AddressChange & { readonly id: number; readonly customerId?: number | undefined };

/** The event of the command that created an entry. */
export const createdEventId = (id: number, commandId: string): string => derivedId(ADDRESS_PREFIX, id, commandId, 0);

interface AddressState {
  isSaved?: boolean;
  customerId?: number | undefined;
}

export const addresses = entity<AddressState, AddressCommand>({
  name: ADDRESS_PREFIX,
  makes: 'save',
  // Simultaneous saves of one address go to one stream. The first save creates the entry; the others change nothing.
  madeOnce: false,
  notFound: 'ADDRESS_NOT_FOUND',
  ends: [AddressRemoved],
  subject: (id) => addressStream(id as number),
  initial: () => ({}),
  decide(state, command) {
    const { id, business, customerId } = command;
    if (command.do === 'erase') return newEvent(AddressRemoved, {});
    if (command.do === 'save' && !state.isSaved)
      return newEvent(AddressSaved, { address_id: id, business, customer_id: customerId, ...command.entry });
    // Each owner gets the same error for entries of other owners as for missing entries.
    if (state.customerId !== customerId) throw new DomainError('ADDRESS_NOT_FOUND');
    if (command.do === 'remove') return newEvent(AddressRemoved, {});
    const isEmpty = command.do === 'save' || Object.values(command.entry).every((value) => value === undefined);
    return isEmpty ? undefined : newEvent(AddressChanged, command.entry);
  },
  evolve: (state, { type, data }) =>
    type === AddressSaved.type ? { isSaved: true, customerId: data['customer_id'] as number | undefined } : state,
});
