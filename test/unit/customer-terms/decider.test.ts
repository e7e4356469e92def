/** Terms of customers: only differences are recorded, family by family. */
import { expect } from 'chai';
import { customerTerms, type CustomerTermsCommand } from '../../../src/commands/customer-terms/decider.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<CustomerTermsCommand>(7);
const NONE = { rateCardId: null, markupPercent: null, hidden: false };
const set = (...families: CustomerTermsCommand['families']) => of({ do: 'set', families });

describe('decider of terms of customers', () => {
  it('records differences', () => {
    expect(given(customerTerms).when(set({ family: 'local_delivery', ...NONE })).types).to.deep.equal([]);
    const agreed = given(
      customerTerms,
      set({ family: 'local_delivery', rateCardId: 3, markupPercent: '-5', hidden: true }),
    );
    expect(
      agreed.when(set({ family: 'local_delivery', rateCardId: 3, markupPercent: '-5', hidden: false })).types,
    ).to.deep.equal(['PriceVisibilitySet']);
    const reset = agreed.when(set({ family: 'local_delivery', ...NONE }));
    expect(reset.types).to.deep.equal(['CustomerCardSet', 'PriceVisibilitySet']);
    expect(reset.facts[0]!.data).to.not.have.any.keys('rate_card_id', 'markup_percent');
  });

  it('keeps the terms of other families', () => {
    const agreed = given(customerTerms, set({ family: 'local_delivery', ...NONE, hidden: true }));
    const other = agreed.when(set({ family: 'label_service', ...NONE, markupPercent: '10' }));
    expect(other.types).to.deep.equal(['CustomerCardSet']);
  });

  it('knows no terms of another business', () => {
    const agreed = given(customerTerms, set({ family: 'local_delivery', ...NONE, hidden: true }));
    expect(agreed.refusal(as(2, { do: 'set', families: [] }))).to.equal('CUSTOMER_NOT_FOUND');
  });
});
