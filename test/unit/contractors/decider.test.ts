/** The rules of a contractor: replaced as a whole, and recorded only where they differ. */
import { expect } from 'chai';
import { contractors, type ContractorCommand } from '../../../src/commands/contractors/decider.js';
import type { ContractorRule } from '../../../src/events/contractors/events.js';
import { given } from '../../support/checks/given.js';

const set = (commandId: string, ...rules: ContractorRule[]): ContractorCommand => ({
  commandId,
  userId: 9,
  business: 1,
  by: 5,
  rules,
});
const north: ContractorRule = { postal_prefixes: ['1'] };

describe('decider of contractors', () => {
  it('records all rules, with the author', () =>
    expect(given(contractors).when(set('c1', north)).facts).to.deep.equal([
      { type: 'ContractorRulesSet', data: { broker_id: 9, business: 1, rules: [north], set_by: 5 } },
    ]));

  it('records nothing if they are the same, also with members in another order or undefined', () => {
    const known = given(contractors, set('c1', north));
    expect(known.when(set('c2', north)).types).to.deep.equal([]);
    expect(known.when(set('c3', { postal_prefixes: ['1'], order_types: undefined })).types).to.deep.equal([]);
    expect(known.when(set('c4')).types, 'no rules').to.deep.equal(['ContractorRulesSet']);
  });

  it('does not repeat an old command after a newer one', () =>
    expect(given(contractors, set('c1', north), set('c2')).when(set('c1', north)).types).to.deep.equal([]));
});
