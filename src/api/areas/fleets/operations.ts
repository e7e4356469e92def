/** Fleets: of the business or of a contractor, with captains, drivers and vehicles. */
import { z } from 'zod';
import type { FleetCommand, FleetChange } from '../../../commands/fleets/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { boardRulesSchema, DEFAULT_BOARD_RULES, fleetStream } from '../../../events/fleets/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import { FLEET_IDS, type FleetRow } from '../../../projections/fleets/read-model.js';
import { deleted, deletedSchema } from '../../core/deleted.js';
import { businessOf, userOf, isStaff } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { checkCustomNames } from '../plans/capacities.js';
import { createExpectMembers } from './expect-members.js';
import { FLEET_VERSION, fleetReading } from './reading.js';
import { addableDrivers, nameableCaptains, viewerOf } from './permissions.js';
import { toStoredVehicle, fleetName, toVehicleResponse, vehicleInput, vehicleSchema } from './vehicles.js';
import { RELATIONS } from '../../core/relations.js';
import { versionSchema } from '../../core/versions.js';

const READ = {
  area: 'Fleets',
  callers: ['client_admin', 'employee', 'auditor', 'broker', 'driver'],
  scopes: ['fleets:read'],
  reads: ['fleets'],
} as const;
const WRITE = {
  area: 'Fleets',
  callers: ['client_admin', 'employee', 'broker'],
  scopes: ['fleets:write'],
  awaits: ['fleets'],
  writes: true,
  risk: 'medium',
} as const;
const NOT_FOUND = { 404: 'There is no such fleet, or the caller may not see it.' };

const idListInput = (listName: string) =>
  z.array(idSchema).max(1_000).describe(`Complete list of ${listName}; replaces the previous list.`);
const boardRulesInput = z
  .strictObject({
    claims_per_day: z.int().min(1).max(20).default(DEFAULT_BOARD_RULES.claims_per_day),
    standby_limit: z.int().min(0).max(20).default(DEFAULT_BOARD_RULES.standby_limit),
    withdraw_hours: z
      .int()
      .min(0)
      .max(336)
      .default(DEFAULT_BOARD_RULES.withdraw_hours)
      .describe('Number of hours before the start of a route. Withdrawals after this time count as late.'),
  })
  .meta({ id: 'BoardRulesInput' });

const boardRulesOutput = z
  .object(boardRulesSchema.shape)
  .describe('Rules for claims of posted routes by drivers of the fleet.')
  .meta({ id: 'BoardRules' });
const fleetSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    broker_id: z.int().nullable().describe('Contractor that owns the fleet. Null: the business owns the fleet.'),
    captain_ids: z.array(z.int()),
    driver_ids: z.array(z.int()),
    vehicle_count: z.int(),
    board_rules: boardRulesOutput,
    version: versionSchema,
    vehicles: z.array(vehicleSchema).optional().describe('Vehicles of the fleet. Lists of fleets do not contain them.'),
  })
  .meta({ id: 'Fleet' })
  .register(RELATIONS, {
    captains: { read: 'user', by: 'captain_ids' },
    drivers: { read: 'driver', by: 'driver_ids' },
  });
const toFleet = ({
  id,
  name,
  contractor_id,
  captains,
  drivers,
  vehicles,
  board_rules,
  revision,
}: FleetRow): z.infer<typeof fleetSchema> => ({
  id,
  name,
  broker_id: contractor_id,
  captain_ids: [...captains].sort((a, b) => a - b),
  driver_ids: [...drivers].sort((a, b) => a - b),
  vehicle_count: Object.keys(vehicles).length,
  board_rules: board_rules ?? DEFAULT_BOARD_RULES,
  version: revision,
});

export interface FleetsOptions extends Parts<'settings'> {
  readonly handle: Handle<FleetCommand, undefined>;
  readonly queries: FleetQueries;
  readonly accounts: Pick<AccountQueries, 'holder'>;
}

export function fleetOperations({ handle, queries, accounts, settings }: FleetsOptions): Operation[] {
  async function send(id: number, { caller, commandId, cause, wrote }: Context, change: FleetChange) {
    const commandFields = { business: businessOf(caller), by: userOf(caller).userId, office: isStaff(caller) };
    wrote((await handle(fleetStream(id), { ...change, ...commandFields, id, commandId }, cause)).position);
    return { result: true, fleet_id: id };
  }
  const writeOutput = z.object({ result: z.boolean() });
  const expectMembers = createExpectMembers(accounts);

  return [
    operation({
      ...READ,
      name: 'fleets',
      summary: 'List fleets',
      description: 'Staff see all fleets of the business. Contractors and captains see their own fleets.',
      rest: { method: 'get', path: '/v1/fleets' },
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, fleets: z.array(fleetSchema) }),
      async run(page, { caller }) {
        const { rows, ...found } = await queries.list(rangeOf(page), viewerOf(caller));
        return { ...pageOf(page, found), fleets: rows.map(toFleet) };
      },
    }),
    operation({
      ...READ,
      name: 'fleet',
      versioned: FLEET_VERSION,
      summary: 'Get a fleet with its vehicles',
      rest: { method: 'get', path: '/v1/fleets/:fleet_id' },
      answers: NOT_FOUND,
      input: z.object({ fleet_id: idSchema }),
      output: z.object({ result: z.boolean(), fleet: fleetSchema }),
      async run({ fleet_id }, { caller }) {
        const found = await queries.byId(fleet_id, viewerOf(caller));
        if (!found) throw new ApiError('FLEET_NOT_FOUND');
        return {
          result: true,
          fleet: { ...toFleet(found), vehicles: (await queries.vehiclesOf(found)).map(toVehicleResponse) },
        };
      },
    }),
    ...fleetReading(queries),
    operation({
      ...WRITE,
      name: 'fleetCreate',
      returns: { read: 'fleet' },
      summary: 'Create a fleet',
      description: 'A contractor owns the fleets that it creates. Fleets that staff create belong to the business.',
      rest: { method: 'post', path: '/v1/fleets', status: 201 },
      input: z.object({ name: fleetName }),
      output: writeOutput,
      async run(input, context) {
        const { role, userId } = userOf(context.caller);
        const [id] = await context.reserveIds(FLEET_IDS, 1);
        const contractorId = role === 'broker' ? userId : undefined;
        return send(id!, context, { do: 'create', ...input, contractorId });
      },
    }),
    operation({
      ...WRITE,
      name: 'fleetUpdate',
      versioned: FLEET_VERSION,
      returns: { read: 'fleet' },
      summary: 'Update the name and the board rules of a fleet',
      description: 'Omitted fields keep their values. `board_rules` is replaced as a whole.',
      rest: { method: 'patch', path: '/v1/fleets/:fleet_id' },
      answers: NOT_FOUND,
      input: z.object({ fleet_id: idSchema, name: fleetName.optional(), board_rules: boardRulesInput.optional() }),
      output: writeOutput,
      run: ({ fleet_id, name, board_rules: rules }, context) => send(fleet_id, context, { do: 'change', name, rules }),
    }),
    operation({
      ...WRITE,
      name: 'fleetDelete',
      versioned: FLEET_VERSION,
      summary: 'Delete a fleet',
      description: 'The drivers of the fleet keep their accounts.',
      rest: { method: 'delete', path: '/v1/fleets/:fleet_id' },
      risk: 'high',
      answers: NOT_FOUND,
      input: z.object({ fleet_id: idSchema }),
      output: deletedSchema,
      run: ({ fleet_id }, context) => deleted(send(fleet_id, context, { do: 'dissolve' })),
    }),
    operation({
      ...WRITE,
      name: 'fleetCaptainsSet',
      versioned: FLEET_VERSION,
      returns: { read: 'fleetCaptains' },
      summary: 'Replace the captains of a fleet',
      description:
        'Captains see the fleet and set its drivers. Staff can appoint every employee, contractor and driver of the business. Contractors can appoint themselves, and the drivers and captains of their fleets. All other ids are rejected with the same error (`UNKNOWN_MEMBER`), whether they exist or not.',
      rest: { method: 'put', path: '/v1/fleets/:fleet_id/captains' },
      reads: ['fleets', 'accounts'],
      answers: NOT_FOUND,
      input: z.object({ fleet_id: idSchema, user_ids: idListInput('captains') }),
      output: writeOutput,
      async run({ fleet_id, user_ids }, context) {
        const nameable = await nameableCaptains(queries, context.caller);
        await expectMembers(context.caller, user_ids, ['employee', 'broker', 'driver'], nameable);
        return send(fleet_id, context, { do: 'setCaptains', ids: user_ids });
      },
    }),
    operation({
      ...WRITE,
      name: 'fleetDriversSet',
      versioned: FLEET_VERSION,
      returns: { read: 'fleetDrivers' },
      summary: 'Replace the drivers of a fleet',
      description:
        'Staff can add every driver of the business to any fleet. Contractors and captains can add only themselves and drivers of their fleets. All other ids are rejected (`UNKNOWN_MEMBER`).',
      rest: { method: 'put', path: '/v1/fleets/:fleet_id/drivers' },
      callers: [...WRITE.callers, 'driver'],
      reads: ['fleets', 'accounts'],
      answers: NOT_FOUND,
      input: z.object({ fleet_id: idSchema, driver_ids: idListInput('drivers') }),
      output: writeOutput,
      async run({ fleet_id, driver_ids }, context) {
        await expectMembers(context.caller, driver_ids, ['driver'], await addableDrivers(queries, context.caller));
        return send(fleet_id, context, { do: 'setDrivers', ids: driver_ids });
      },
    }),
    operation({
      ...WRITE,
      name: 'fleetVehiclesSet',
      versioned: FLEET_VERSION,
      returns: { read: 'fleetVehicles' },
      summary: 'Replace the vehicles of a fleet',
      description: 'Adds new vehicles, updates existing vehicles, and retires vehicles that the request omits.',
      rest: { method: 'put', path: '/v1/fleets/:fleet_id/vehicles' },
      reads: ['planning'],
      answers: {
        ...NOT_FOUND,
        409: 'An id occurs twice, or it belonged to a retired vehicle (`VEHICLE_ID_TAKEN`).',
        422: 'The business has no such custom capacity.',
      },
      input: z.object({ fleet_id: idSchema, vehicles: z.array(vehicleInput).max(1_000) }),
      output: writeOutput,
      async run({ fleet_id, vehicles }, context) {
        const names = vehicles.flatMap(({ capacity }) => (capacity.custom ?? []).map((own) => own.name));
        if (names.length > 0)
          checkCustomNames(names, await settings.settingsOf(businessOf(context.caller)), 'vehicles');
        return send(fleet_id, context, { do: 'setVehicles', vehicles: vehicles.map(toStoredVehicle) });
      },
    }),
  ];
}
