/** Settings of planning: replaced as a whole, as often as wanted. */
import { expect } from 'chai';
import { planning, type PlanningCommand } from '../../../src/commands/planning/decider.js';
import { DEFAULT_PLANNING } from '../../../src/events/planning/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of } = commandsTo<PlanningCommand>(1);

describe('decider of planning settings', () => {
  it('records each setting with its author, and a retry once', () => {
    const command = of({ do: 'set', settings: DEFAULT_PLANNING, by: 5 });
    const set = given(planning).when(command);
    expect(set.facts).to.deep.equal([
      { type: 'PlanningSettingsSet', data: { business: 1, settings: DEFAULT_PLANNING, set_by: 5 } },
    ]);
    expect(set.then.when(command).types).to.deep.equal([]);
    expect(set.then.when(of({ do: 'set', settings: DEFAULT_PLANNING })).types).to.have.length(1);
  });
});
