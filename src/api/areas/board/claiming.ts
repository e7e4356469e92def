/** Operations of drivers on the route board: claim a route, join the queue, confirm a reserved route, withdraw. */
import { z } from 'zod';
import type { BoardRow } from '../../../projections/board/read-model.js';
import { userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import type { BoardService } from './board-service.js';
import { boardViewOf } from './board-view.js';

const DRIVER = {
  area: 'Driver Route Board',
  callers: ['driver'],
  scopes: ['drivers:write'],
  reads: ['board', 'fleets', 'shifts', 'skills', 'workers', 'orders', 'routes'],
  awaits: ['board', 'routes', 'driver_times'],
  writes: true,
  risk: 'medium',
} as const;
const input = z.object({ route_id: idSchema });
const ANSWERS = {
  404: 'There is no such route, or it is not posted to a fleet of the driver.',
  409: 'Another driver has the route (`ROUTE_CLAIMED`), the driver is busy at that time (`TIME_TAKEN`), the driver may not claim it (`NOT_CLAIMABLE`, reason in `why_not`), or the reservation has expired (`STANDBY_HOLD_OVER`).',
};
const writeOutput = z.object({ result: z.boolean() });
const returns = { read: 'boardRoute' };

export function claimOperations({
  service,
  boards,
  fleets,
}: Parts<'boards' | 'fleets'> & { service: BoardService }): Operation[] {
  /** Throws ROUTE_NOT_FOUND if the driver cannot see the route. */
  async function rowOf(caller: Caller, routeId: number): Promise<BoardRow> {
    const row = await boards.byId(routeId, (await boardViewOf(fleets, caller)).viewer);
    if (!row?.posting) throw new ApiError('ROUTE_NOT_FOUND');
    return row;
  }
  const takeOperation = (name: string, action: 'claim' | 'confirm', summary: string, description: string): Operation =>
    operation({
      ...DRIVER,
      name,
      returns,
      summary,
      description,
      rest: { method: 'post', path: `/v1/route-board/:route_id/${action}` },
      answers: ANSWERS,
      input,
      output: writeOutput,
      async run({ route_id }, context) {
        await service.take(action, await rowOf(context.caller, route_id), userOf(context.caller).userId, context);
        return { result: true };
      },
    });

  return [
    takeOperation(
      'boardClaim',
      'claim',
      'Claim a route',
      'The first driver gets the route. Others receive 409 (`ROUTE_CLAIMED`); `standby_open` states whether the queue is open.',
    ),
    operation({
      ...DRIVER,
      name: 'boardStandby',
      returns,
      summary: 'Join the queue for a claimed route',
      description:
        'The driver who joined first is the first in the queue. A repeated call changes nothing. When the route becomes free, it is reserved for the first driver in the queue who may claim it.',
      rest: { method: 'post', path: '/v1/route-board/:route_id/standby' },
      answers: ANSWERS,
      input,
      output: writeOutput,
      async run({ route_id }, context) {
        const { userId } = userOf(context.caller);
        const row = await rowOf(context.caller, route_id);
        await service.standby(row, userId, context);
        return { result: true };
      },
    }),
    operation({
      ...DRIVER,
      name: 'boardWithdraw',
      returns: { ...returns, mayBeHidden: true },
      summary: 'Withdraw from a route',
      description:
        'The driver gives up a claim, declines a reserved route, or leaves the queue. A withdrawal after `withdraw_until` counts as late. A route that becomes free is reserved for the next driver in the queue who may claim it.',
      rest: { method: 'post', path: '/v1/route-board/:route_id/withdraw' },
      answers: { ...ANSWERS, 409: 'The route has already started.' },
      input: z.object({ route_id: idSchema, reason: z.string().trim().min(1).max(500).optional() }),
      output: writeOutput,
      async run({ route_id, reason }, context) {
        const row = await rowOf(context.caller, route_id);
        await service.withdraw(row, userOf(context.caller).userId, reason, context);
        return { result: true };
      },
    }),
    takeOperation(
      'boardConfirm',
      'confirm',
      'Confirm the route that is reserved for you',
      'The reservation expires at `hold_until` and then passes to the next driver in the queue.',
    ),
  ];
}
