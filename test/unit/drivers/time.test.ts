/** Reservations of a driver's time, and retries of a reservation. */
import { expect } from 'chai';
import type { JsonObject } from '../../../src/events/core/log.js';
import type { Fact } from '../../../src/events/core/codec.js';
import { drivers, type DriverCommand } from '../../../src/commands/drivers/decider.js';
import { reserveAssigned } from '../../../src/commands/drivers/time.js';

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

const MORNING = { from: Date.parse('2026-12-01T08:00:00Z'), to: Date.parse('2026-12-01T12:00:00Z') };
const HOUR_MS = 3_600_000;
const given = (commandId: string, routeId: number, hoursLater = 0): DriverCommand => ({
  ...WHO,
  commandId,
  ...reserveAssigned(
    routeId,
    { from: MORNING.from + hoursLater * HOUR_MS, to: MORNING.to + hoursLater * HOUR_MS },
    '2026-12-01',
  ),
});

describe('the time of a driver', () => {
  let state: ReturnType<typeof drivers.initial>;
  const decide = (command: DriverCommand): readonly Fact[] => {
    const { facts } = drivers.decide(state, command);
    for (const { id, type, data } of facts)
      state = drivers.evolve(state, { id, type: type.type, data: data as JsonObject });
    return facts;
  };
  beforeEach(() => (state = drivers.initial()));

  it('is reserved once by a command and its retry', () => {
    expect(decide(reserve)).to.have.length(1);
    expect(decide(reserve)).to.deep.equal([]);
  });

  it('is reserved again by the retry if it was released in the meantime', () => {
    const [first] = decide(reserve);
    expect(decide(release)).to.have.length(1);
    const [again] = decide(reserve);
    expect(again).to.include({ type: first!.type });
    expect(again!.id).not.to.equal(first!.id);
    expect(decide(reserve)).to.deep.equal([]);
    expect(() =>
      decide({ ...reserve, commandId: `${ID}-2`, reservation: { ...reservation, what: 'route:4' } }),
    ).to.throw();
  });

  it('moves with an assigned route, but not onto another reservation', () => {
    expect(decide(given('a', 3))).to.have.length(1);
    expect(decide(given('b', 4, 5))).to.have.length(1);
    expect(decide(given('c', 3)), 'the same time').to.deep.equal([]);
    const [moved] = decide(given('d', 3, 1));
    expect(moved!.data).to.include({ from: '2026-12-01T09:00:00.000Z', to: '2026-12-01T13:00:00.000Z', given: true });
    expect(() => decide(given('e', 3, 2)))
      .to.throw()
      .with.property('code', 'TIME_TAKEN');
    expect(() => decide(given('f', 5, -2.5)))
      .to.throw()
      .with.property('code', 'TIME_TAKEN');
    expect(decide(given('g', 5, -3)), 'up to the minute at which route 3 begins now').to.have.length(1);
  });

  it('of a claim is that of its posting, regardless of the plan', () => {
    decide(reserve);
    expect(
      decide({ ...reserve, commandId: 'later', reservation: { ...reservation, to: '2026-12-01T13:00:00Z' } }),
    ).to.deep.equal([]);
  });
});
