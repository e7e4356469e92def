/** Local times on days that are not 24 hours long. */
import { expect } from 'chai';
import { clockAt, dayBegins } from '../../../src/events/core/wall-clock.js';

const shown = (date: string, clock: string, timezone: string): string =>
  new Date((dayBegins(date, timezone) + clockAt(date, clock, timezone)) * 1_000).toISOString();

describe('a local time', () => {
  it('that the day does not have is when the clocks go forward', () => {
    for (const clock of ['02:00', '02:30', '02:59', '03:00'])
      expect(shown('2027-03-28', clock, 'Europe/Berlin'), clock).to.equal('2027-03-28T01:00:00.000Z');
    expect(shown('2027-03-28', '01:59', 'Europe/Berlin')).to.equal('2027-03-28T00:59:00.000Z');
    expect(shown('2027-03-28', '03:30', 'Europe/Berlin')).to.equal('2027-03-28T01:30:00.000Z');
    // The clock moves by half an hour, in the southern hemisphere.
    expect(shown('2026-10-04', '02:15', 'Australia/Lord_Howe')).to.equal('2026-10-03T15:30:00.000Z');
  });

  it('that the day has twice is the first one', () => {
    expect(shown('2026-10-25', '02:30', 'Europe/Berlin')).to.equal('2026-10-25T00:30:00.000Z');
    expect(shown('2026-10-25', '03:30', 'Europe/Berlin')).to.equal('2026-10-25T02:30:00.000Z');
  });
});
