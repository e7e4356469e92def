import { checkProblem } from './limits.js';
import type { Matrix, Problem } from './problem.js';
import { Search } from './search/search.js';
import type { Runner } from './solve.js';

/** Runs searches in the calling thread, which is blocked during a leg. For tools and tests. */
export function runnersInThread(problem: Problem, matrix: Matrix, seed: number, count = 1, version?: number): Runner[] {
  checkProblem(problem, matrix);
  return Array.from({ length: count }, (_, worker) => runnerOf(new Search(problem, matrix, seed, worker, version)));
}

/** Wraps a search as a runner. `isStopRequested` returns whether a stop was requested. */
export function runnerOf(search: Search, isStopRequested: () => boolean = () => false): Runner {
  return {
    async run(leg, until) {
      const done = search.run(leg, () => isStopRequested() || Date.now() >= until);
      return { done, cost: search.cost };
    },
    best: async () => search.solution,
    adopt: async (solution) => search.adopt(solution),
    async complete() {
      search.complete();
      return { cost: search.cost };
    },
  };
}
