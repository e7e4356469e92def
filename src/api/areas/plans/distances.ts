/** The ways of a plan: from each of its places to each. */
import type { Matrix } from '../../../solvers/routes/problem.js';
import { Haversine } from '../../../solvers/distances/haversine.js';
import type { PlanProblem } from './problem.js';

/** The same for the same plan, at any time and on any machine of the same arithmetic; its fingerprint tells. */
export async function waysOf({ positions, roadFactorPercent, speeds, trafficPercent }: PlanProblem): Promise<Matrix> {
  const distances = new Haversine({
    roadFactor: roadFactorPercent / 100,
    speeds: speeds.map(({ metres, kmh }) => [metres, kmh] as const),
  });
  const matrix = await distances.matrix(positions);
  if (trafficPercent === 100) return matrix;
  return { ...matrix, duration: matrix.duration.map((seconds) => Math.round((seconds * trafficPercent) / 100)) };
}
