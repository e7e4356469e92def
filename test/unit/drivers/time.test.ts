/** A driver's time: what a retry of a reservation does. */
import { expect } from 'chai';
import type { JsonObject } from '../../../src/events/core/log.js';
import type { Fact } from '../../../src/events/core/codec.js';
import { drivers, type DriverCommand } from '../../../src/commands/drivers/decider.js';

const ID = '7d4f4f0e-6a4e-5d0c-9a53-0f5b6c1f3a01';
const WHO = { userId: 7, business: 1 };
const reservation = {
  what: 'route:3',
  from: '2026-12-01T08:00:00Z',
  to: '2026-12-01T12:00:00Z',
  units: 1,
  date: '2026-12-01',
};
const reserve: DriverCommand = { ...WHO, do: 'reserve', commandId: ID, reservation, most: 1 };
const release: DriverCommand = {
  ...WHO,
  do: 'release',
  commandId: `${ID}-release`,
  what: 'route:3',
  why: 'not_claimed',
};

describe('the time of a driver', () => {
  let state: ReturnType<typeof drivers.initial>;
  const tell = (command: DriverCommand): readonly Fact[] => {
    const { facts } = drivers.decide(state, command);
    for (const { id, type, data } of facts)
      state = drivers.evolve(state, { id, type: type.type, data: data as JsonObject });
    return facts;
  };
  beforeEach(() => (state = drivers.initial()));

  it('is reserved once by a command and its retry', () => {
    expect(tell(reserve)).to.have.length(1);
    expect(tell(reserve)).to.deep.equal([]);
  });

  it('is reserved anew by the retry where it was given back in between', () => {
    const [first] = tell(reserve);
    expect(tell(release)).to.have.length(1);
    const [again] = tell(reserve);
    expect(again).to.include({ type: first!.type });
    expect(again!.id).not.to.equal(first!.id);
    expect(tell(reserve)).to.deep.equal([]);
    expect(() =>
      tell({ ...reserve, commandId: `${ID}-2`, reservation: { ...reservation, what: 'route:4' } }),
    ).to.throw();
  });
});
