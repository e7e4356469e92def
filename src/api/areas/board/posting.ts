/** Posting routes to the route board and removing them (staff, captains, contractors), and reading the board. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import { DEFAULT_BOARD_RULES } from '../../../events/fleets/events.js';
import { routeStream } from '../../../events/routes/events.js';
import type { FleetRow } from '../../../projections/fleets/read-model.js';
import type { BoardRow } from '../../../projections/board/read-model.js';
import type { Route } from '../../../projections/routes/queries.js';
import { deletedSchema } from '../../core/deleted.js';
import { businessOf, userOf, isStaff, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactReward, rewardInput } from '../../core/money.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { actsFor } from '../fleets/permissions.js';
import type { EligibilityCheck } from './eligibility.js';
import { boardRouteSchema, toBoardRouteResponse } from './shapes.js';
import { boardViewOf, type BoardView } from './board-view.js';
import { ROUTE_VERSION } from '../routes/shapes.js';

const timeInput = z.iso.datetime({ offset: true });
const HOUR_MS = 3_600_000;

const WRITE = {
  area: 'Driver Route Board',
  // Captains who are drivers do not have this scope.
  callers: ['client_admin', 'employee', 'broker'],
  scopes: ['routes:write'],
  reads: ['board', 'fleets', 'routes'],
  awaits: ['board', 'routes'],
  writes: true,
  risk: 'medium',
} as const;
const writeOutput = z.object({ result: z.boolean() });
const READ = {
  area: 'Driver Route Board',
  callers: ['client_admin', 'employee', 'broker', 'driver'],
  scopes: ['routes:read'],
  reads: ['board', 'fleets', 'routes', 'orders', 'shifts', 'skills', 'workers'],
} as const;
const NOT_FOUND = { 404: 'There is no such route or fleet, or it does not belong to the caller.' };

export interface PostingOptions extends Parts<'boards' | 'fleets' | 'routes'> {
  readonly commands: Pick<Commands, 'routes'>;
  readonly checkEligibility: EligibilityCheck;
}

export function postingOperations({ commands, boards, fleets, routes, checkEligibility }: PostingOptions): Operation[] {
  /** A route that the caller plans: staff those of the business, a contractor its own, a captain posted ones. */
  async function routeOf(caller: Caller, id: number): Promise<Route> {
    const route = await routes.byId(id, { business: businessOf(caller) });
    const { role, userId } = userOf(caller);
    const isOwnRoute = role === 'broker' ? route?.broker_id === userId : route?.broker_id === null;
    if (!route || (!isOwnRoute && !(await isCaptained(caller, id)))) throw new ApiError('ROUTE_NOT_FOUND');
    return route;
  }
  /** Whether the route is posted only to fleets that the caller acts for. */
  async function isCaptained(caller: Caller, id: number): Promise<boolean> {
    const row = await boards.byId(id, { business: businessOf(caller) });
    const found = row?.posted ? await fleetsOf(caller, row.fleet_ids).catch(() => []) : [];
    return found.length > 0;
  }
  /** Throws FLEET_NOT_FOUND for a fleet that the caller does not act for. Staff may post to contractors' fleets too. */
  async function fleetsOf(caller: Caller, ids: readonly number[]): Promise<FleetRow[]> {
    return Promise.all(
      ids.map(async (id) => {
        const fleet = await fleets.byId(id, { business: businessOf(caller) });
        if (!fleet || !(actsFor(fleet, caller) || isStaff(caller)))
          throw fieldError('FLEET_NOT_FOUND', 'fleet_ids', { id });
        return fleet;
      }),
    );
  }
  async function sendToRoute(
    route: Route,
    command: object,
    { caller, cause, commandId, wrote }: Context,
  ): Promise<void> {
    const commandFields = { commandId, routeId: route.id, business: route.business, by: userOf(caller).userId };
    wrote(
      (await commands.routes(routeStream(route.id), { ...commandFields, ...command } as RouteCommand, cause)).position,
    );
  }

  async function toResponses(caller: Caller, { driverId, known }: BoardView, rows: readonly BoardRow[], now: number) {
    const loads = await boards.loads(rows.map(({ id }) => id));
    const viewContext = { driverId, known, timezone: userOf(caller).timezone, now };
    const responses = await Promise.all(
      rows.map(async (row) => {
        const route = await routes.byId(row.id, { business: row.business });
        const reason = driverId === undefined ? undefined : (await checkEligibility(row, [driverId])).get(driverId);
        return route && toBoardRouteResponse(row, { route, load: loads.get(row.id), reason }, viewContext);
      }),
    );
    return responses.filter((one) => one !== undefined);
  }

  return [
    operation({
      ...READ,
      name: 'boardRoutes',
      summary: 'List posted routes, earliest first',
      description: 'Drivers see routes posted to their fleets, without names and addresses of recipients.',
      rest: { method: 'get', path: '/v1/route-board' },
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, board_routes: z.array(boardRouteSchema) }),
      async run(page, { caller, time: now }) {
        const view = await boardViewOf(fleets, caller);
        const { rows, ...found } = await boards.list(rangeOf(page), view.viewer);
        return { ...pageOf(page, found), board_routes: await toResponses(caller, view, rows, now) };
      },
    }),
    operation({
      ...READ,
      name: 'boardRoute',
      versioned: ROUTE_VERSION,
      summary: 'Get a posted route',
      description: 'Returns the same fields as the list. The route remains available here after its start.',
      rest: { method: 'get', path: '/v1/route-board/:route_id' },
      answers: { 404: 'There is no such route, or it is not posted to a fleet of the caller.' },
      input: z.object({ route_id: idSchema }),
      output: z.object({ result: z.boolean(), board_route: boardRouteSchema }),
      async run({ route_id }, { caller, time: now }) {
        const view = await boardViewOf(fleets, caller);
        const row = await boards.byId(route_id, view.viewer);
        const [board_route] = row?.posted && row.posting ? await toResponses(caller, view, [row], now) : [];
        if (!board_route) throw new ApiError('ROUTE_NOT_FOUND');
        return { result: true, board_route };
      },
    }),
    operation({
      ...WRITE,
      name: 'boardPost',
      versioned: ROUTE_VERSION,
      returns: { read: 'boardRoute' },
      summary: 'Post a route to fleets for drivers to claim',
      description:
        'A repeated call replaces the posting. By default, the route starts and ends at its planned times. The service notifies the drivers of the fleets.',
      rest: { method: 'put', path: '/v1/route-board/:route_id' },
      answers: {
        ...NOT_FOUND,
        409: 'The route is claimed (`ROUTE_CLAIMED`), started or closed.',
        422: 'The route is not planned, and times are missing (`ROUTE_TIMES_NEEDED`).',
      },
      input: z.object({
        route_id: idSchema,
        fleet_ids: z.array(idSchema).min(1).max(50),
        opens_at: timeInput.optional().describe('Time from which drivers can claim the route. Default: now.'),
        closes_at: timeInput.optional().describe('Time until which drivers can claim the route. Default: `start_at`.'),
        start_at: timeInput.optional().describe('Start of the route. Default: planned start.'),
        end_at: timeInput.optional(),
        standby_limit: z
          .int()
          .min(0)
          .max(20)
          .optional()
          .describe('Maximum number of drivers in the queue. Default: from the rules of the first fleet.'),
        withdraw_until: timeInput
          .optional()
          .describe('Withdrawals after this time count as late. Default: from the rules of the first fleet.'),
        reward: rewardInput,
      }),
      output: writeOutput,
      async run({ route_id, fleet_ids, reward, ...postingInput }, context) {
        const route = await routeOf(context.caller, route_id);
        const [first] = await fleetsOf(context.caller, fleet_ids);
        const rules = first!.board_rules ?? DEFAULT_BOARD_RULES;
        const iso = (millis: number): string => new Date(millis).toISOString();
        const start_at = postingInput.start_at ?? (route.planned ? iso(route.planned.start * 1_000) : undefined);
        const end_at = postingInput.end_at ?? (route.planned ? iso(route.planned.end * 1_000) : undefined);
        if (start_at === undefined || end_at === undefined) throw fieldError('ROUTE_TIMES_NEEDED', 'start_at');
        const start = Date.parse(start_at);
        if (Date.parse(end_at) <= start) throw invalidForm('end_at', 'later than `start_at`');
        const opens_at = postingInput.opens_at ?? iso(context.time);
        const closes_at = postingInput.closes_at ?? start_at;
        if (Date.parse(closes_at) <= Date.parse(opens_at)) throw invalidForm('closes_at', 'later than `opens_at`');
        const posting = {
          fleet_ids: [...new Set(fleet_ids)],
          opens_at,
          closes_at,
          start_at,
          end_at,
          standby_limit: postingInput.standby_limit ?? rules.standby_limit,
          withdraw_until: postingInput.withdraw_until ?? iso(start - rules.withdraw_hours * HOUR_MS),
          ...(reward && { reward: exactReward(reward) }),
        };
        await sendToRoute(route, { do: 'post', posting }, context);
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'boardUnpost',
      versioned: ROUTE_VERSION,
      summary: 'Remove an unclaimed route from the board',
      description: 'Drivers can then no longer claim the route.',
      rest: { method: 'delete', path: '/v1/route-board/:route_id' },
      answers: { ...NOT_FOUND, 409: 'The route is claimed or reserved (`ROUTE_CLAIMED`).' },
      input: z.object({ route_id: idSchema }),
      output: deletedSchema,
      async run({ route_id }, context) {
        await sendToRoute(await routeOf(context.caller, route_id), { do: 'unpost' }, context);
        return { result: true };
      },
    }),
  ];
}
