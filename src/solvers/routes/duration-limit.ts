/** Computes the earliest end of a route under a duration limit, for all departures at once. */
import { pausesOver } from './pauses.js';
import type { Matrix, Resource, Visit } from './problem.js';
import { secondsAt } from './vehicle.js';

/**
 * A partial choice of pauses and windows, for every departure until `latest`. With departure d the driver is ready at
 * the later of `time` and d + `length`.
 */
interface Course {
  readonly time: number;
  /** Seconds without waiting. */
  readonly length: number;
  readonly latest: number;
  readonly taken: number;
  /** Driving time since the last pause. */
  readonly driven: number;
}

/**
 * Returns null if no departure satisfies the limit. A later departure can end later but take less time. It skips an
 * early window, or it replaces a pause for driving time by a pause of the shift.
 */
export function earliestEndWithin(
  resource: Resource,
  visits: readonly Visit[],
  matrix: Matrix,
  most: number,
): number | null {
  const least = leastDuration(resource, visits, matrix);
  return least > most ? null : new DurationLimit(resource, matrix, most, least).end(visits);
}

/** Drives and time at stops, without waiting and pauses; Infinity if a drive is impossible. */
function leastDuration(resource: Resource, visits: readonly Visit[], matrix: Matrix): number {
  let place = resource.start;
  let sum = 0;
  const drive = (to: number): void => {
    const seconds = secondsAt(resource.speed, matrix.duration[place * matrix.size + to]!);
    sum += seconds < 0 ? Infinity : seconds;
    place = to;
  };
  for (const visit of visits) {
    drive(visit.place);
    sum += visit.service;
  }
  if (resource.end !== null) drive(resource.end);
  return sum;
}

class DurationLimit {
  constructor(
    private readonly resource: Resource,
    private readonly matrix: Matrix,
    private readonly most: number,
    /** Seconds from here to the end without waiting and pauses. */
    private rest: number,
  ) {}

  end(visits: readonly Visit[]): number | null {
    const { shift, start, end } = this.resource;
    // A departure at or after this time satisfies the limit until the end of the shift, so later departures are
    // equivalent.
    const latest = shift[1] - this.most;
    const begins = [shift[0], ...pausesOver(this.resource)];
    let courses = this.leaving(begins.map((time, taken) => ({ time, length: 0, latest, taken, driven: 0 })));
    let place = start;
    for (const visit of visits) {
      courses = this.leaving(this.driven(courses, place, visit.place));
      courses = this.leaving(this.served(courses, visit));
      if (courses.length === 0) return null;
      place = visit.place;
    }
    return this.earliest(end === null ? courses : this.leaving(this.driven(courses, place, end)));
  }

  /** Earliest end of the courses that end within the shift and have no further pause due by then. */
  private earliest(courses: readonly Course[]): number | null {
    const { shift, breaks } = this.resource;
    const ends = courses
      .filter(({ time, taken }) => time <= Math.min(shift[1], breaks[taken]?.latest ?? Infinity))
      .map(({ time }) => time);
    return ends.length === 0 ? null : Math.min(...ends);
  }

  /** Returns whether the limit can still be satisfied; later steps never shorten a course. */
  private mayHold(time: number, length: number, latest: number): boolean {
    return Math.max(length, time - latest) + this.rest <= this.most;
  }

  private driven(courses: readonly Course[], from: number, to: number): Course[] {
    const { resource, matrix } = this;
    const seconds = secondsAt(resource.speed, matrix.duration[from * matrix.size + to]!);
    const most = resource.driveBreak?.after ?? Infinity;
    this.rest -= seconds;
    const arrived: Course[] = [];
    for (const { time, length, latest, taken, driven } of courses)
      if (driven + seconds <= most)
        arrived.push({ time: time + seconds, length: length + seconds, latest, taken, driven: driven + seconds });
    return arrived;
  }

  /** Returns one course for each window that it can reach. A departure after an early window skips that window. */
  private served(courses: readonly Course[], { windows, service }: Visit): Course[] {
    this.rest -= service;
    const found: Course[] = [];
    for (const { time, length, latest, taken, driven } of courses)
      for (const [from, to] of windows) {
        const leave = Math.max(time, from) + service;
        const before = Math.min(latest, to - length);
        if (time <= to && this.mayHold(leave, length + service, before))
          found.push({ time: leave, length: length + service, latest: before, taken, driven });
      }
    return found;
  }

  /** Returns the courses that can still satisfy the limit, and those that result from taking pauses here. */
  private leaving(open: Course[]): Course[] {
    const { breaks, driveBreak } = this.resource;
    if (breaks.length === 0 && !driveBreak && open.length < 2) return open;
    const kept: Course[] = [];
    for (let course = open.pop(); course; course = open.pop()) {
      const { time, length, latest, taken, driven } = course;
      if (!this.mayHold(time, length, latest) || kept.some((other) => covers(other, course!))) continue;
      kept.push(course);
      const due = breaks[taken];
      if (due && time <= due.latest)
        open.push({
          time: Math.max(time, due.earliest) + due.duration,
          length: length + due.duration,
          latest: Math.min(latest, due.latest - length),
          taken: taken + 1,
          driven: driveBreak && due.duration >= driveBreak.duration ? 0 : driven,
        });
      if (driveBreak && driven > 0)
        open.push({ time: time + driveBreak.duration, length: length + driveBreak.duration, latest, taken, driven: 0 });
    }
    return kept.length < 2
      ? kept
      : kept.filter((course, index) => !kept.some((other, at) => at > index && covers(other, course)));
  }
}

const covers = (course: Course, other: Course): boolean =>
  course.taken === other.taken &&
  course.time <= other.time &&
  course.length <= other.length &&
  course.latest >= other.latest &&
  course.driven <= other.driven;
