/** The dispatch board: one person at a time works on an item. */
import { expect } from 'chai';
import { dispatch, type DispatchCommand } from '../../../src/commands/dispatch/decider.js';
import { planningSettings, type SettingsCommand } from '../../../src/commands/dispatch/settings.js';
import { TAKEN_MS } from '../../../src/events/dispatch/item-state.js';
import { DISPATCH_DEFAULTS } from '../../../src/events/planning/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
let commands = 0;
const base = (by: number, now = NOW) => ({ commandId: `command ${(commands += 1)}`, item: 'held:7', by, now });
const take = (by: number, now = NOW, desk?: number): DispatchCommand => ({ ...base(by, now), do: 'take', desk });
const giveBack = (by: number): DispatchCommand => ({ ...base(by), do: 'return' });
const decide = (by: number, takeOver = false): DispatchCommand => ({
  ...base(by),
  do: 'decide',
  takeOver,
  decision: { decision_id: 'd', kind: 'held', subject: 'order-7', seen: 'hash', decision: 'leave' },
});

describe('decider of the dispatch board', () => {
  it('assigns an item to one person, for twenty minutes without a step', () => {
    const taken = given(dispatch, take(5));
    expect(taken.refusal(take(6))).to.equal('ITEM_TAKEN');
    expect(taken.refusal(take(6, NOW + TAKEN_MS - 1))).to.equal('ITEM_TAKEN');
    expect(taken.when(take(6, NOW + TAKEN_MS)).reply.taken?.by).to.equal(6);
    expect(taken.when(take(6, NOW, 9)).types, 'at another desk').to.deep.equal(['DispatchItemTaken']);
  });

  it('returns an item, and does nothing if it was not taken', () => {
    const taken = given(dispatch, take(5));
    expect(taken.refusal(giveBack(6))).to.equal('ITEM_TAKEN');
    const returned = taken.when(giveBack(5));
    expect(returned.reply.taken).to.equal(undefined);
    expect(returned.then.when(giveBack(5)).types).to.deep.equal([]);
  });

  it('names the person from whom a decision was taken over', () => {
    const taken = given(dispatch, take(5));
    expect(taken.refusal(decide(6))).to.equal('ITEM_TAKEN');
    const decided = taken.when(decide(6, true));
    expect(decided.facts[0]!.data).to.deep.include({ took_over_from: 5, by: 6 });
    expect(decided.reply).to.deep.include({ decided: { ...decided.reply.decided, decision: 'leave', by: 6 } });
    expect(taken.when(decide(5)).facts[0]!.data).to.not.have.property('took_over_from');
  });

  it('reopens a decided item once', () => {
    const reopen = (): DispatchCommand => ({ ...base(5), do: 'reopen', subject: 'order-7' });
    expect(given(dispatch).when(reopen()).types).to.deep.equal([]);
    const reopened = given(dispatch, decide(5)).when(reopen());
    expect(reopened.reply.decided).to.equal(undefined);
    expect(reopened.then.when(reopen()).types).to.deep.equal([]);
  });

  it('replaces its settings as a whole, as often as wanted', () => {
    const { of } = commandsTo<SettingsCommand>(1);
    const set = () => of({ do: 'set', by: 5, settings: DISPATCH_DEFAULTS });
    expect(given(planningSettings, set()).when(set()).facts).to.deep.equal([
      { type: 'DispatchSettingsSet', data: { ...DISPATCH_DEFAULTS, business: 1, set_by: 5 } },
    ]);
  });
});
