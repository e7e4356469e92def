/**
 * vroom-express by its README and VROOM's API documentation: `POST /`, custom matrices, jobs and shipments. It plans
 * greedily: each vehicle drives to the nearest stop that it can still serve.
 */
import { z } from 'zod';
import { startJsonServer, type JsonServer } from './json-server.js';

const window = z.tuple([z.int(), z.int()]);
const index = z.int().min(0);
const task = { id: index, location_index: index, service: index, time_windows: z.array(window).min(1) };
const amount = z.array(index);
const skills = z.array(index);
const priority = z.int().min(0).max(100);
const rows = z.array(z.array(z.int().min(0).max(4_294_967_295)));
const input = z.object({
  vehicles: z.array(
    z.object({
      id: index,
      start_index: index,
      end_index: index.optional(),
      capacity: amount,
      skills,
      time_window: window,
      breaks: z.array(z.object({ id: index, service: index, time_windows: z.tuple([window]) })),
      costs: z.object({ fixed: index }),
      profile: z.string(),
      max_tasks: index.optional(),
      max_distance: index.optional(),
    }),
  ),
  jobs: z.array(z.object({ ...task, delivery: amount.optional(), pickup: amount.optional(), skills, priority })),
  shipments: z.array(z.object({ amount, skills, priority, pickup: z.object(task), delivery: z.object(task) })),
  matrices: z.record(z.string(), z.object({ durations: rows, costs: rows, distances: rows.optional() })),
});
type Input = z.infer<typeof input>;
type Vehicle = Input['vehicles'][number];
interface Stop {
  readonly type: 'job' | 'pickup' | 'delivery';
  readonly id: number;
  readonly place: number;
  readonly service: number;
  readonly windows: readonly (readonly [number, number])[];
}
interface Load {
  readonly stops: readonly Stop[];
  readonly skills: readonly number[];
  readonly size: readonly number[];
}
type Route = { readonly vehicle: number; readonly steps: { readonly type: string; readonly id?: number }[] };

export interface VroomServer extends JsonServer {
  /** Changes the found routes before the response. */
  cheat(change: (routes: Route[]) => Route[]): void;
}

export async function startVroom({ limit = 1_000_000, maxLocations = 1_000 } = {}): Promise<VroomServer> {
  let cheat = (routes: Route[]): Route[] => routes;
  const server = await startJsonServer((_path, body) => {
    if (body.length > limit) return { status: 413, json: { code: 4, error: 'request entity too large' } };
    const parsed = input.safeParse(JSON.parse(body));
    if (!parsed.success) return { status: 400, json: { code: 2, error: z.prettifyError(parsed.error) } };
    const { jobs, shipments } = parsed.data;
    if (jobs.length + 2 * shipments.length > maxLocations)
      return { status: 413, json: { code: 4, error: 'Too many locations' } };
    const { routes, unassigned } = planned(parsed.data);
    return { status: 200, json: { code: 0, summary: { cost: 0 }, unassigned, routes: cheat(routes) } };
  });
  return Object.assign(server, { cheat: (change: (routes: Route[]) => Route[]) => void (cheat = change) });
}

function planned({ vehicles, jobs, shipments, matrices }: Input): { routes: Route[]; unassigned: unknown[] } {
  const stop = (
    type: Stop['type'],
    { id, location_index, service, time_windows }: z.infer<z.ZodObject<typeof task>>,
  ) => ({ type, id, place: location_index, service, windows: time_windows });
  const remaining: Load[] = [
    ...jobs.map((job) => ({ stops: [stop('job', job)], skills: job.skills, size: (job.delivery ?? job.pickup)! })),
    ...shipments.map((one) => ({
      stops: [stop('pickup', one.pickup), stop('delivery', one.delivery)],
      skills: one.skills,
      size: one.amount,
    })),
  ];
  const routes = vehicles.map((vehicle): Route => {
    const steps: Route['steps'] = [{ type: 'start' }];
    let at = { place: vehicle.start_index, clock: vehicle.time_window[0], breaks: 0, tasks: 0 };
    const free = [...vehicle.capacity];
    for (;;) {
      const next = remaining
        .filter(
          ({ skills, size }) =>
            skills.every((one) => vehicle.skills.includes(one)) && size.every((one, type) => one <= free[type]!),
        )
        .map((load) => ({ load, after: drive(vehicle, at, load.stops, matrices[vehicle.profile]!.durations) }))
        .filter(({ after }) => after && after.tasks <= (vehicle.max_tasks ?? Infinity))
        .sort((one, other) => one.after!.clock - other.after!.clock)[0];
      if (!next) break;
      remaining.splice(remaining.indexOf(next.load), 1);
      next.load.size.forEach((one, type) => (free[type]! -= one));
      steps.push(...next.load.stops.map(({ type, id }) => ({ type, id })));
      at = next.after!;
    }
    return { vehicle: vehicle.id, steps: [...steps, { type: 'end' }] };
  });
  return {
    routes: routes.filter(({ steps }) => steps.length > 2),
    unassigned: remaining.flatMap(({ stops }) => stops.map(({ id, type }) => ({ id, type }))),
  };
}

/** Returns place and time after these stops; undefined if the vehicle cannot serve them or cannot return in time. */
function drive(
  vehicle: Vehicle,
  from: { place: number; clock: number; breaks: number; tasks: number },
  stops: readonly Stop[],
  durations: number[][],
) {
  let { place, clock, breaks, tasks } = from;
  const rest = (until: number): boolean => {
    for (let pause = vehicle.breaks[breaks]; pause; pause = vehicle.breaks[breaks]) {
      const [earliest, latest] = pause.time_windows[0];
      if (until <= earliest) return true;
      clock = Math.max(clock, earliest);
      if (clock > latest) return false;
      clock += pause.service;
      breaks += 1;
    }
    return true;
  };
  for (const { place: next, windows, service } of stops) {
    const begins = (): number | undefined => {
      const arrive = clock + durations[place]![next]!;
      const open = windows.find(([, to]) => arrive <= to);
      return open && Math.max(arrive, open[0]);
    };
    const first = begins();
    if (first === undefined || !rest(first + service)) return undefined;
    const begin = begins();
    if (begin === undefined) return undefined;
    clock = begin + service;
    place = next;
    tasks += 1;
  }
  const home = clock + (vehicle.end_index === undefined ? 0 : durations[place]![vehicle.end_index]!);
  const due = vehicle.breaks[breaks];
  const back = due && home > due.time_windows[0][0] ? home + due.service : home;
  return back > vehicle.time_window[1] ? undefined : { place, clock, breaks, tasks };
}
