import type { Matrix, Problem, Resource, Visit } from './problem.js';
import type { Plan, PlannedRoute, PlannedStop } from './plan.js';

/** A rule that a plan violates. */
export interface Fault {
  readonly code: string;
  readonly resource?: number;
  readonly order?: number;
}

/**
 * Checks that a plan of any engine satisfies all rules. It uses only the problem and the times in the plan, and no code
 * of the solver, because shared code would hide shared errors.
 */
export function faultsOf(problem: Problem, matrix: Matrix, plan: Plan): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  const resources = new Set<number>();
  const count = (key: string): void => void seen.set(key, (seen.get(key) ?? 0) + 1);
  for (const route of plan.routes) {
    if (!problem.resources[route.resource]) faults.push({ code: 'UNKNOWN_RESOURCE', resource: route.resource });
    else if (resources.has(route.resource)) faults.push({ code: 'RESOURCE_TWICE', resource: route.resource });
    else faults.push(...new RouteCheck(problem, matrix, route).faults());
    resources.add(route.resource);
    for (const stop of route.stops) if (stop.order !== null) count(`${stop.order} ${stop.kind}`);
  }
  const left = new Set(plan.unassigned);
  problem.orders.forEach((order, index) => {
    for (const kind of ['pickup', 'delivery'] as const) {
      const times = seen.get(`${index} ${kind}`) ?? 0;
      seen.delete(`${index} ${kind}`);
      const wanted = order[kind] && !left.has(index) ? 1 : 0;
      if (times !== wanted) faults.push({ code: times < wanted ? 'MISSING' : 'TOO_OFTEN', order: index });
    }
  });
  if (seen.size > 0) faults.push({ code: 'UNKNOWN_ORDER' });
  if (left.size !== plan.unassigned.length || plan.unassigned.some((order) => !problem.orders[order]))
    faults.push({ code: 'UNASSIGNED_WRONG' });
  if (plan.cost !== plan.routes.reduce((sum, { cost }) => sum + cost, 0)) faults.push({ code: 'COST_WRONG' });
  return faults;
}

/** Checks the rules of one route. */
class RouteCheck {
  private readonly found: Fault[] = [];
  private readonly resource: Resource;
  private drive = 0;
  private distance = 0;
  private service = 0;
  private pause = 0;

  constructor(
    private readonly problem: Problem,
    private readonly matrix: Matrix,
    private readonly route: PlannedRoute,
  ) {
    this.resource = problem.resources[route.resource]!;
  }

  faults(): Fault[] {
    if (this.route.stops.every(({ kind }) => kind === 'break')) this.addFault('EMPTY_ROUTE');
    this.checkTravel();
    this.orders();
    this.loads();
    this.pauses();
    this.limits();
    this.sums();
    return this.found;
  }

  private addFault(code: string, order?: number | null): void {
    this.found.push({ code, resource: this.route.resource, ...(order == null ? {} : { order }) });
  }

  private visitOf({ order, kind }: PlannedStop): Visit | undefined {
    return kind === 'break' || order === null ? undefined : this.problem.orders[order]?.[kind];
  }

  /**
   * Checks that every drive has enough time, every service starts inside a window, and pauses do not interrupt drives.
   */
  private checkTravel(): void {
    let clock = this.route.start;
    let place = this.resource.start;
    let atWheel = 0;
    let resting: PlannedStop[] = [];
    if (clock < this.resource.shift[0]) this.addFault('BEFORE_SHIFT');
    for (const stop of this.route.stops) {
      if (stop.kind === 'break') {
        resting.push(stop);
        continue;
      }
      const visit = this.visitOf(stop);
      if (!visit) continue;
      atWheel = this.leg(clock, place, visit.place, stop.arrive, resting, atWheel, stop);
      if (stop.start < stop.arrive) this.addFault('SERVICE_BEFORE_ARRIVAL', stop.order);
      if (!visit.windows.some(([from, to]) => from <= stop.start && stop.start <= to))
        this.addFault('OUTSIDE_WINDOW', stop.order);
      if (stop.leave !== stop.start + visit.service) this.addFault('SERVICE_TIME', stop.order);
      this.service += visit.service;
      clock = stop.leave;
      place = visit.place;
      resting = [];
    }
    const home = this.resource.end ?? place;
    this.leg(clock, place, home, this.route.end, resting, atWheel, null);
    if (this.route.end > this.resource.shift[1]) this.addFault('AFTER_SHIFT');
  }

  /**
   * Checks one drive with its pauses, some of which are before the drive and the others after it. Returns the driving
   * time since the last pause.
   */
  private leg(
    leave: number,
    from: number,
    to: number,
    arrive: number,
    pauses: readonly PlannedStop[],
    atWheel: number,
    stop: PlannedStop | null,
  ): number {
    const open = stop === null && this.resource.end === null;
    const seconds = open ? 0 : this.secondsOf(from * this.matrix.size + to);
    const metres = open ? 0 : this.matrix.distance[from * this.matrix.size + to]!;
    if (seconds < 0) this.addFault('NO_WAY', stop?.order);
    this.drive += seconds;
    this.distance += metres;
    if (stop && stop.distance !== metres) this.addFault('DISTANCE_WRONG', stop.order);
    const rule = this.resource.driveBreak;
    let best = Infinity;
    for (let before = 0; before <= pauses.length; before += 1) {
      let clock = leave;
      let wheel = atWheel;
      let fits = true;
      pauses.forEach((pause, index) => {
        if (index === before) {
          clock += seconds;
          wheel += seconds;
          if (rule && wheel > rule.after) fits = false;
        }
        if (pause.start < clock || pause.leave < pause.start) fits = false;
        clock = pause.leave;
        if (rule && pause.leave - pause.start >= rule.duration) wheel = 0;
      });
      if (before === pauses.length) {
        clock += seconds;
        wheel += seconds;
        if (rule && wheel > rule.after) fits = false;
      }
      if (fits && clock <= arrive) best = Math.min(best, wheel);
    }
    if (best === Infinity) this.addFault('TOO_EARLY', stop?.order);
    this.pause += pauses.reduce((sum, pause) => sum + pause.leave - pause.start, 0);
    return best === Infinity ? 0 : best;
  }

  /** Driving time of the resource's vehicle in seconds, rounded up. */
  private secondsOf(cell: number): number {
    const usual = this.matrix.duration[cell]!;
    const { speed } = this.resource;
    if (speed === undefined || usual < 0) return usual;
    const over = (usual * 1_000) % speed;
    return (usual * 1_000 - over) / speed + (over > 0 ? 1 : 0);
  }

  /** Checks permissions, pickup before delivery, and the sequence of ranked stops. */
  private orders(): void {
    const picked = new Set<number>();
    let rank = 0;
    for (const stop of this.route.stops) {
      const order = stop.order === null ? undefined : this.problem.orders[stop.order];
      if (stop.kind === 'break' || !order) continue;
      if (order.skills.some((skill) => !this.resource.skills.includes(skill))) this.addFault('SKILL', stop.order);
      if (order.resource !== undefined && order.resource !== this.route.resource) this.addFault('FIXED', stop.order);
      if (order.warehouse !== undefined && !(order.pickup && order.delivery)) {
        const end = order.pickup ? this.resource.end : this.resource.start;
        if (end !== order.warehouse) this.addFault('WAREHOUSE', stop.order);
      }
      if (stop.kind === 'pickup') picked.add(stop.order!);
      else if (order.pickup && !picked.has(stop.order!)) this.addFault('DELIVERED_BEFORE_PICKUP', stop.order);
      const here = this.visitOf(stop)?.rank ?? 0;
      if (here > 0 && here < rank) this.addFault('SEQUENCE', stop.order);
      rank = Math.max(rank, here);
    }
    for (const order of picked)
      if (
        this.problem.orders[order]!.delivery &&
        !this.route.stops.some((stop) => stop.order === order && stop.kind === 'delivery')
      )
        this.addFault('TORN_APART', order);
  }

  private loads(): void {
    this.resource.capacity.forEach((capacity, type) => {
      const stops = this.route.stops.flatMap((stop) => {
        const order = stop.order === null ? undefined : this.problem.orders[stop.order];
        return order ? [{ stop, order, size: order.size[type]! }] : [];
      });
      let load = stops.reduce((sum, { order, size }) => sum + (order.pickup ? 0 : size), 0);
      if (load > capacity) this.addFault('CAPACITY');
      for (const { stop, size } of stops) {
        load += stop.kind === 'pickup' ? size : -size;
        if (load > capacity) this.addFault('CAPACITY', stop.order);
      }
    });
  }

  /**
   * Checks that each pause of the shift is taken in its window, is over before the departure, or is not yet due at the
   * end.
   */
  private pauses(): void {
    const taken = this.route.stops.filter(({ kind }) => kind === 'break');
    const rule = this.resource.driveBreak;
    let free = this.resource.shift[0];
    for (const { duration, earliest, latest } of this.resource.breaks) {
      const index = taken.findIndex(
        ({ start, leave }) => leave - start === duration && start >= earliest && start <= latest,
      );
      free = Math.max(free, earliest) + duration;
      if (index >= 0) taken.splice(index, 1);
      else if (this.route.end > latest && this.route.start < free) this.addFault('PAUSE_MISSING');
    }
    if (taken.some(({ start, leave }) => leave - start !== rule?.duration)) this.addFault('PAUSE_UNKNOWN');
  }

  private limits(): void {
    const { maxDistance, maxDuration, maxStops } = this.resource;
    const visits = this.route.stops.filter(({ kind }) => kind !== 'break').length;
    if (maxDistance !== undefined && this.distance > maxDistance) this.addFault('TOO_FAR');
    if (maxDuration !== undefined && this.route.end - this.route.start > maxDuration) this.addFault('TOO_LONG');
    if (maxStops !== undefined && visits > maxStops) this.addFault('TOO_MANY_STOPS');
  }

  private sums(): void {
    const { route } = this;
    const { perRoute, perMetre, perSecond, perWait } = this.resource.weights ?? this.problem.weights;
    const wait = route.end - route.start - this.drive - this.service - this.pause;
    if (route.distance !== this.distance || route.drive !== this.drive) this.addFault('WAY_SUM');
    if (route.service !== this.service || route.pause !== this.pause || route.wait !== wait) this.addFault('TIME_SUM');
    const cost = perRoute + this.distance * perMetre + this.drive * perSecond + wait * perWait;
    if (route.cost !== cost) this.addFault('COST_SUM');
  }
}
