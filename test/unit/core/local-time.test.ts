import { expect } from 'chai';
import { addDays, localDate, localDateTime, startOfDay, zonedTime } from '../../../src/events/core/local-time.js';

const SUMMER = Date.parse('2026-07-01T22:30:05Z');

describe('local times of a business', () => {
  it('are in its timezone, whichever was used before', () => {
    for (const _again of [1, 2]) {
      expect(localDateTime(SUMMER, 'Europe/Berlin')).to.equal('2026-07-02 00:30:05');
      expect(localDateTime(SUMMER, 'America/New_York')).to.equal('2026-07-01 18:30:05');
      expect(localDate(SUMMER, 'Europe/Berlin')).to.equal('2026-07-02');
      expect(localDate(SUMMER, 'UTC')).to.equal('2026-07-01');
    }
  });

  it('have the offset of their instant, also on days when the clocks change', () => {
    expect(zonedTime(SUMMER, 'Europe/Berlin')).to.equal('2026-07-02T00:30:05+02:00');
    expect(startOfDay('2026-03-29', 'Europe/Berlin')).to.equal('2026-03-28T23:00:00.000Z');
    expect(startOfDay('2026-03-30', 'Europe/Berlin')).to.equal('2026-03-29T22:00:00.000Z');
  });

  it('exist for every valid date, also without a real local time', () => {
    for (const timezone of ['Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'UTC'])
      for (const date of ['0000-01-01', '0001-01-01', '0050-06-01', '0999-12-31', '9999-12-31'])
        for (const instant of [startOfDay(date, timezone), startOfDay(addDays(date, 1), timezone)])
          expect(instant, `${date} in ${timezone}`).to.match(/^(?!0000)\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    expect(addDays('9999-12-31', 1)).to.equal('9999-12-31');
    expect(addDays('0001-01-01', -1)).to.equal('0001-01-01');
    expect(addDays('2026-02-28', 1)).to.equal('2026-03-01');
  });

  it('are fast enough for pages with thousands of them', () => {
    // Creating a formatter takes fifty times as long as using it.
    const { DateTimeFormat } = Intl;
    let made = 0;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct(target, args: [string, Intl.DateTimeFormatOptions]) {
        made += 1;
        return new target(...args);
      },
    });
    try {
      for (let second = 0; second < 5_000; second++) localDateTime(second * 1_000, 'Asia/Tokyo');
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
    expect(made, 'formatters').to.equal(1);
  });
});
