/** Business rules of accounts and businesses. */
import { expect } from 'chai';
import { accounts, type AccountCommand } from '../../../src/commands/accounts/decider.js';
import { businesses, type BusinessCommand } from '../../../src/commands/businesses/decider.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { given } from '../../support/checks/given.js';

let commands = 0;
const commandId = () => derivedId('test', ++commands);

describe('account decider', () => {
  const account = (command: object): AccountCommand =>
    ({ commandId: commandId(), userId: 7, ...command }) as AccountCommand;
  const open = account({
    do: 'open',
    businessId: 1,
    role: 'employee',
    status: 'active',
    person: { email: 'a@example.com', name: 'A', phone: undefined },
  });
  const createKey = (keyId: string) => account({ do: 'createKey', keyId, name: 'k', scopes: [] });

  it('opens an account once; the same command again changes nothing', () => {
    const { facts, then } = given(accounts).when(open);
    expect(facts).to.deep.equal([
      {
        type: 'AccountOpened',
        data: { user_id: 7, business_id: 1, role: 'employee', status: 'active', email: 'a@example.com', name: 'A' },
      },
    ]);
    expect(then.when(open).facts).to.deep.equal([]);
    expect(() => then.when({ ...open, commandId: commandId() }))
      .to.throw()
      .with.property('code', 'CONFLICT');
  });

  it('does nothing for an unknown account', () => {
    for (const command of [
      { do: 'enable' },
      { do: 'disable' },
      { do: 'passwordChanged' },
      { do: 'change', person: {} },
    ]) {
      expect(() => given(accounts).when(account(command)))
        .to.throw()
        .with.property('code', 'NOT_FOUND');
    }
  });

  it('enables only disabled accounts and disables only enabled ones', () => {
    expect(given(accounts, open).when(account({ do: 'enable' })).facts).to.deep.equal([]);
    expect(given(accounts, open, account({ do: 'disable' })).when(account({ do: 'disable' })).facts).to.deep.equal([]);
    expect(given(accounts, open, account({ do: 'disable' })).when(account({ do: 'enable' })).types).to.deep.equal([
      'AccountEnabled',
    ]);
  });

  it('creates keys only for enabled accounts, at most fifty each', () => {
    expect(() => given(accounts, open, account({ do: 'disable' })).when(createKey('a')))
      .to.throw()
      .with.property('code', 'FORBIDDEN');
    const fifty = Array.from({ length: 50 }, (_, index) => createKey(`k${index}`));
    expect(() => given(accounts, open, ...fifty).when(createKey('one more')))
      .to.throw()
      .with.property('code', 'TOO_MANY_KEYS');
    expect(
      given(accounts, open, ...fifty, account({ do: 'revokeKey', keyId: 'k3' })).when(createKey('one more')).types,
    ).to.deep.equal(['ApiKeyCreated']);
  });

  it('revokes a key once', () => {
    expect(() =>
      given(accounts, open, createKey('a'), account({ do: 'revokeKey', keyId: 'a' })).when(
        account({ do: 'revokeKey', keyId: 'a' }),
      ),
    )
      .to.throw()
      .with.property('code', 'NOT_FOUND');
  });
});

describe('business decider', () => {
  const register = {
    do: 'register',
    commandId: commandId(),
    id: 1,
    code: 'one',
    name: 'One',
    timezone: 'UTC',
  } as BusinessCommand;
  const switched = (on: boolean): BusinessCommand => ({
    do: 'switch',
    commandId: commandId(),
    module: 'contractor_assignment',
    on,
  });

  it('enables and disables modules of an existing business, and records only changes', () => {
    expect(() => given(businesses).when(switched(true)))
      .to.throw()
      .with.property('code', 'NOT_FOUND');
    expect(given(businesses, register).when(switched(false)).facts).to.deep.equal([]);
    expect(given(businesses, register, switched(true)).when(switched(true)).facts).to.deep.equal([]);
    expect(given(businesses, register, switched(true)).when(switched(false)).facts).to.deep.equal([
      { type: 'ModuleSwitched', data: { module: 'contractor_assignment', on: false } },
    ]);
  });
});
