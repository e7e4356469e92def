import type { Matrix, Problem, Route, Solution } from './problem.js';
import { timelineOf } from './timeline.js';
import { secondsAt, weightsFor } from './vehicle.js';

/** A stop with its times (seconds after the origin). A pause before a stop is taken before the drive or on arrival. */
export interface PlannedStop {
  readonly kind: 'pickup' | 'delivery' | 'break';
  readonly order: number | null;
  readonly arrive: number;
  readonly start: number;
  readonly leave: number;
  /** Metres from the previous stop, or from the start. */
  readonly distance: number;
  /** Seconds by which the stop can be delayed without violating a later constraint. */
  readonly slack: number;
}

export interface PlannedRoute {
  readonly resource: number;
  readonly start: number;
  readonly end: number;
  readonly distance: number;
  readonly drive: number;
  readonly service: number;
  readonly wait: number;
  readonly pause: number;
  readonly cost: number;
  readonly stops: readonly PlannedStop[];
}

export interface Plan {
  readonly routes: readonly PlannedRoute[];
  readonly unassigned: readonly number[];
  /** Cost of all routes in the units of the weights, without the balance term. */
  readonly cost: number;
}

/** Thrown for a sequence that cannot be driven, which is an error of the caller. */
export class UndrivableRoute extends Error {
  constructor(readonly resource: number) {
    super(`the route of resource ${resource} cannot be driven`);
    this.name = 'UndrivableRoute';
  }
}

/** Computes the times of a solution: each route ends as early as possible, and then departs as late as possible. */
export function planOf(problem: Problem, matrix: Matrix, solution: Solution): Plan {
  const routes = solution.routes.map((route) => plannedRoute(problem, matrix, route));
  return { routes, unassigned: solution.unassigned, cost: routes.reduce((sum, { cost }) => sum + cost, 0) };
}

function plannedRoute(problem: Problem, matrix: Matrix, { resource, stops }: Route): PlannedRoute {
  const driver = problem.resources[resource]!;
  const visits = stops.map(([order, kind]) => {
    const { pickup, delivery } = problem.orders[order]!;
    return kind === 0 ? pickup! : delivery!;
  });
  const timeline = timelineOf(driver, visits, matrix);
  if (!timeline) throw new UndrivableRoute(resource);
  let place = driver.start;
  let drive = 0;
  let distance = 0;
  const planned = timeline.moments.map(({ at, pause, arrive, start, leave }) => {
    if (pause) return { kind: 'break' as const, order: null, arrive, start, leave, distance: 0, slack: 0 };
    const cell = place * matrix.size + visits[at]!.place;
    place = visits[at]!.place;
    drive += secondsAt(driver.speed, matrix.duration[cell]!);
    distance += matrix.distance[cell]!;
    const [order, kind] = stops[at]!;
    const named = kind === 0 ? ('pickup' as const) : ('delivery' as const);
    return { kind: named, order, arrive, start, leave, distance: matrix.distance[cell]!, slack: 0 };
  });
  if (driver.end !== null) {
    drive += secondsAt(driver.speed, matrix.duration[place * matrix.size + driver.end]!);
    distance += matrix.distance[place * matrix.size + driver.end]!;
  }
  const service = visits.reduce((sum, visit) => sum + visit.service, 0);
  const pause = timeline.moments.reduce((sum, moment) => sum + (moment.pause ? moment.leave - moment.start : 0), 0);
  const wait = timeline.end - timeline.departure - drive - service - pause;
  const { perRoute, perMetre, perSecond, perWait } = weightsFor(problem, driver);
  return {
    resource,
    start: timeline.departure,
    end: timeline.end,
    distance,
    drive,
    service,
    wait,
    pause,
    cost: perRoute + distance * perMetre + drive * perSecond + wait * perWait,
    stops: withSlack(problem, resource, timeline.end, planned),
  };
}

function withSlack(problem: Problem, resource: number, end: number, stops: readonly PlannedStop[]): PlannedStop[] {
  const { shift, breaks } = problem.resources[resource]!;
  let slack = shift[1] - end;
  for (const pause of breaks) if (end <= pause.latest) slack = Math.min(slack, pause.latest - end);
  const backward = [...stops].reverse().map((stop) => {
    slack = Math.min(slack, latestStart(problem, resource, stop) - stop.start);
    const here = { ...stop, slack: slack + stop.start - stop.arrive };
    slack = here.slack;
    return here;
  });
  return backward.reverse();
}

function latestStart(problem: Problem, resource: number, { kind, order, start }: PlannedStop): number {
  const windows =
    order === null
      ? problem.resources[resource]!.breaks.map(({ earliest, latest }) => [earliest, latest] as const)
      : problem.orders[order]![kind === 'pickup' ? 'pickup' : 'delivery']!.windows;
  return windows.find(([from, to]) => from <= start && start <= to)?.[1] ?? Infinity;
}
