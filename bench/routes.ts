import { faultsOf } from '../src/solvers/routes/checker.js';
import { runnersInThread } from '../src/solvers/routes/in-thread.js';
import { planOf } from '../src/solvers/routes/plan.js';
import { solveWith } from '../src/solvers/routes/solve.js';
import { hasBenchmarks, namesOf, readInstance, type Instance } from '../test/support/inputs/solomon.js';
import { count, ms, type Line } from './table.js';

/** Seconds on one thread, the required mean gap, and the gaps of other solvers on such a machine in about that time. */
const LIMITS = [
  { seconds: 0.4, reach: 1.5, others: 'VROOM 3.7 % in 0.45 s, PyVRP 2.3 %' },
  { seconds: 2, reach: 0.7, others: 'VROOM 1.6 % in 3.3 s, PyVRP 0.66 %' },
  { seconds: 8, reach: 0.3, others: 'OR-Tools 4.4 %, PyVRP 0.11 %' },
];

/** Distance that VROOM found in 30 s, where it was measured. */
const VROOM: Record<string, number> = {
  r1_4_1: 10_649,
  c2_8_2: 15_324,
  rc1_10_5: 50_106,
  r2_6_3: 14_634,
  rc2_4_5: 6_291,
};

interface Run {
  readonly gap: number;
  readonly distance: number;
  readonly vehicles: number;
  readonly iterations: number;
  readonly seconds: number;
}

/**
 * Route planning on public instances, one thread. The checker verifies every plan, and so do the instance's own rules
 * in floating point.
 */
export async function measureRoutes({ full }: { full: boolean }): Promise<Line[]> {
  if (!hasBenchmarks()) return [{ name: 'skipped: no benchmarks (SHARED_DIR)', value: '' }];
  const lines: Line[] = [];
  for (const { seconds, reach, others } of full ? LIMITS : LIMITS.slice(0, 1)) {
    const runs: Run[] = [];
    for (const name of namesOf('solomon')) runs.push(await solve(readInstance('solomon', name), seconds));
    const gap = mean(runs.map((run) => run.gap));
    const late = Math.max(...runs.map((run) => run.seconds)) / seconds;
    lines.push({
      name: `Solomon's 56, ${seconds} s: mean gap to the best known distance (${others})`,
      value: `${percent(gap)}, worst ${percent(Math.max(...runs.map((run) => run.gap)))}, ${count(mean(runs.map((run) => run.iterations)))} iterations, longest ${percent(late * 100 - 100)} over the limit`,
      goal: `${reach} %, limit held to 5 %`,
    });
  }
  lines.push(await firstPlan('r1_10_1'));
  const seconds = full ? 30 : 5;
  for (const name of namesOf('scale')) {
    const instance = readInstance('scale', name);
    const run = await solve(instance, seconds);
    const vroom = VROOM[name];
    lines.push({
      name: `${name}, ${instance.problem.orders.length} customers, ${seconds} s: distance`,
      value: `${count(run.distance)}, gap ${percent(run.gap)} to the best with fewest vehicles, ${run.vehicles} routes, ${count(run.iterations)} iterations, ${run.seconds.toFixed(1)} s`,
      ...(vroom ? { ratio: run.distance / vroom, reference: 'VROOM in 30 s', goal: 'at most 1.00' } : {}),
    });
  }
  return lines;
}

async function solve(instance: Instance, seconds: number): Promise<Run> {
  const { problem, matrix, name } = instance;
  const began = performance.now();
  const { solution, iterations } = await solveWith(runnersInThread(problem, matrix, 1), { seconds, seed: 1 });
  const took = (performance.now() - began) / 1_000;
  const routes = solution.routes.map(({ stops }) => stops.map(([order]) => order + 1));
  const faults = faultsOf(problem, matrix, planOf(problem, matrix, solution));
  const broken = instance.breaks(routes);
  if (faults.length > 0 || broken) throw new Error(`${name}: ${broken ?? JSON.stringify(faults)}`);
  const distance = instance.distanceOf(routes);
  const gap = (distance / instance.best.distance - 1) * 100;
  return { gap, distance, vehicles: routes.length, iterations, seconds: took };
}

/** Measures how soon a first plan exists, from which the search starts. */
async function firstPlan(name: string): Promise<Line> {
  const { problem, matrix } = readInstance('scale', name);
  const began = performance.now();
  const { solution } = await solveWith(runnersInThread(problem, matrix, 1), { iterations: 0, seed: 1 });
  const took = performance.now() - began;
  if (solution.unassigned.length > 0) throw new Error(`${name}: ${solution.unassigned.length} are left out`);
  return {
    name: `${name}, ${problem.orders.length} customers: a whole plan before the search`,
    value: ms(took),
    goal: '2 s',
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (value: number): string => `${value.toFixed(2)} %`;
