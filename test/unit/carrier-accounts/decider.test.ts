/** Carrier accounts: permanent ids of methods, the choices of the business, and changes that are recorded once. */
import { expect } from 'chai';
import { carrierAccounts, type CarrierAccountCommand } from '../../../src/commands/carrier-accounts/decider.js';
import { accountIdOfMethod, MAX_METHODS, methodIdOf } from '../../../src/events/carrier-accounts/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<CarrierAccountCommand>(7);
const method = (code: string, name = code) => ({ code, name, carrier: 'Vans', formats: ['pdf'] });
const terms = { name: 'Own', settings: { a: 1 }, price_tolerance_percent: null, refund_on: 'refunded' } as const;
const add = (...codes: string[]) =>
  of({
    do: 'add',
    adapter: 'sheet',
    accountToken: 'ab'.repeat(16),
    credentialId: 'first',
    terms,
    offered: codes.map((code) => method(code)),
  });
const methodsOf = (facts: readonly { readonly data: unknown }[]) =>
  (facts.at(-1)!.data as { methods: { method_id: number; code: string; enabled: boolean }[] }).methods;

describe('decider of carrier accounts', () => {
  it('adds an account with its methods, which have ids of the account', () => {
    const { facts, types } = given(carrierAccounts).when(add('standard', 'express'));
    expect(types).to.deep.equal(['CarrierAccountAdded', 'CarrierMethodsSet']);
    expect(facts[0]!.data).to.deep.equal({
      carrier_account_id: 7,
      business: 1,
      adapter: 'sheet',
      account_token: 'ab'.repeat(16),
      credential_id: 'first',
      ...terms,
    });
    expect(methodsOf(facts).map(({ method_id, code, enabled }) => [method_id, code, enabled])).to.deep.equal([
      [7_001, 'standard', true],
      [7_002, 'express', true],
    ]);
    for (const number of [1, MAX_METHODS]) expect(accountIdOfMethod(methodIdOf(7, number))).to.equal(7);
  });

  it('records only what changes', () => {
    const known = given(carrierAccounts, add('standard'));
    expect(known.when(of({ do: 'change', terms: { name: 'Own', settings: { a: 1 } } })).types).to.be.empty;
    expect(known.when(of({ do: 'change', credentialId: 'first', offered: [method('standard')] })).types).to.be.empty;
    const { facts } = known.when(of({ do: 'change', terms: { name: 'New', refund_on: 'refunded' } }));
    expect(facts).to.deep.equal([{ type: 'CarrierAccountChanged', data: { name: 'New' } }]);
    const all = known.when(
      of({ do: 'change', terms: { name: 'New' }, credentialId: 'second', offered: [method('standard', 'Renamed')] }),
    );
    expect(all.types).to.deep.equal(['CarrierAccountChanged', 'CredentialReplaced', 'CarrierMethodsSet']);
  });

  it('keeps ids and choices of methods, and withdraws those that the carrier does not offer any more', () => {
    const chosen = given(
      carrierAccounts,
      add('standard', 'express'),
      of({ do: 'change', choices: [{ methodId: 7_001, enabled: false, markupCard: 3 }] }),
    );
    const withdrawn = chosen.when(of({ do: 'change', offered: [method('standard'), method('freight')] }));
    expect(methodsOf(withdrawn.facts)).to.deep.equal([
      { method_id: 7_001, ...method('standard'), enabled: false, markup_card: 3 },
      { method_id: 7_002, ...method('express'), enabled: false, withdrawn: true },
      { method_id: 7_003, ...method('freight'), enabled: true },
    ]);
    const enable = of({ do: 'change', choices: [{ methodId: 7_002, enabled: true }] });
    expect(withdrawn.then.refusal(enable)).to.equal('CARRIER_METHOD_NOT_FOUND');
    const back = withdrawn.then.when(of({ do: 'change', offered: [method('express')] }));
    expect(methodsOf(back.facts)[1]).to.deep.equal({ method_id: 7_002, ...method('express'), enabled: false });
    expect(methodsOf(back.then.when(enable).facts)[1]).to.include({ enabled: true });
  });

  it('removes a card by null, and refuses unknown methods and too many', () => {
    const known = given(
      carrierAccounts,
      add('standard'),
      of({ do: 'change', choices: [{ methodId: 7_001, markupCard: 3 }] }),
    );
    const { facts } = known.when(of({ do: 'change', choices: [{ methodId: 7_001, markupCard: null }] }));
    expect(methodsOf(facts)[0]).to.deep.equal({ method_id: 7_001, ...method('standard'), enabled: true });
    expect(known.refusal(of({ do: 'change', choices: [{ methodId: 8_001 }] }))).to.equal('CARRIER_METHOD_NOT_FOUND');
    const many = Array.from({ length: MAX_METHODS }, (_, index) => method(`m${index}`));
    expect(known.when(of({ do: 'change', offered: many.slice(1) })).types).to.deep.equal(['CarrierMethodsSet']);
    expect(known.refusal(of({ do: 'change', offered: many }))).to.equal('TOO_MANY_METHODS');
  });

  it('disables and enables once', () => {
    const disabled = given(carrierAccounts, add()).when(of({ do: 'disable' }));
    expect(disabled.types).to.deep.equal(['CarrierAccountDisabled']);
    expect(disabled.then.when(of({ do: 'disable' })).types).to.be.empty;
    expect(disabled.then.when(of({ do: 'enable' })).types).to.deep.equal(['CarrierAccountEnabled']);
    expect(given(carrierAccounts, add()).when(of({ do: 'enable' })).types).to.be.empty;
  });

  it('does not exist for another business', () => {
    expect(given(carrierAccounts, add()).refusal(as(2, { do: 'disable' }))).to.equal('CARRIER_ACCOUNT_NOT_FOUND');
    expect(given(carrierAccounts).refusal(of({ do: 'disable' }))).to.equal('CARRIER_ACCOUNT_NOT_FOUND');
  });
});
