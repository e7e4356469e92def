/** Routes with a maximum duration, compared with every departure and every choice of breaks. */
import { expect } from 'chai';
import fc from 'fast-check';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { DRIVABLE, isDrivable } from '../../../src/solvers/routes/drivable.js';
import { planOf } from '../../../src/solvers/routes/plan.js';
import type { Break, Matrix, Problem, Resource, Visit, Window } from '../../../src/solvers/routes/problem.js';
import { Random } from '../../../src/solvers/routes/random.js';
import { timelineOf } from '../../../src/solvers/routes/timeline.js';
import { runs } from '../../support/depth.js';

interface Day {
  readonly resource: Resource;
  readonly visits: readonly Visit[];
  readonly matrix: Matrix;
}

/** The time, the number of breaks taken, and the driving time since the last break. */
type Now = readonly [time: number, taken: number, driven: number];

/** The earliest end within the limit, found by exhaustive search; null if there is none. */
function triedEnd(day: Day): number | null {
  const { resource } = day;
  const [begin, close] = resource.shift;
  let best: number | null = null;
  for (let taken = 0, over = begin; taken <= resource.breaks.length; taken += 1) {
    if (taken > 0) {
      const { duration, earliest, latest } = resource.breaks[taken - 1]!;
      if (over > latest) break;
      over = Math.max(over, earliest) + duration;
    }
    for (let departure = over; departure <= close; departure += 1) {
      const end = endFrom(day, departure, taken);
      if (end === null || end - departure > (resource.maxDuration ?? Infinity)) continue;
      if (best === null || end < best) best = end;
    }
  }
  return best;
}

function endFrom({ resource, visits, matrix }: Day, departure: number, taken: number): number | null {
  const { shift, breaks, driveBreak } = resource;
  let place = resource.start;
  let states = resting(resource, [[departure, taken, 0]]);
  const goTo = (to: number): void => {
    const seconds = matrix.duration[place * matrix.size + to]!;
    const there = states
      .map(([time, pauses, driven]): Now => [time + seconds, pauses, driven + seconds])
      .filter(([, , driven]) => driven <= (driveBreak?.after ?? Infinity));
    states = resting(resource, there);
    place = to;
  };
  for (const { place: to, service, windows } of visits) {
    goTo(to);
    const served = states.filter(([time]) => windows.some(([from, until]) => from <= time && time <= until));
    states = resting(
      resource,
      served.map(([time, pauses, driven]): Now => [time + service, pauses, driven]),
    );
  }
  if (resource.end !== null) goTo(resource.end);
  const ends = states.filter(([time, pauses]) => time <= shift[1] && time <= (breaks[pauses]?.latest ?? time));
  return ends.length === 0 ? null : Math.min(...ends.map(([time]) => time));
}

/**
 * All states that are reachable by waiting: a second of waiting, the next break, or a break that driving time requires.
 */
function resting({ shift, breaks, driveBreak }: Resource, begun: readonly Now[]): Now[] {
  const seen = new Map<string, Now>();
  const open = [...begun];
  for (let now = open.pop(); now; now = open.pop()) {
    const [time, taken, driven] = now;
    if (time > shift[1] || seen.has(now.join())) continue;
    seen.set(now.join(), now);
    open.push([time + 1, taken, driven]);
    const due = breaks[taken];
    if (due && due.earliest <= time && time <= due.latest)
      open.push([time + due.duration, taken + 1, due.duration >= (driveBreak?.duration ?? Infinity) ? 0 : driven]);
    if (driveBreak) open.push([time + driveBreak.duration, taken, 0]);
  }
  return [...seen.values()];
}

/** A short day that is generated from a number. */
function shortDay(seed: number): Day {
  const random = new Random(seed);
  const size = 5;
  const cells = Int32Array.from({ length: size * size }, () => 1 + random.below(7));
  const windows = (): Window[] => {
    const from = random.below(24);
    const first: Window = [from, from + random.below(12)];
    const next = first[1] + 1 + random.below(8);
    return random.below(2) === 0 ? [first] : [first, [next, next + random.below(12)]];
  };
  const breaks: Break[] = [];
  for (let earliest = 4 + random.below(10); breaks.length < random.below(3); earliest += 6 + random.below(8))
    breaks.push({ duration: 1 + random.below(5), earliest, latest: earliest + random.below(6) });
  const begin = random.below(4);
  return {
    matrix: { size, distance: cells, duration: cells },
    visits: Array.from({ length: 1 + random.below(4) }, () => ({
      place: 1 + random.below(size - 1),
      service: random.below(4),
      windows: windows(),
    })),
    resource: {
      start: 0,
      end: random.below(3) === 0 ? null : random.below(size),
      shift: [begin, begin + 30 + random.below(20)],
      breaks,
      capacity: [],
      skills: [],
      ...(random.below(3) > 0 && { driveBreak: { after: 7 + random.below(8), duration: 1 + random.below(5) } }),
      ...(random.below(8) > 0 && { maxDuration: 6 + random.below(24) }),
    },
  };
}

const problemOf = ({ resource, visits, matrix }: Day): Problem => ({
  places: matrix.size,
  capacities: 0,
  orders: visits.map((delivery) => ({ delivery, size: [], skills: [], priority: 0 })),
  resources: [resource],
  weights: { perRoute: 0, perMetre: 1, perSecond: 1, perWait: 1 },
});

/** A day of four legs in sequence, each of this many hours. */
function straightDay(hours: number, resource: Partial<Resource>, windows: readonly Window[]): Day {
  const size = 5;
  const cells = Int32Array.from({ length: size * size }, (_, cell) => {
    return Math.abs(Math.floor(cell / size) - (cell % size)) * at(hours);
  });
  return {
    matrix: { size, distance: cells, duration: cells },
    visits: [1, 2, 3].map((place) => ({ place, service: 0, windows })),
    resource: { start: 0, end: 4, shift: [at(6), at(22)], breaks: [], capacity: [], skills: [], ...resource },
  };
}
const at = (hours: number): number => Math.round(hours * 3_600);

describe('routes with a maximum duration', () => {
  const version1 = DRIVABLE.get(1)!;

  it('depart later if a break of the shift then replaces a driving break', () => {
    // With an early departure, the driver rests after two legs (four hours), and again between 12:30 and 13:00.
    const limits = {
      breaks: [{ duration: at(0.75), earliest: at(12.5), latest: at(13) }],
      driveBreak: { after: at(4.5), duration: at(0.75) },
      maxDuration: at(9),
    };
    const { resource, visits, matrix } = straightDay(2, limits, [[0, at(24)]]);
    const early = timelineOf({ ...resource, maxDuration: undefined }, visits, matrix)!;
    expect([early.departure, early.end]).to.deep.equal([at(6), at(15.5)]);
    expect(version1(resource, visits, matrix)).to.equal(false);
    expect(isDrivable(resource, visits, matrix)).to.equal(true);
    const { departure, end } = timelineOf(resource, visits, matrix)!;
    expect([departure, end]).to.deep.equal([at(8.5), at(17.25)]);
    expect(isDrivable({ ...resource, maxDuration: at(8.75) }, visits, matrix)).to.equal(true);
    expect(isDrivable({ ...resource, maxDuration: at(8.75) - 1 }, visits, matrix)).to.equal(false);
  });

  it('depart later if that skips a window in which the day would begin too early', () => {
    const day = straightDay(0.5, { maxDuration: at(3) }, [[0, at(24)]]);
    const [first, ...others] = day.visits;
    const last = { ...others.pop()!, windows: [[at(12), at(20)] as const] };
    const visits = [{ ...first!, windows: [[at(6), at(7)] as const, [at(14), at(15)] as const] }, ...others, last];
    expect(version1(day.resource, visits, day.matrix)).to.equal(false);
    expect(isDrivable(day.resource, visits, day.matrix)).to.equal(true);
    const { departure, end } = timelineOf(day.resource, visits, day.matrix)!;
    expect([departure, end]).to.deep.equal([at(13.5), at(15.5)]);
  });

  it('are found whenever a departure exists, end as early as possible, and pass the checker', () => {
    let mended = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const day = shortDay(seed);
        const { resource, visits, matrix } = day;
        const end = triedEnd(day);
        expect(isDrivable(resource, visits, matrix)).to.equal(end !== null);
        // Every day that version 1 accepts is drivable.
        const before = version1(resource, visits, matrix);
        expect(before && end === null).to.equal(false);
        if (end === null) return;
        if (!before) mended += 1;
        const problem = problemOf(day);
        const stops = visits.map((_, order) => [order, 1] as const);
        const plan = planOf(problem, matrix, { routes: [{ resource: 0, stops }], unassigned: [] });
        expect(plan.routes[0]!.end).to.equal(end);
        expect(faultsOf(problem, matrix, plan)).to.deep.equal([]);
      }),
      // The example is one of the few days that version 1 rejected although they are drivable.
      { numRuns: runs(1_200), examples: [[1_098_682_001]] },
    );
    expect(mended).to.be.above(0);
  });
});
