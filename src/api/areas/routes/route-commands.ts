/** Sends commands to routes and orders on behalf of the caller, and limits which routes the caller can see. */
import type { PlanningQueries } from '../../../projections/contractors/queries.js';
import type { Commands } from '../../../commands/commands.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import { routeStream } from '../../../events/routes/events.js';
import type { RouteViewer } from '../../../projections/routes/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { type Context } from '../../core/operation.js';

/** Contractors see the routes that they created, drivers the routes that they drive. */
export function routeViewer(caller: Caller): RouteViewer {
  const { role, userId } = userOf(caller);
  return {
    business: businessOf(caller),
    ...(role === 'broker' && { brokerId: userId }),
    ...(role === 'driver' && { driverId: userId }),
  };
}

/** The caller, in the form that commands to routes and orders contain. */
const commandFields = ({ caller, commandId }: Pick<Context, 'caller' | 'commandId'>) => {
  const { role, userId } = userOf(caller);
  return { commandId, business: businessOf(caller), by: userId, ...(role === 'broker' && { brokerId: userId }) };
};

type RouteCommandBody = RouteCommand extends infer C
  ? C extends RouteCommand
    ? Omit<C, keyof ReturnType<typeof commandFields> | 'routeId'>
    : never
  : never;

export function createRouteCommands(commands: Pick<Commands, 'routes'>, planning: Pick<PlanningQueries, 'rulesOf'>) {
  return {
    planner: commandFields,

    /** The same for orders, with the planning rules of a calling contractor. */
    async orderCommandFields(context: Context) {
      const { brokerId, ...fields } = commandFields(context);
      return brokerId === undefined
        ? fields
        : { ...fields, brokerId, rules: await planning.rulesOf(brokerId, fields.business) };
    },

    /** Returns the position of the write in the log. */
    async sendToRoute(routeId: number, command: RouteCommandBody, context: Context) {
      const fullCommand = { ...commandFields(context), ...command, routeId } as RouteCommand;
      return (await commands.routes(routeStream(routeId), fullCommand, context.cause)).position;
    },
  };
}
