/** Terms of customers: only differences are recorded, family by family. */
import { expect } from 'chai';
import { customerTerms, type CustomerTermsCommand } from '../../../src/commands/customer-terms/decider.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<CustomerTermsCommand>(7);
const NONE = {
  rateCardId: null,
  markupPercent: null,
  hidden: false,
  paymentTerms: 'pay_later',
  serviceCodes: null,
} as const;
const set = (...families: CustomerTermsCommand['families']) => of({ do: 'set', families });

describe('decider of terms of customers', () => {
  it('records differences', () => {
    expect(given(customerTerms).when(set({ family: 'local_delivery', ...NONE })).types).to.deep.equal([]);
    const agreed = given(
      customerTerms,
      set({ ...NONE, family: 'local_delivery', rateCardId: 3, markupPercent: '-5', hidden: true }),
    );
    expect(
      agreed.when(set({ ...NONE, family: 'local_delivery', rateCardId: 3, markupPercent: '-5', hidden: false })).types,
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

  it('records payment terms, and services in any order', () => {
    const terms = { ...NONE, family: 'local_delivery', paymentTerms: 'wallet_on_create' } as const;
    const agreed = given(customerTerms, set({ ...terms, serviceCodes: ['standard', 'express', 'standard'] }));
    expect(agreed.when(set({ ...terms, serviceCodes: ['express', 'standard'] })).types).to.deep.equal([]);
    expect(agreed.when(set({ ...terms, serviceCodes: ['express'] })).types).to.deep.equal(['ServicesRestricted']);
    const reset = agreed.when(set({ ...NONE, family: 'local_delivery' }));
    expect(reset.types).to.deep.equal(['PaymentTermsSet', 'ServicesRestricted']);
    expect(reset.facts[1]!.data).to.not.have.any.keys('service_codes');
  });

  it('replaces all tags, and keeps the tags if the command contains none', () => {
    const tagged = given(customerTerms, of({ do: 'set', families: [], tags: ['vip', 'b2b', 'vip'] }));
    expect(tagged.when(of({ do: 'set', families: [], tags: ['b2b', 'vip'] })).types).to.deep.equal([]);
    expect(tagged.when(set()).types).to.deep.equal([]);
    const [cleared] = tagged.when(of({ do: 'set', families: [], tags: [] })).facts;
    expect(cleared!.data).to.deep.include({ tags: [] });
  });

  it('knows no terms of another business', () => {
    const agreed = given(customerTerms, set({ family: 'local_delivery', ...NONE, hidden: true }));
    expect(agreed.refusal(as(2, { do: 'set', families: [] }))).to.equal('CUSTOMER_NOT_FOUND');
  });
});
