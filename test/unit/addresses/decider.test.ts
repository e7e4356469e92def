/** Entries of an address book: each owner sees and changes only its own entries. */
import { expect } from 'chai';
import { addresses, type AddressCommand } from '../../../src/commands/addresses/decider.js';
import type { AddressEntry } from '../../../src/events/addresses/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<AddressCommand>(7);
const entry: AddressEntry = { kind: 'recipient', address: { city: 'Berlin', country: 'DE' }, default: true };
const save = (customerId?: number) => of({ do: 'save', entry, customerId });

describe('the decider of address books', () => {
  it('saves an entry with its owner once', () => {
    const command = save(5);
    const saved = given(addresses).when(command);
    expect(saved.facts).to.deep.equal([
      { type: 'AddressSaved', data: { address_id: 7, business: 1, customer_id: 5, ...entry } },
    ]);
    expect(saved.then.when(command).types, 'a retry').to.deep.equal([]);
    expect(saved.then.when(save(5)).types, 'a simultaneous save of the same address').to.deep.equal([]);
    expect(saved.then.refusal(save(6)), 'a save of another owner').to.equal('ADDRESS_NOT_FOUND');
  });

  it('rejects access to entries of other owners', () => {
    const change = { do: 'change', entry: { default: false } } as const;
    const ofCustomer = given(addresses, save(5));
    expect(ofCustomer.when(of({ ...change, customerId: 5 })).facts[0]!.data).to.deep.equal({ default: false });
    for (const command of [of(change), of({ ...change, customerId: 6 }), as(2, { ...change, customerId: 5 })])
      expect(ofCustomer.refusal(command)).to.equal('ADDRESS_NOT_FOUND');
  });

  it('changes nothing without a member', () => {
    expect(given(addresses, save()).when(of({ do: 'change', entry: { label: undefined } })).types).to.deep.equal([]);
  });

  it('has no entry after the erasure of its personal data', () => {
    const erased = given(addresses, save(5)).when(of({ do: 'erase' }));
    expect(erased.types).to.deep.equal(['AddressRemoved']);
    expect(erased.then.refusal(save(5))).to.equal('ADDRESS_NOT_FOUND');
  });

  it('has no entry after its removal', () => {
    const removed = given(addresses, save()).when(of({ do: 'remove' }));
    expect(removed.types).to.deep.equal(['AddressRemoved']);
    expect(removed.then.refusal(of({ do: 'remove' }))).to.equal('ADDRESS_NOT_FOUND');
  });
});
