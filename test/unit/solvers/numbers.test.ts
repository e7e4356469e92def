import { expect } from 'chai';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { exponential, naturalLog } from '../../../src/solvers/routes/exact-math.js';
import { canonicalJson, fingerprint } from '../../../src/solvers/routes/fingerprint.js';
import { checkProblem, ProblemError } from '../../../src/solvers/routes/limits.js';
import type { Problem } from '../../../src/solvers/routes/problem.js';
import { Random } from '../../../src/solvers/routes/random.js';
import { UNITS_PER_MILLI, weightsOf } from '../../../src/solvers/routes/weights.js';
import { EVERYTHING, problemOf } from '../../support/inputs/route-problems.js';
import { runs } from '../../support/depth.js';

/** These numbers must never change, because plans are reproduced from their seed. */
const FIRST = [3308293827, 1579791675, 2929259487, 2559673145];

describe('numbers of route planning', () => {
  it('have logarithm and exponential to twelve digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (value) => {
        expect(naturalLog(value)).to.be.closeTo(Math.log(value), 1e-11);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -12, max: 2, noNaN: true }), (value) => {
        expect(exponential(value) / Math.exp(value)).to.be.closeTo(1, 1e-11);
      }),
    );
  });

  it('have the same random sequence on every machine: xoshiro128** from splitmix32', () => {
    const random = new Random(42);
    const first = Array.from({ length: 4 }, () => random.bits());
    expect(first).to.deep.equal(FIRST);
    expect(new Random(42, 1).bits()).to.not.equal(first[0]);
    const later = Random.at(random.state);
    expect(Array.from({ length: 5 }, () => later.bits())).to.deep.equal(Array.from({ length: 5 }, () => random.bits()));
  });

  it('are evenly distributed', () => {
    const random = new Random(7);
    const counts = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 100_000; draw += 1) counts[random.below(10)]! += 1;
    for (const count of counts) expect(count).to.be.within(9_600, 10_400);
  });

  it('round money, metres and seconds to integers: 0.40 per kilometre and 25 per hour', () => {
    const weights = weightsOf('cost', { perRoute: 5_000, perKm: 400, perHour: 25_000 });
    const cost = weights.perRoute + 12_345 * weights.perMetre + 3_600 * weights.perSecond;
    expect(cost / UNITS_PER_MILLI).to.equal(5_000 + 12.345 * 400 + 25_000);
    for (const aim of ['cost', 'distance', 'duration', 'vehicles'] as const)
      for (const weight of Object.values(weightsOf(aim, { perRoute: 1, perKm: 3, perHour: 7 })))
        expect(Number.isSafeInteger(weight)).to.equal(true);
  });

  it('are written as in RFC 8785, so a fingerprint is the same everywhere', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { problem } = problemOf(seed, 6, 2, EVERYTHING);
        expect(canonicalJson(problem)).to.equal(canonicalize(problem));
      }),
      { numRuns: runs(50) },
    );
    expect(fingerprint({ b: 1, a: [2, null] })).to.equal(fingerprint({ a: [2, null], b: 1 }));
  });

  it('are rejected if invalid, out of range, or referring to an unknown entry', () => {
    const { problem, matrix } = problemOf(1, 4, 2, { pauses: true });
    const refused = (changed: object): string | null => {
      try {
        checkProblem({ ...problem, ...changed } as Problem, matrix);
        return null;
      } catch (error) {
        if (error instanceof ProblemError) return error.path;
        throw error;
      }
    };
    const [order] = problem.orders;
    const [resource] = problem.resources;
    const orders = (change: object) => ({ orders: [{ ...order!, ...change }] });
    const resources = (change: object) => ({ resources: [{ ...resource!, ...change }] });
    const delivery = (change: object) => orders({ delivery: { ...order!.delivery!, ...change } });
    expect(refused({})).to.equal(null);
    expect(refused({ places: 99 })).to.equal('places');
    expect(refused({ weights: { ...problem.weights, perMetre: 0.5 } })).to.equal('weights.perMetre');
    expect(refused(orders({ delivery: undefined }))).to.equal('orders.0');
    expect(refused(orders({ size: [1] }))).to.equal('orders.0.size');
    expect(refused(orders({ resource: 2 }))).to.equal('orders.0.resource');
    expect(refused(orders({ priority: 11 }))).to.equal('orders.0.priority');
    expect(refused(delivery({ place: 7 }))).to.equal('orders.0.delivery.place');
    expect(refused(delivery({ service: NaN }))).to.equal('orders.0.delivery.service');
    expect(refused(delivery({ windows: [] }))).to.equal('orders.0.delivery.windows');
    expect(refused(delivery({ windows: [[5, 4]] }))).to.equal('orders.0.delivery.windows');
    expect(
      refused(
        delivery({
          windows: [
            [0, 5],
            [5, 9],
          ],
        }),
      ),
    ).to.equal('orders.0.delivery.windows');
    expect(refused(resources({ shift: [9, 8] }))).to.equal('resources.0.shift');
    expect(refused(resources({ end: -1 }))).to.equal('resources.0.end');
    expect(refused(resources({ maxStops: -1 }))).to.equal('resources.0.maxStops');
    expect(refused(resources({ speed: 0 }))).to.equal('resources.0.speed');
    expect(refused(resources({ weights: { ...problem.weights, perMetre: 0.5 } }))).to.equal(
      'resources.0.weights.perMetre',
    );
    expect(refused(resources({ breaks: [{ duration: 0, earliest: 1, latest: 2 }] }))).to.equal('resources.0.breaks');
    expect(refused(resources({ driveBreak: { after: 0, duration: 1 } }))).to.equal('resources.0.driveBreak.after');
  });
});
