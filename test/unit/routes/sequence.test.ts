import { expect } from 'chai';
import { routes, type RouteCommand } from '../../../src/commands/routes/decider.js';
import type { PastEvent } from '../../../src/commands/core/decider.js';

const who = { routeId: 7, business: 1, by: 3 };
const planned = { start: 0, end: 60, distance_m: 1_000, stops: [] };

/** The state of a route after these commands. */
function after(...commands: RouteCommand[]) {
  let state = routes.initial();
  for (const command of commands)
    for (const { type, ...fact } of routes.decide(state, command).facts)
      state = routes.evolve(state, { ...fact, type: type.type } as unknown as PastEvent);
  return state;
}

const create = {
  ...who,
  commandId: 'a',
  do: 'create',
  name: 'North',
  schedule_date: '2030-01-07',
  driverId: 5,
} as const;
const sequence = (commandId: string, seen: number) => ({ ...who, commandId, do: 'sequence', seen, planned }) as const;
const pin = { ...who, commandId: 'p', do: 'pin', orderIds: [4], pin: 'driver' } as const;
const assign = { ...who, commandId: 'd', do: 'assign_driver', driverId: 6 } as const;

describe('a manual sequence', () => {
  it('is rejected if the route was planned again, or has another driver, since it was created', () => {
    const refused = (state: ReturnType<typeof after>, seen: number) => () => routes.decide(state, sequence('z', seen));
    expect(refused(after(create, sequence('b', 0)), 0)).to.throw('CONFLICT');
    expect(refused(after(create, assign), 0)).to.throw('CONFLICT');
    expect(refused(after(create, sequence('b', 0)), 1)).to.not.throw();
    expect(refused(after(create, assign), 1)).to.not.throw();
  });

  it('is valid if only pins changed, and a retry of it changes nothing', () => {
    expect(routes.decide(after(create, pin), sequence('z', 0)).facts).to.have.length(1);
    const state = after(create, sequence('b', 0), pin);
    expect(routes.decide(state, sequence('b', 0)).facts).to.deep.equal([]);
  });
});
