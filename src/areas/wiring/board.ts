/** Connects the board of routes to other areas: which drivers may take a route, and what a due timer does. */
import { hasDriver } from '../../api/areas/drivers/workers.js';
import { createEligibilityCheck, type EligibilityCheck } from '../../api/areas/board/eligibility.js';
import type { RouteCommand } from '../../commands/routes/decider.js';
import type { Expiring } from '../../commands/timers/runner.js';
import { ROUTE_PREFIX } from '../../events/routes/events.js';
import { createBoardQueries, type BoardQueries } from '../../projections/board/queries.js';
import { createHeldDocuments } from '../../projections/drivers/document-queries.js';
import { createSkillQueries } from '../../projections/skills/queries.js';
import { accounts } from '../accounts.js';
import { contractors } from '../contractors.js';
import { fleets } from '../fleets.js';
import type { AreaContext } from '../area-context.js';
import { planning } from '../planning.js';
import { shifts } from '../shifts.js';

export interface BoardParts {
  readonly boards: BoardQueries;
  readonly judge: EligibilityCheck;
}

export function createBoardParts({ database, of }: AreaContext): BoardParts {
  const boards = createBoardQueries(database);
  const judge = createEligibilityCheck({
    boards,
    fleets: of(fleets).queries,
    shifts: of(shifts).queries,
    skills: createSkillQueries(database),
    planning: of(contractors).planning,
    documents: createHeldDocuments(database),
    required: async (business) => (await of(planning).settings.settingsOf(business)).required_documents ?? [],
    isActive: (business, driverId) => hasDriver(of(accounts).queries, business, driverId),
  });
  return { boards, judge };
}

/** Handles the end of a reservation or a posting. The eligibility of the queued drivers is evaluated at that time. */
export function expireRoute(context: AreaContext): Expiring {
  const { boards, judge } = createBoardParts(context);
  return async (stream, { commandId, name, now }, cause) => {
    const routeId = Number(stream.slice(ROUTE_PREFIX.length));
    const [row] = await boards.byIds([routeId]);
    if (!row) return { reply: undefined, changed: false, position: undefined };
    const eligibility = await judge(row, row.queue);
    const eligible = new Set([...eligibility].filter(([, reason]) => reason === undefined).map(([id]) => id));
    const command: RouteCommand = { do: 'expire', commandId, routeId, business: row.business, name, now, eligible };
    return context.commands.routes(stream, command, { ...cause, business: String(row.business) });
  };
}
