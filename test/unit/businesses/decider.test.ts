/** Businesses: registered once. Their switches and rules are recorded only where they change. */
import { expect } from 'chai';
import { businesses, type BusinessCommand } from '../../../src/commands/businesses/decider.js';
import { given } from '../../support/checks/given.js';

let commands = 0;
const commandId = () => `command ${(commands += 1)}`;
const register = (): BusinessCommand => ({
  do: 'register',
  commandId: commandId(),
  id: 1,
  code: 'acme',
  name: 'Acme',
  timezone: 'Europe/Berlin',
});
const turn = (on: boolean): BusinessCommand => ({
  do: 'switch',
  commandId: commandId(),
  module: 'contractor_assignment',
  on,
});

describe('decider of businesses', () => {
  it('registers a business once', () => {
    const { facts, then } = given(businesses).when(register());
    expect(facts[0]!.data).to.deep.equal({ business_id: 1, code: 'acme', name: 'Acme', timezone: 'Europe/Berlin' });
    expect(then.refusal(register())).to.equal('CONFLICT');
    expect(given(businesses).refusal(turn(true))).to.equal('NOT_FOUND');
  });

  it('enables and disables a module, and records each change once', () => {
    const registered = given(businesses, register());
    expect(registered.when(turn(false)).types, 'it is off').to.deep.equal([]);
    const on = registered.when(turn(true));
    expect(on.types).to.deep.equal(['ModuleSwitched']);
    expect(on.then.when(turn(true)).types).to.deep.equal([]);
    expect(on.then.when(turn(false)).facts[0]!.data).to.deep.equal({ module: 'contractor_assignment', on: false });
  });

  it('sets rules, and records only changed ones', () => {
    const registered = given(businesses, register());
    const review = (rule: 'anybody' | 'another_person'): BusinessCommand => ({
      do: 'review',
      commandId: commandId(),
      review: rule,
    });
    const unique = (value: boolean): BusinessCommand => ({ do: 'order_refs', commandId: commandId(), unique: value });
    expect(registered.when(review('anybody')).types, 'the default').to.deep.equal([]);
    expect(registered.when(review('another_person')).types).to.deep.equal(['ReviewRuleSet']);
    expect(registered.when(unique(false)).types, 'the default').to.deep.equal([]);
    expect(registered.when(unique(true)).then.when(unique(true)).types).to.deep.equal([]);
    const sender = registered.when({ do: 'sender', commandId: commandId(), sender: null });
    expect(sender.facts).to.deep.equal([{ type: 'SenderSet', data: { sender: null } }]);
  });
});
