import { expect } from 'chai';
import type { Position } from '../../../src/solvers/distances/distances.js';
import { Haversine } from '../../../src/solvers/distances/haversine.js';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { Explanation } from '../../../src/solvers/routes/explain.js';
import { planOf } from '../../../src/solvers/routes/plan.js';
import type { Order, Problem, Resource } from '../../../src/solvers/routes/problem.js';
import { Random } from '../../../src/solvers/routes/random.js';
import { solveInThreads } from '../../../src/solvers/routes/threads.js';
import { weightsOf } from '../../../src/solvers/routes/weights.js';

const HOUR = 3_600;

/** One day in a city: two warehouses, deliveries from each, time windows, drivers with a break at noon. */
async function cityDay(orders: number, drivers: number) {
  const random = new Random(5);
  const positions: Position[] = [
    { latitude: 52_500_000, longitude: 13_350_000 },
    { latitude: 52_450_000, longitude: 13_500_000 },
  ];
  const delivery = (): Order => {
    const from = (8 + random.below(6)) * HOUR;
    positions.push({ latitude: 52_400_000 + random.below(200_000), longitude: 13_200_000 + random.below(400_000) });
    return {
      delivery: { place: positions.length - 1, service: 180, windows: [[from, from + 3 * HOUR]] },
      size: [1, 1 + random.below(20)],
      skills: random.below(10) === 0 ? [1] : [],
      priority: 0,
      warehouse: random.below(2),
    };
  };
  const driver = (index: number): Resource => ({
    start: index % 2,
    end: index % 2,
    shift: [8 * HOUR, 17 * HOUR],
    breaks: [{ duration: 1_800, earliest: 11.5 * HOUR, latest: 13.5 * HOUR }],
    capacity: [60, 600],
    skills: index % 3 === 0 ? [1] : [],
  });
  const problem: Problem = {
    orders: Array.from({ length: orders }, delivery),
    resources: Array.from({ length: drivers }, (_, index) => driver(index)),
    places: positions.length,
    capacities: 2,
    weights: weightsOf('cost', { perRoute: 0, perKm: 400, perHour: 25_000 }),
  };
  return { problem, matrix: await new Haversine().matrix(positions) };
}

describe('a day of routes', () => {
  it('places 200 orders on 12 drivers from two warehouses, with windows and breaks', async () => {
    const { problem, matrix } = await cityDay(200, 12);
    const { solution } = await solveInThreads(problem, matrix, { seconds: 3, seed: 1 }, { threads: 1 });
    const plan = planOf(problem, matrix, solution);
    expect(faultsOf(problem, matrix, plan)).to.deep.equal([]);
    expect(plan.unassigned).to.deep.equal([]);
    expect(plan.routes.flatMap(({ stops }) => stops.filter(({ kind }) => kind === 'break'))).to.not.deep.equal([]);
  });

  it('gives a reason for each order that is left out, if four drivers are too few', async () => {
    const { problem, matrix } = await cityDay(200, 4);
    const { solution } = await solveInThreads(problem, matrix, { seconds: 2, seed: 1 }, { threads: 1 });
    expect(faultsOf(problem, matrix, planOf(problem, matrix, solution))).to.deep.equal([]);
    expect(solution.unassigned.length).to.be.above(10);
    const explanation = new Explanation(problem, matrix, solution);
    for (const order of solution.unassigned.slice(0, 20)) {
      const [reason] = explanation.reasons(order);
      expect(reason!.code).to.equal('NO_ROOM');
      expect(reason!.ways!.map((way) => 'code' in way)).to.deep.equal([true, true, true, true]);
    }
  });
});
