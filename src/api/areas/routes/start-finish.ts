/** Start and finish of a route, by its driver or by staff. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { routeOf } from '../../../commands/drivers/time.js';
import { driverStream } from '../../../events/drivers/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { routeStream } from '../../../events/routes/events.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { routeViewer } from './route-commands.js';
import { ROUTE_VERSION } from './shapes.js';

export function startFinishOperations({
  commands,
  routes,
}: Parts<'routes'> & { commands: Pick<Commands, 'routes' | 'drivers'> }): Operation[] {
  const startFinishOperation = (
    name: string,
    action: 'start' | 'finish',
    summary: string,
    conflict: string,
  ): Operation =>
    operation({
      name,
      versioned: ROUTE_VERSION,
      area: 'Routes',
      summary,
      rest: { method: 'post', path: `/v1/routes/:route_id/${action}` },
      callers: ['client_admin', 'employee', 'driver'],
      scopes: ['orders:write'],
      returns: { read: 'route' },
      reads: ['routes'],
      awaits: ['routes', 'board', 'driver_times'],
      writes: true,
      risk: 'medium',
      answers: { 404: 'There is no such route, or it is not assigned to the calling driver.', 409: conflict },
      input: z.object({ route_id: idSchema }),
      output: z.object({ result: z.boolean() }),
      async run({ route_id }, { caller, cause, commandId, time: now, wrote }) {
        const route = await routes.byId(route_id, routeViewer(caller));
        if (!route) throw new ApiError('ROUTE_NOT_FOUND');
        const { role, userId: by } = userOf(caller);
        const business = businessOf(caller);
        const command = { commandId, routeId: route_id, business, by, now } as const;
        const driverId = role === 'driver' ? by : undefined;
        wrote((await commands.routes(routeStream(route_id), { ...command, do: action, driverId }, cause)).position);
        // The driver's time becomes free immediately, whatever was planned.
        if (action === 'finish' && route.driver_id !== null) {
          const release = { do: 'release', what: routeOf(route_id), why: 'finished' } as const;
          const commandFields = { commandId: derivedId(commandId, 'release'), userId: route.driver_id, business };
          wrote(
            (await commands.drivers(driverStream(route.driver_id), { ...commandFields, ...release }, cause)).position,
          );
        }
        return { result: true };
      },
    });
  return [
    startFinishOperation('routeStart', 'start', 'Start a route', '`ROUTE_WITHOUT_DRIVER`: the route has no driver.'),
    startFinishOperation('routeFinish', 'finish', 'Finish a route', '`ROUTE_NOT_STARTED`: the route was not started.'),
  ];
}
