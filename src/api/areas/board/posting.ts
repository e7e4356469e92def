/** What offices, captains and contractors do on the board of routes: post, take down; and what everybody sees there. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import { DEFAULT_BOARD_RULES } from '../../../events/fleets/events.js';
import { routeStream } from '../../../events/routes/events.js';
import type { FleetRow } from '../../../projections/fleets/read-model.js';
import type { BoardRow } from '../../../projections/board/read-model.js';
import type { Route } from '../../../projections/routes/queries.js';
import { deletedSchema } from '../../core/deleted.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidField } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactReward, rewardInput } from '../../core/money.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { actsFor, isOffice } from '../fleets/rights.js';
import type { Judge } from './eligibility.js';
import { boardRouteShown, toShown } from './shapes.js';
import { boardViewOf, type BoardView } from './viewing.js';
import { ROUTE_VERSION } from '../routes/shapes.js';

const time = z.iso.datetime({ offset: true });
const HOUR_MS = 3_600_000;

const WRITE = {
  area: 'Driver Route Board',
  // A captain who drives holds no scope for it.
  callers: ['client_admin', 'employee', 'broker'],
  scopes: ['routes:write'],
  reads: ['board', 'fleets', 'routes'],
  awaits: ['board'],
  writes: true,
  risk: 'medium',
} as const;
const done = z.object({ result: z.boolean() });
const READ = {
  area: 'Driver Route Board',
  callers: ['client_admin', 'employee', 'broker', 'driver'],
  scopes: ['routes:read'],
  reads: ['board', 'fleets', 'routes', 'orders', 'shifts', 'skills', 'workers'],
} as const;
const NOT_THERE = { 404: "There is no such route or fleet, or it is not the caller's." };

export interface PostingOptions extends Parts<'boards' | 'fleets' | 'routes'> {
  readonly commands: Pick<Commands, 'routes'>;
  readonly judge: Judge;
}

export function postingOperations({ commands, boards, fleets, routes, judge }: PostingOptions): Operation[] {
  /** A route that the caller plans: the office its business's, a contractor the own ones. */
  async function routeOf(caller: Caller, id: number): Promise<Route> {
    const route = await routes.byId(id, { business: businessOf(caller) });
    const { role, userId } = userOf(caller);
    const own = role === 'broker' ? route?.broker_id === userId : route?.broker_id === null;
    if (!route || (!own && !(await isCaptained(caller, id)))) throw new ApiError('ROUTE_NOT_FOUND');
    return route;
  }
  /** A captain takes down what was posted to the own fleets alone. */
  async function isCaptained(caller: Caller, id: number): Promise<boolean> {
    const row = await boards.byId(id, { business: businessOf(caller) });
    const found = row?.posted ? await fleetsOf(caller, row.fleet_ids).catch(() => []) : [];
    return found.length > 0;
  }
  /** Throws FLEET_NOT_FOUND for one that the caller does not act for; an office posts to a contractor's, too. */
  async function fleetsOf(caller: Caller, ids: readonly number[]): Promise<FleetRow[]> {
    return Promise.all(
      ids.map(async (id) => {
        const fleet = await fleets.byId(id, { business: businessOf(caller) });
        if (!fleet || !(actsFor(fleet, caller) || isOffice(caller)))
          throw fieldError('FLEET_NOT_FOUND', 'fleet_ids', { id });
        return fleet;
      }),
    );
  }
  async function tell(route: Route, command: object, { caller, cause, commandId, wrote }: Context): Promise<void> {
    const who = { commandId, routeId: route.id, business: route.business, by: userOf(caller).userId };
    wrote((await commands.routes(routeStream(route.id), { ...who, ...command } as RouteCommand, cause)).position);
  }

  async function shownTo(caller: Caller, { driverId, known }: BoardView, rows: readonly BoardRow[], now: number) {
    const loads = await boards.loads(rows.map(({ id }) => id));
    const looking = { driverId, known, timezone: userOf(caller).timezone, now };
    const shown = await Promise.all(
      rows.map(async (row) => {
        const route = await routes.byId(row.id, { business: row.business });
        const hindrance = driverId === undefined ? undefined : (await judge(row, [driverId])).get(driverId);
        return route && toShown(row, { route, load: loads.get(row.id), hindrance }, looking);
      }),
    );
    return shown.filter((one) => one !== undefined);
  }

  return [
    operation({
      ...READ,
      name: 'boardRoutes',
      summary: 'List posted routes, earliest first',
      description: 'Drivers see routes posted to their fleets, without names and addresses of recipients.',
      rest: { method: 'get', path: '/v1/route-board' },
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, board_routes: z.array(boardRouteShown) }),
      async run(page, { caller, time: now }) {
        const view = await boardViewOf(fleets, caller);
        const { rows, ...found } = await boards.list(rangeOf(page), view.viewer);
        return { ...pageOf(page, found), board_routes: await shownTo(caller, view, rows, now) };
      },
    }),
    operation({
      ...READ,
      name: 'boardRoute',
      versioned: ROUTE_VERSION,
      summary: 'Get a posted route',
      description: 'As the list shows it; also after the route was started.',
      rest: { method: 'get', path: '/v1/route-board/:route_id' },
      answers: { 404: 'There is no such route, or it is not posted to a fleet of the caller.' },
      input: z.object({ route_id: idSchema }),
      output: z.object({ result: z.boolean(), board_route: boardRouteShown }),
      async run({ route_id }, { caller, time: now }) {
        const view = await boardViewOf(fleets, caller);
        const row = await boards.byId(route_id, view.viewer);
        const [board_route] = row?.posted && row.posting ? await shownTo(caller, view, [row], now) : [];
        if (!board_route) throw new ApiError('ROUTE_NOT_FOUND');
        return { result: true, board_route };
      },
    }),
    operation({
      ...WRITE,
      name: 'boardPost',
      versioned: ROUTE_VERSION,
      returns: { read: 'boardRoute' },
      summary: 'Post a route to fleets, for drivers to claim',
      description: 'A further call replaces the posting. Times are those of its plan, if it has one.',
      rest: { method: 'put', path: '/v1/route-board/:route_id' },
      answers: { ...NOT_THERE, 409: 'Somebody has it, or it is under way or closed.', 422: 'It was not planned.' },
      input: z.object({
        route_id: idSchema,
        fleet_ids: z.array(idSchema).min(1).max(50),
        opens_at: time.optional().describe('Absent: now.'),
        closes_at: time.optional().describe('Absent: at the start.'),
        start_at: time.optional().describe('Absent: as planned.'),
        end_at: time.optional(),
        standby_limit: z.int().min(0).max(20).optional().describe('Absent: as the rules of the first fleet say.'),
        withdraw_until: time.optional().describe('A withdrawal after it is late.'),
        reward: rewardInput,
      }),
      output: done,
      async run({ route_id, fleet_ids, reward, ...given }, context) {
        const route = await routeOf(context.caller, route_id);
        const [first] = await fleetsOf(context.caller, fleet_ids);
        const rules = first!.board_rules ?? DEFAULT_BOARD_RULES;
        const iso = (millis: number): string => new Date(millis).toISOString();
        const start_at = given.start_at ?? (route.planned ? iso(route.planned.start * 1_000) : undefined);
        const end_at = given.end_at ?? (route.planned ? iso(route.planned.end * 1_000) : undefined);
        if (start_at === undefined || end_at === undefined) throw fieldError('ROUTE_TIMES_NEEDED', 'start_at');
        const start = Date.parse(start_at);
        if (Date.parse(end_at) <= start) throw invalidField('INVALID_FORM', 'end_at');
        const opens_at = given.opens_at ?? iso(context.time);
        const closes_at = given.closes_at ?? start_at;
        if (Date.parse(closes_at) <= Date.parse(opens_at)) throw invalidField('INVALID_FORM', 'closes_at');
        const posting = {
          fleet_ids: [...new Set(fleet_ids)],
          opens_at,
          closes_at,
          start_at,
          end_at,
          standby_limit: given.standby_limit ?? rules.standby_limit,
          withdraw_until: given.withdraw_until ?? iso(start - rules.withdraw_hours * HOUR_MS),
          ...(reward && { reward: exactReward(reward) }),
        };
        await tell(route, { do: 'post', posting }, context);
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'boardUnpost',
      versioned: ROUTE_VERSION,
      summary: 'Remove an unclaimed route from the board',
      rest: { method: 'delete', path: '/v1/route-board/:route_id' },
      answers: { ...NOT_THERE, 409: 'Somebody has it.' },
      input: z.object({ route_id: idSchema }),
      output: deletedSchema,
      async run({ route_id }, context) {
        await tell(await routeOf(context.caller, route_id), { do: 'unpost' }, context);
        return { result: true };
      },
    }),
  ];
}
