import { pausesOver } from './pauses.js';
import type { Matrix, Resource, Visit } from './problem.js';
import { secondsAt } from './vehicle.js';
import { earliestEndWithin } from './duration-limit.js';

/** A visit or a pause of a route with its times. */
export interface Moment {
  /** Index of the visit. For a pause, the index of the visit after which it is taken; -1 is the start. */
  readonly at: number;
  readonly pause: boolean;
  readonly arrive: number;
  readonly start: number;
  readonly leave: number;
}

export interface Timeline {
  readonly departure: number;
  readonly end: number;
  readonly moments: readonly Moment[];
}

/**
 * A possible state of a route: pauses taken, driving time since the last one, and the time when the driver is ready.
 */
interface Label {
  readonly time: number;
  readonly taken: number;
  readonly driven: number;
  readonly before: Label | null;
  readonly moment: Moment | null;
}

/** The earliest end, and the states that reach it. */
interface Ended {
  readonly time: number;
  readonly ended: readonly Label[];
}

/**
 * Computes the exact timeline of one route: the earliest end within the duration limit, and for that end the least
 * waiting. If no departure satisfies the limit, it is the earliest end without it. Returns null if the sequence cannot
 * be driven.
 *
 * A pause may be taken on arrival or before leaving. A pause is not due if it starts only after the end or is over
 * before the departure.
 */
export function timelineOf(resource: Resource, visits: readonly Visit[], matrix: Matrix): Timeline | null {
  const { shift, maxDuration } = resource;
  const first = drive(resource, visits, matrix, shift[0]);
  if (!first) return null;
  const end = maxDuration === undefined ? null : earliestEndWithin(resource, visits, matrix, maxDuration);
  const earliest = end === null ? shift[0] : Math.max(shift[0], end - maxDuration!);
  const courses = [...latestCourses(resource, visits, matrix, { end: end ?? first.time, earliest })];
  return courses.reduce((best, other) => (idle(other) < idle(best) ? other : best));
}

/**
 * Returns timelines with this end. There is one for each number of pauses before the departure and each total number of
 * pauses: the one with the latest departure, but not before `earliest`. No departure from `earliest` on may lead to an
 * earlier end.
 */
function* latestCourses(
  resource: Resource,
  visits: readonly Visit[],
  matrix: Matrix,
  { end, earliest }: { readonly end: number; readonly earliest: number },
): Generator<Timeline> {
  const begins = [resource.shift[0], ...pausesOver(resource)].map((begin) => Math.max(begin, earliest));
  const reaching = (departure: number, before: number): readonly Label[] => {
    const ended = drive(resource, visits, matrix, departure, before);
    return ended?.time === end ? ended.ended : [];
  };
  const all = begins.flatMap((begin, before) => reaching(begin, before).map(({ taken }) => taken));
  for (const taken of new Set(all))
    for (const [before, begin] of begins.entries()) {
      const arriving = (departure: number): Label | undefined =>
        reaching(departure, before).find((label) => label.taken === taken);
      let best = arriving(begin);
      if (!best) continue;
      let low = begin;
      let high = end;
      while (low < high) {
        const middle = low + Math.ceil((high - low) / 2);
        const label = arriving(middle);
        if (label) {
          best = label;
          low = middle;
        } else high = middle - 1;
      }
      const moments: Moment[] = [];
      for (let label: Label | null = best; label; label = label.before) if (label.moment) moments.push(label.moment);
      yield { departure: low, end, moments: moments.reverse() };
    }
}

/** Time between departure and end without pauses. Less means less waiting. */
function idle({ departure, end, moments }: Timeline): number {
  return end - departure - moments.reduce((sum, { pause, start, leave }) => sum + (pause ? leave - start : 0), 0);
}

/** Departs at this time with `before` pauses already over. Returns null if the sequence cannot be driven then. */
export function drive(
  resource: Resource,
  visits: readonly Visit[],
  matrix: Matrix,
  departure: number,
  before = 0,
): Ended | null {
  let place = resource.start;
  let labels = leaving(resource, [{ time: departure, taken: before, driven: 0, before: null, moment: null }], -1);
  for (let at = 0; at < visits.length; at += 1) {
    const visit = visits[at]!;
    const arrived = driven(resource, labels, at - 1, matrix, place, visit.place);
    labels = leaving(
      resource,
      arrived.flatMap((label) => served(label, visit, at)),
      at,
    );
    place = visit.place;
    if (labels.length === 0) return null;
  }
  if (resource.end !== null) labels = driven(resource, labels, visits.length - 1, matrix, place, resource.end);
  const ended = labels.filter(
    ({ time, taken }) => time <= resource.shift[1] && time <= (resource.breaks[taken]?.latest ?? time),
  );
  const time = Math.min(...ended.map((label) => label.time));
  return ended.length === 0 ? null : { time, ended: ended.filter((label) => label.time === time) };
}

function driven(resource: Resource, labels: Label[], at: number, matrix: Matrix, from: number, to: number): Label[] {
  const seconds = secondsAt(resource.speed, matrix.duration[from * matrix.size + to]!);
  if (seconds < 0) return [];
  const most = resource.driveBreak?.after ?? Infinity;
  const arrived = labels
    .filter((label) => label.driven + seconds <= most)
    .map((label) => ({
      ...label,
      time: label.time + seconds,
      driven: label.driven + seconds,
      before: label,
      moment: null,
    }));
  return leaving(resource, arrived, at);
}

/** Returns the labels, and the labels that result from taking pauses here. */
function leaving(resource: Resource, labels: Label[], at: number): Label[] {
  const { breaks, driveBreak } = resource;
  if (breaks.length === 0 && !driveBreak) return labels;
  const open = [...labels];
  const kept: Label[] = [];
  for (let label = open.pop(); label; label = open.pop()) {
    if (kept.some((other) => covers(other, label!))) continue;
    kept.push(label);
    const due = breaks[label.taken];
    if (due && label.time <= due.latest) {
      const start = Math.max(label.time, due.earliest);
      const rested = driveBreak && due.duration >= driveBreak.duration ? 0 : label.driven;
      open.push(paused(label, at, start, due.duration, label.taken + 1, rested));
    }
    if (driveBreak && label.driven > 0) open.push(paused(label, at, label.time, driveBreak.duration, label.taken, 0));
  }
  return kept.filter((label, index) => !kept.some((other, place) => place > index && covers(other, label)));
}

function paused(before: Label, at: number, start: number, length: number, taken: number, rested: number): Label {
  const leave = start + length;
  const moment = { at, pause: true, arrive: before.time, start, leave };
  return { time: leave, taken, driven: rested, before, moment };
}

function covers(label: Label, other: Label): boolean {
  return label.taken === other.taken && label.time <= other.time && label.driven <= other.driven;
}

function served(label: Label, visit: Visit, at: number): Label[] {
  const window = visit.windows.find(([, to]) => label.time <= to);
  if (!window) return [];
  const start = Math.max(label.time, window[0]);
  const leave = start + visit.service;
  const moment = { at, pause: false, arrive: label.time, start, leave };
  return [{ time: leave, taken: label.taken, driven: label.driven, before: label, moment }];
}
