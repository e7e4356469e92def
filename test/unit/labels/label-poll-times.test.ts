/** The times of polls: intervals by the statuses of a parcel, and their spread. */
import { expect } from 'chai';
import { firstPoll, nextTrackingPoll, nextVoidPoll } from '../../../src/areas/wiring/label-poll-times.js';
import { timeLimits } from '../../../src/events/core/time-limits.js';

const HOUR = 3_600_000;
const limits = timeLimits();
const pollOf = (orderId: number, polls = 0) =>
  ({ kind: 'tracking', orderId, about: `tracking ${orderId}`, polls }) as const;
const voidOf = (orderId: number, polls = 0) => ({ kind: 'void', orderId, about: '', polls }) as const;
const many = Array.from({ length: 400 }, (_, index) => index + 1);

/** All are within 10 % of the interval, and they are spread over that range. */
function expectSpread(times: readonly (number | undefined)[], hours: number): void {
  const parts = times.map((time) => time! / (hours * HOUR));
  expect(Math.min(...parts)).to.be.within(0.9, 0.92);
  expect(Math.max(...parts)).to.be.within(1.08, 1.1);
}

describe('times of polls of labels', () => {
  it('are spread around six hours after the purchase, and one hour after a void', () => {
    expectSpread(
      many.map((id) => firstPoll(pollOf(id), limits)),
      6,
    );
    expectSpread(
      many.map((id) => firstPoll(voidOf(id), limits)),
      1,
    );
    expectSpread(
      many.map((id) => nextVoidPoll(voidOf(id), limits)),
      12,
    );
  });

  it('are four hours before the first scan in the hands of the carrier, then two', () => {
    const early = many.map((id) => nextTrackingPoll(pollOf(id), ['information_submitted', 'x-unmapped'], limits));
    expectSpread(early, 4);
    expectSpread(
      many.map((id) => nextTrackingPoll(pollOf(id), [], limits)),
      4,
    );
    expectSpread(
      many.map((id) => nextTrackingPoll(pollOf(id), ['information_submitted', 'arrival_scan'], limits)),
      2,
    );
  });

  it('end with a status that ends the journey', () => {
    for (const status of ['delivered', 'return_to_sender', 'rejected_by_recipient'])
      expect(nextTrackingPoll(pollOf(4), ['in_transit', status, 'arrival_scan'], limits)).to.equal(undefined);
    expect(nextTrackingPoll(pollOf(4), ['cancelled'], limits)).to.be.a('number');
  });

  it('follow from the poll, and differ from one poll to the next', () => {
    expect(firstPoll(pollOf(31), limits)).to.equal(firstPoll(pollOf(31), limits));
    const times = [0, 1, 2, 3].map((polls) => nextTrackingPoll(pollOf(31, polls), [], limits));
    expect(new Set(times).size).to.equal(4);
  });
});
