/** The scan that determines the status of a package is the same in whichever order the scans arrive. */
import { expect } from 'chai';
import fc from 'fast-check';
import { decisiveScan, endsJourney, type FollowedScan } from '../../../src/events/labels/followed-scan.js';
import { STATUS_CODES } from '../../../src/events/otep/codes.js';
import '../../support/worlds/seed.js';

const scan = fc.record({
  code: fc.constantFrom(...STATUS_CODES.map(({ code }) => code)),
  instant: fc.integer({ min: 1, max: 9 }).map((day) => `2026-04-0${day}T00:00:00.000000000Z`),
});
const decide = (scans: readonly FollowedScan[]) =>
  scans.reduce<FollowedScan | undefined>((known, one) => decisiveScan(known, one), undefined);

describe('the decisive scan of a package', () => {
  it('does not depend on the order and repetition of the scans', () =>
    fc.assert(
      fc.property(
        fc
          .array(scan, { minLength: 1, maxLength: 12 })
          .chain((scans) =>
            fc.tuple(fc.constant(scans), fc.shuffledSubarray([...scans, ...scans], { minLength: scans.length * 2 })),
          ),
        ([scans, mixed]) => {
          expect(decide(mixed)).to.deep.equal(decide(scans));
        },
      ),
    ));

  it('is the first that ends the journey, or else the newest', () =>
    fc.assert(
      fc.property(fc.array(scan, { minLength: 1, maxLength: 12 }), (scans) => {
        const found = decide(scans)!;
        const ends = scans
          .filter(({ code }) => endsJourney(code))
          .map(({ instant }) => instant)
          .sort();
        const times = scans.map(({ instant }) => instant).sort();
        expect(found.instant).to.equal(ends[0] ?? times.at(-1));
        expect(endsJourney(found.code)).to.equal(ends.length > 0);
      }),
    ));
});
