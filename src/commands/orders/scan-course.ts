/**
 * The course of an order: the statuses that its scans and the decisions of users led to. The order stores the steps, so
 * that a superseded scan can be left out: all other steps then count as if it had never happened. Pure.
 */
import { isFinal, mayFollow, statusOfCode, type OrderStatus } from '../../events/orders/events.js';
import type { Instant } from '../../events/otep/time.js';

export interface ScanRecord {
  readonly tracking_number: string;
  readonly status_code: string;
  readonly instant: Instant;
  readonly scanned_by?: number;
  readonly driver_id?: number;
  readonly reason_code?: string;
  /** The scan is of a carrier: its event in the timeline has this id. */
  readonly scan?: string;
}

/** A change of the order's status. `by`: the scan that caused it; absent: a user's decision. */
export interface StatusChange {
  readonly status: OrderStatus;
  readonly at: Instant;
  readonly by?: string;
}

/** The end of a package: its final status, and the scan that brought it. */
export interface End {
  readonly status: OrderStatus;
  readonly at: Instant;
  readonly by: string;
}

/** `accepted`: an office accepted the scan, so it may change the status of an order or package that has ended. */
interface ScanStep {
  readonly by: string;
  readonly scan: ScanRecord;
  readonly accepted: boolean;
  /** The status that the rules led to; undefined: no change. */
  readonly expected: OrderStatus | undefined;
  /** The status that the events changed the order to; undefined: no change. */
  readonly moved?: OrderStatus;
}

/** `route`: put on a route, or taken off one so that the status follows from the status before. */
interface Decision {
  readonly status: OrderStatus;
  readonly at: Instant;
  readonly route?: 'on' | 'off';
}

type Step = ScanStep | Decision;

export interface Course {
  status: OrderStatus;
  /** The status that returns when the order is taken off its route. */
  beforeRoute: OrderStatus;
  /** Time of the last scan that changed or confirmed the status; '': there was none. */
  movedAt: Instant;
  /** Tracking numbers of the packages. */
  readonly packages: readonly string[];
  /** Oldest first. */
  readonly changes: StatusChange[];
  /** By tracking number. Another end counts only if an office has accepted it. */
  readonly ends: Map<string, readonly End[]>;
  readonly steps: Step[];
}

export const newCourse = (packages: readonly string[] = []): Course => ({
  status: 'NEW_ORDER',
  beforeRoute: 'NEW_ORDER',
  movedAt: '',
  packages,
  changes: [],
  ends: new Map(),
  steps: [],
});

export const copyOfCourse = (course: Course): Course => ({
  ...course,
  changes: [...course.changes],
  ends: new Map(course.ends),
  steps: [...course.steps],
});

/** The status that a scan changes the order to; undefined: no change. */
export function statusByScan(course: Course, scan: ScanRecord, accepted: boolean): OrderStatus | undefined {
  const status = leadsTo(course, scan, accepted);
  if (!status || status === course.status) return undefined;
  const isCorrected = accepted && isFinal(status) && isFinal(course.status);
  return isCorrected || mayFollow(course.status, status) ? status : undefined;
}

/**
 * A final status applies when all packages have ended: DELIVERED if any package was delivered. Otherwise the newest
 * scan of a package that has not ended determines the status. An accepted delivery of one package is enough if the order
 * has ended, because the order's end is also that of the other packages.
 */
function leadsTo(
  { packages, ends, movedAt, status: present }: Course,
  { tracking_number, status_code, instant }: ScanRecord,
  accepted: boolean,
): OrderStatus | undefined {
  const status = statusOfCode(status_code);
  const lastEnd = (number: string) => ends.get(number)?.at(-1)?.status;
  if (!status || !isFinal(status))
    return status && instant >= movedAt && lastEnd(tracking_number) === undefined ? status : undefined;
  const all = packages.map((number) => (number === tracking_number ? status : lastEnd(number)));
  const hasEnded = all.every((end) => end !== undefined);
  if (all.includes('DELIVERED') && (hasEnded || (accepted && isFinal(present)))) return 'DELIVERED';
  return hasEnded ? status : undefined;
}

/**
 * The status after the removal from a route. If the driver has not started the order, its earlier status returns. An
 * order in the vehicle goes back to a warehouse.
 */
export function statusOffRoute({ status, beforeRoute }: Pick<Course, 'status' | 'beforeRoute'>): OrderStatus {
  if (status === 'PLANNED' || status === 'OUT_FOR_PICKUP') return beforeRoute;
  return status === 'OUT_FOR_DELIVERY' ? 'RECEIVED' : status;
}

/** A scan, whose change of the status may follow as an event. */
export function addScan(course: Course, by: string, scan: ScanRecord, accepted: boolean): void {
  const step = { by, scan, accepted, expected: statusByScan(course, scan, accepted) };
  course.steps.push(step);
  take(course, step, undefined);
}

/** The event that a scan has changed the status. `by`: id of a scan of the course. */
export function addMove(course: Course, by: string, status: OrderStatus): void {
  const at = course.steps.findLastIndex((step) => 'by' in step && step.by === by);
  const step = course.steps[at] as ScanStep | undefined;
  // A fold never throws: without its scan, the change counts as a decision.
  if (!step) return addDecision(course, { status, at: course.movedAt });
  course.steps[at] = { ...step, moved: status };
  move(course, step, status);
}

export function addDecision(course: Course, { status, at, route }: Decision): void {
  const isDerived = route === 'on' || (route === 'off' && status === statusOffRoute(course));
  const step = { status, at, ...(isDerived && { route }) };
  course.steps.push(step);
  decide(course, step);
}

/** The course without a scan. */
export function withoutScan({ steps, packages }: Course, id: string): Course {
  const course = newCourse(packages);
  for (const step of steps)
    if (!('by' in step)) decide(course, step);
    else if (step.by !== id) take(course, step, again(course, step));
  course.steps.push(...steps.filter((step) => !('by' in step) || step.by !== id));
  return course;
}

/**
 * The status that a scan leads to in another course. A scan for which the events differ from the rules remains
 * unchanged.
 */
function again(course: Course, { scan, accepted, expected, moved }: ScanStep): OrderStatus | undefined {
  if (moved !== expected) return moved === course.status ? undefined : moved;
  return statusByScan(course, scan, accepted);
}

function take(course: Course, step: ScanStep, status: OrderStatus | undefined): void {
  const { by, scan, accepted } = step;
  const isConfirmed = !isFinal(course.status) && leadsTo(course, scan, accepted) === course.status;
  if (isConfirmed) course.movedAt = scan.instant;
  if (status !== undefined) move(course, step, status);
  const end = statusOfCode(scan.status_code);
  const before = course.ends.get(scan.tracking_number) ?? [];
  if (!end || !isFinal(end) || (before.length > 0 && !accepted)) return;
  course.ends.set(scan.tracking_number, [...before, { status: end, at: scan.instant, by }]);
}

function move(course: Course, { by, scan: { instant } }: ScanStep, status: OrderStatus): void {
  course.status = status;
  if (instant > course.movedAt) course.movedAt = instant;
  course.changes.push({ status, at: instant, by });
}

function decide(course: Course, { at, route, status: recorded }: Decision): void {
  if (route === 'on') course.beforeRoute = course.status;
  course.status = route === 'off' ? statusOffRoute(course) : recorded;
  course.changes.push({ status: course.status, at });
}
