/** Lists of captains, drivers and vehicles of a fleet, each in the format of its `PUT`. */
import { z } from 'zod';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import type { FleetRow } from '../../../projections/fleets/read-model.js';
import type { Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { viewerOf } from './permissions.js';
import { toVehicleResponse, vehicleSchema } from './vehicles.js';
import { versionBy, versionSchema } from '../../core/versions.js';
import { fleetStream } from '../../../events/fleets/events.js';

const READ = {
  area: 'Fleets',
  callers: ['client_admin', 'employee', 'auditor', 'broker', 'driver'],
  scopes: ['fleets:read'],
  reads: ['fleets'],
  answers: { 404: 'There is no such fleet, or the caller may not see it.' },
  input: z.object({ fleet_id: idSchema }),
} as const;
const idsOutput = z.array(z.int()).describe('User ids in ascending order.');
const sortIds = (found: readonly number[]): number[] => [...found].sort((a, b) => a - b);

/** The lists are part of the fleet's stream, so each has the version of the fleet. */
export const FLEET_VERSION = versionBy('fleet_id', fleetStream);

export function fleetReading(queries: FleetQueries): Operation[] {
  /** Throws FLEET_NOT_FOUND for a fleet that the caller may not see. */
  async function expectFleet(id: number, caller: Caller): Promise<FleetRow> {
    const found = await queries.byId(id, viewerOf(caller));
    if (!found) throw new ApiError('FLEET_NOT_FOUND');
    return found;
  }

  return [
    operation({
      ...READ,
      name: 'fleetCaptains',
      versioned: FLEET_VERSION,
      summary: 'List the captains of a fleet',
      rest: { method: 'get', path: '/v1/fleets/:fleet_id/captains' },
      output: z.object({ result: z.boolean(), user_ids: idsOutput, version: versionSchema }),
      async run({ fleet_id }, { caller }) {
        const { captains, revision: version } = await expectFleet(fleet_id, caller);
        return { result: true, user_ids: sortIds(captains), version };
      },
    }),
    operation({
      ...READ,
      name: 'fleetDrivers',
      versioned: FLEET_VERSION,
      summary: 'List the drivers of a fleet',
      rest: { method: 'get', path: '/v1/fleets/:fleet_id/drivers' },
      output: z.object({ result: z.boolean(), driver_ids: idsOutput, version: versionSchema }),
      async run({ fleet_id }, { caller }) {
        const { drivers, revision: version } = await expectFleet(fleet_id, caller);
        return { result: true, driver_ids: sortIds(drivers), version };
      },
    }),
    operation({
      ...READ,
      name: 'fleetVehicles',
      versioned: FLEET_VERSION,
      summary: 'List the vehicles of a fleet',
      rest: { method: 'get', path: '/v1/fleets/:fleet_id/vehicles' },
      output: z.object({ result: z.boolean(), vehicles: z.array(vehicleSchema), version: versionSchema }),
      async run({ fleet_id }, { caller }) {
        const fleet = await expectFleet(fleet_id, caller);
        const vehicles = await queries.vehiclesOf(fleet);
        return { result: true, vehicles: vehicles.map(toVehicleResponse), version: fleet.revision };
      },
    }),
  ];
}
