/** Commands to routes and their orders in the caller's name, and what the caller may see of routes. */
import type { PlanningQueries } from '../../../projections/contractors/queries.js';
import type { Commands } from '../../../commands/commands.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import { routeStream } from '../../../events/routes/events.js';
import type { RouteViewer } from '../../../projections/routes/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { type Context } from '../../core/operation.js';

/** A contractor sees the routes that it made, a driver those it drives. */
export function routeViewer(caller: Caller): RouteViewer {
  const { role, userId } = userOf(caller);
  return {
    business: businessOf(caller),
    ...(role === 'broker' && { brokerId: userId }),
    ...(role === 'driver' && { driverId: userId }),
  };
}

/** Who asks, as commands to routes and orders name it. */
const planner = ({ caller, commandId }: Pick<Context, 'caller' | 'commandId'>) => {
  const { role, userId } = userOf(caller);
  return { commandId, business: businessOf(caller), by: userId, ...(role === 'broker' && { brokerId: userId }) };
};

type ToRoute = RouteCommand extends infer C
  ? C extends RouteCommand
    ? Omit<C, keyof ReturnType<typeof planner> | 'routeId'>
    : never
  : never;

export function createTelling(commands: Pick<Commands, 'routes'>, planning: Pick<PlanningQueries, 'rulesOf'>) {
  return {
    planner,

    /** The same to orders, with the rules that a contractor plans by. */
    async orderPlanner(context: Context) {
      const { brokerId, ...who } = planner(context);
      return brokerId === undefined ? who : { ...who, brokerId, rules: await planning.rulesOf(brokerId, who.business) };
    },

    /** Returns its position in the log. */
    async tell(routeId: number, command: ToRoute, context: Context) {
      const told = { ...planner(context), ...command, routeId } as RouteCommand;
      return (await commands.routes(routeStream(routeId), told, context.cause)).position;
    },
  };
}
