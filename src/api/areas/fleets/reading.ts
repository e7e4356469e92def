/** Lists of captains, drivers and vehicles of a fleet, each in the format of its `PUT`. */
import { z } from 'zod';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import type { FleetRow } from '../../../projections/fleets/read-model.js';
import type { Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { viewerOf } from './rights.js';
import { toVehicle, vehicleShown } from './vehicles.js';

const READ = {
  area: 'Fleets',
  callers: ['client_admin', 'employee', 'auditor', 'broker', 'driver'],
  scopes: ['fleets:read'],
  reads: ['fleets'],
  answers: { 404: 'There is no such fleet, or the caller may not see it.' },
  input: z.object({ fleet_id: idSchema }),
} as const;
const ids = z.array(z.int()).describe('User ids in ascending order.');
const inOrder = (found: readonly number[]): number[] => [...found].sort((a, b) => a - b);

export function fleetReading(queries: FleetQueries): Operation[] {
  /** Throws FLEET_NOT_FOUND for a fleet that the caller may not see. */
  async function seen(id: number, caller: Caller): Promise<FleetRow> {
    const found = await queries.byId(id, viewerOf(caller));
    if (!found) throw new ApiError('FLEET_NOT_FOUND');
    return found;
  }

  return [
    operation({
      ...READ,
      name: 'fleetCaptains',
      summary: 'List the captains of a fleet',
      rest: { method: 'get', path: '/v1/fleets/:fleet_id/captains' },
      output: z.object({ result: z.boolean(), user_ids: ids }),
      run: async ({ fleet_id }, { caller }) => ({
        result: true,
        user_ids: inOrder((await seen(fleet_id, caller)).captains),
      }),
    }),
    operation({
      ...READ,
      name: 'fleetDrivers',
      summary: 'List the drivers of a fleet',
      rest: { method: 'get', path: '/v1/fleets/:fleet_id/drivers' },
      output: z.object({ result: z.boolean(), driver_ids: ids }),
      run: async ({ fleet_id }, { caller }) => ({
        result: true,
        driver_ids: inOrder((await seen(fleet_id, caller)).drivers),
      }),
    }),
    operation({
      ...READ,
      name: 'fleetVehicles',
      summary: 'List the vehicles of a fleet',
      rest: { method: 'get', path: '/v1/fleets/:fleet_id/vehicles' },
      output: z.object({ result: z.boolean(), vehicles: z.array(vehicleShown) }),
      run: async ({ fleet_id }, { caller }) => ({
        result: true,
        vehicles: (await queries.vehiclesOf(await seen(fleet_id, caller))).map(toVehicle),
      }),
    }),
  ];
}
