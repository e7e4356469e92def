import { expect } from 'chai';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import { providers, type ProviderCommand } from '../../../src/commands/providers/decider.js';
import { given } from '../../support/checks/given.js';

const register = (commandId: string, may_open = true): ProviderCommand => ({
  do: 'register',
  commandId,
  name: 'Acme',
  kind: 'carrier',
  may_open,
});
const map = (commandId: string, raw: string): ProviderCommand => ({
  do: 'map',
  commandId,
  mapping: [{ raw, status_code: 'received' }],
});
const choose = (commandId: string, carrier_codes: 'ups' | 'usps' | null): ProviderCommand => ({
  do: 'chooseCodes',
  commandId,
  carrier_codes,
});

describe('commands to a provider', () => {
  it('registers, and registers again only with other permissions', () => {
    const { facts, then } = given(providers).when(register('c1'));
    expect(facts).to.deep.equal([
      { type: 'ProviderRegistered', data: { name: 'Acme', kind: 'carrier', may_open: true } },
    ]);
    expect(then.when(register('c2')).facts).to.deep.equal([]);
    expect(then.when(register('c3', false)).facts[0]!.data).to.deep.include({ may_open: false });
  });

  it('only a registered one has a table', () => {
    expect(() => given(providers).when(map('c1', 'A')))
      .to.throw(DomainError)
      .with.property('code', 'NOT_FOUND');
  });

  it('a new table replaces the old one, the same one records nothing', () => {
    const { then } = given(providers, register('c1')).when(map('c2', 'A'));
    expect(then.when(map('c3', 'A')).facts).to.deep.equal([]);
    expect(then.when(map('c4', 'B')).facts).to.deep.equal([
      { type: 'StatusMappingSet', data: { mapping: [{ raw: 'B', status_code: 'received' }] } },
    ]);
  });

  it('a registered one chooses the table of a carrier, or none', () => {
    expect(() => given(providers).when(choose('c1', 'ups')))
      .to.throw(DomainError)
      .with.property('code', 'NOT_FOUND');
    const { facts, then } = given(providers, register('c1')).when(choose('c2', 'ups'));
    expect(facts).to.deep.equal([{ type: 'CarrierCodesSet', data: { carrier_codes: 'ups' } }]);
    expect(then.when(choose('c3', 'ups')).facts).to.deep.equal([]);
    expect(then.when(choose('c4', null)).facts).to.deep.equal([
      { type: 'CarrierCodesSet', data: { carrier_codes: null } },
    ]);
    expect(then.when(choose('c5', 'usps')).then.when(choose('c2', 'ups')).facts, 'a late retry').to.deep.equal([]);
  });

  it('a registered one is a member of one network, or of none', () => {
    const join = (commandId: string, network: 'upu' | 'gs1' | null): ProviderCommand => ({
      do: 'setNetwork',
      commandId,
      network,
    });
    expect(() => given(providers).when(join('c1', 'upu')))
      .to.throw(DomainError)
      .with.property('code', 'NOT_FOUND');
    const { facts, then } = given(providers, register('c1')).when(join('c2', 'upu'));
    expect(facts).to.deep.equal([{ type: 'ProviderNetworkSet', data: { network: 'upu' } }]);
    expect(then.when(join('c3', 'upu')).facts).to.deep.equal([]);
    expect(given(providers, register('c1')).when(join('c4', null)).facts).to.deep.equal([]);
    const left = then.when(join('c5', null));
    expect(left.facts).to.deep.equal([{ type: 'ProviderNetworkSet', data: { network: null } }]);
    expect(left.then.when(join('c2', 'upu')).facts, 'a late retry').to.deep.equal([]);
  });

  it('the retry of an old command does not restore a replaced table', () => {
    const now = given(providers, register('c1'), map('c2', 'A'), map('c3', 'B'));
    expect(now.when(map('c2', 'A')).facts).to.deep.equal([]);
    expect(now.when(map('c5', 'A')).facts).to.have.length(1);
  });
});
