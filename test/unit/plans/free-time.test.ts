/** Working hours of a driver that other routes leave free. */
import { expect } from 'chai';
import { freeHoursOf } from '../../../src/api/areas/plans/free-time.js';

const HOUR = 3_600;
const at = (from: number, to: number) => ({ from: from * HOUR, to: to * HOUR });
const pause = (earliest: number, latest: number) => ({
  duration: 1_800,
  earliest: earliest * HOUR,
  latest: latest * HOUR,
});
const DAY = { start: 8 * HOUR, end: 18 * HOUR, breaks: [pause(9, 10), pause(12, 14)] };
const hours = ({ start, end, breaks }: ReturnType<typeof freeHoursOf>) => [
  start / HOUR,
  end / HOUR,
  breaks.map(({ earliest }) => earliest / HOUR),
];

describe('the free time of a driver', () => {
  it('is the whole shift without other routes', () => {
    expect(freeHoursOf(DAY, [])).to.equal(DAY);
    expect(freeHoursOf(DAY, [at(5, 8), at(18, 20)])).to.equal(DAY);
  });

  it('is the longest period between other routes, with the breaks that are due in it', () => {
    expect(hours(freeHoursOf(DAY, [at(8, 12)]))).to.deep.equal([12, 18, [12]]);
    expect(hours(freeHoursOf(DAY, [at(13, 17)]))).to.deep.equal([8, 13, [9, 12]]);
    expect(hours(freeHoursOf(DAY, [at(9, 11), at(13, 14), at(10, 12)]))).to.deep.equal([14, 18, [14]]);
    expect(hours(freeHoursOf(DAY, [at(7, 9), at(16, 20)]))).to.deep.equal([9, 16, [9, 12]]);
  });

  it('ignores finished routes, and may be empty', () => {
    expect(hours(freeHoursOf(DAY, [at(15, 16)], 13 * HOUR))).to.deep.equal([13, 15, [13]]);
    expect(hours(freeHoursOf(DAY, [at(7, 19)]))).to.deep.equal([8, 8, []]);
    expect(hours(freeHoursOf(DAY, [at(9, 18)], 17 * HOUR))).to.deep.equal([8, 8, []]);
  });
});
