import { checkProblem } from './limits.js';
import type { Matrix, Problem } from './problem.js';
import { Search } from './search/search.js';
import type { Runner } from './solve.js';

/** Searches in the caller's own thread, which computes and does nothing else meanwhile: for tools and tests. */
export function runnersHere(problem: Problem, matrix: Matrix, seed: number, count = 1, version?: number): Runner[] {
  checkProblem(problem, matrix);
  return Array.from({ length: count }, (_, worker) => runnerOf(new Search(problem, matrix, seed, worker, version)));
}

/** A search as a runner; `wished` says that somebody wants to stop. */
export function runnerOf(search: Search, wished: () => boolean = () => false): Runner {
  return {
    async run(leg, until) {
      const done = search.run(leg, () => wished() || Date.now() >= until);
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
