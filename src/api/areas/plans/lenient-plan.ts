/** Computes times of existing routes, or of a sequence that a user set, even if stops are too late. */
import { planOf, UndrivableRoute, type Plan } from '../../../solvers/routes/plan.js';
import type { Matrix, Problem, Route, Visit } from '../../../solvers/routes/problem.js';

/** In seconds; longer than any day. */
const NO_DEADLINE = 400_000;

/** Uses the working hours if they allow the sequence, else ignores all deadlines. Undefined: a place is unreachable. */
export function lenientPlan(problem: Problem, matrix: Matrix, routes: readonly Route[]): Plan | undefined {
  for (const variant of [problem, withoutDeadlines(problem)])
    try {
      return planOf(variant, matrix, { routes, unassigned: [] });
    } catch (error) {
      if (!(error instanceof UndrivableRoute)) throw error;
    }
  return undefined;
}

/** The same problem without ends of time windows and shifts, breaks and limits. */
function withoutDeadlines(problem: Problem): Problem {
  const withoutEnds = (visit: Visit | undefined): Visit | undefined =>
    visit && { ...visit, windows: [[visit.windows[0]![0], NO_DEADLINE]] };
  return {
    ...problem,
    orders: problem.orders.map(({ pickup, delivery, ...order }) => ({
      ...order,
      ...(pickup && { pickup: withoutEnds(pickup)! }),
      ...(delivery && { delivery: withoutEnds(delivery)! }),
    })),
    resources: problem.resources.map(({ start, end, shift, capacity, skills, speed, weights }) => ({
      start,
      end,
      shift: [shift[0], NO_DEADLINE] as const,
      breaks: [],
      capacity,
      skills,
      ...(speed !== undefined && { speed }),
      ...(weights && { weights }),
    })),
  };
}
