/** Shifts of a driver: shifts do not overlap, and a late change must be confirmed again. */
import { expect } from 'chai';
import { shifts, type ShiftCommand } from '../../../src/commands/shifts/decider.js';
import type { Shift } from '../../../src/events/shifts/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of } = commandsTo<ShiftCommand>('9-2026-03');
const shift = (day: number, from: number, to: number): Shift => {
  const at = (hour: number) => `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`;
  return { start_at: at(from), end_at: at(to), breaks: [], start_place: { kind: 'open' }, end_place: { kind: 'open' } };
};
const base = (shiftId: number) => ({ driverId: 9, shiftId });
const plan = (id: number, when: Shift, neighbours: { from: number; to: number }[] = []) =>
  of({ do: 'plan', ...base(id), fleetId: 1, shift: when, neighbours });
const change = (id: number, when: Shift, now = '2026-03-01T00:00:00Z') =>
  of({ do: 'change', ...base(id), shift: when, now: Date.parse(now), neighbours: [] });
const cancel = (id: number) => of({ do: 'cancel', ...base(id) });
const confirm = (id: number) => of({ do: 'confirm', ...base(id) });

describe('decider of shifts', () => {
  it('rejects a shift that overlaps another one, also in adjacent months', () => {
    const one = given(shifts, plan(1, shift(2, 8, 16)));
    expect(one.refusal(plan(2, shift(2, 15, 20)))).to.equal('SHIFT_OVERLAPS');
    expect(one.when(plan(2, shift(2, 16, 20))).types, 'they touch').to.deep.equal(['ShiftPlanned']);
    const night = { from: Date.parse('2026-02-28T20:00:00Z'), to: Date.parse('2026-03-01T04:00:00Z') };
    expect(given(shifts).refusal(plan(1, shift(1, 3, 8), [night]))).to.equal('SHIFT_OVERLAPS');
    expect(given(shifts, plan(1, shift(2, 8, 16)), cancel(1)).when(plan(2, shift(2, 8, 16))).types).to.have.length(1);
  });

  it('requests a new confirmation if the shift begins within a day', () => {
    const confirmed = given(shifts, plan(1, shift(10, 8, 16)), confirm(1));
    expect(confirmed.when(confirm(1)).types).to.deep.equal([]);
    expect(confirmed.when(change(1, shift(10, 8, 16))).types, 'the same').to.deep.equal([]);
    const early = confirmed.when(change(1, shift(10, 9, 17)));
    expect(early.facts[0]!.data).to.deep.include({ confirm_again: false });
    expect(early.then.when(confirm(1)).types).to.deep.equal([]);
    const late = confirmed.when(change(1, shift(10, 9, 17), '2026-03-09T12:00:00Z'));
    expect(late.then.when(confirm(1)).types).to.deep.equal(['ShiftConfirmed']);
  });

  it('rejects changes and confirmations of a cancelled shift', () => {
    const cancelled = given(shifts, plan(1, shift(2, 8, 16)), cancel(1));
    expect(cancelled.when(cancel(1)).types).to.deep.equal([]);
    for (const command of [change(1, shift(3, 8, 16)), confirm(1), cancel(2)])
      expect(cancelled.refusal(command)).to.equal('SHIFT_NOT_FOUND');
  });
});
