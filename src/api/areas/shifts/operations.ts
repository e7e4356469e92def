/** The shift calendar of fleets: working times, vehicles, start and end places of drivers. */
import { z } from 'zod';
import { derivedId } from '../../../events/otep/identity.js';
import { monthOf } from '../../../events/shifts/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { FleetRow } from '../../../projections/fleets/read-model.js';
import type { PlannedShift, ShiftQueries } from '../../../projections/shifts/queries.js';
import { SHIFT_IDS } from '../../../projections/shifts/read-model.js';
import { deletedSchema } from '../../core/deleted.js';
import { businessOf, userOf, isStaff, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { addDays, startOfDay } from '../../../events/core/local-time.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { hasDriver } from '../drivers/workers.js';
import { actsFor } from '../fleets/permissions.js';
import type { WriteShift } from './write-shift.js';
import { perShift } from './per-shift.js';
import { READERS, shiftReading } from './reading.js';
import { shiftChanges, shiftInput, shiftResultSchema, shiftSchema, shiftVersion } from './shapes.js';
import { changedShift, toPlannedResponse, toShift, toShiftResponse, type ShiftInput } from './shapes.js';

/** Limit per request. */
const MAX_SHIFTS = 200;
const MAX_DAYS = 93;

const WRITE = {
  area: 'Fleets',
  callers: ['client_admin', 'employee', 'broker', 'driver'],
  scopes: ['fleets:write'],
  reads: ['fleets', 'shifts'],
  awaits: ['shifts'],
  writes: true,
  risk: 'medium',
} as const;
const NOT_FOUND = { 404: 'There is no such shift, or the caller cannot act for its fleet.' };
const writeOutput = z.object({ result: z.boolean() });
const shiftIdInput = { shift_id: idSchema };

export interface ShiftsOptions extends Parts<'fleets' | 'warehouses'> {
  readonly writeShift: WriteShift;
  readonly queries: ShiftQueries;
  readonly accounts: Pick<AccountQueries, 'holder'>;
}

export function shiftOperations({ writeShift, queries, fleets, warehouses, accounts }: ShiftsOptions): Operation[] {
  const versioned = shiftVersion(queries);
  /** The fleet, if the caller acts for it. Otherwise staff get FORBIDDEN; for other callers the fleet is missing. */
  async function fleetOf(caller: Caller, id: number, notFound: 'FLEET_NOT_FOUND' | 'SHIFT_NOT_FOUND') {
    const fleet = await fleets.byId(id, { business: businessOf(caller) });
    if (fleet && actsFor(fleet, caller)) return fleet;
    throw new ApiError(fleet && isStaff(caller) ? 'FORBIDDEN' : notFound);
  }

  /** Throws for a vehicle that the fleet does not have, and for a warehouse that the business does not have. */
  async function expectKnown({ vehicles }: FleetRow, input: ShiftInput, business: number, at: string): Promise<void> {
    const { vehicle_id, start_place, end_place } = input;
    if (vehicle_id !== undefined && !Object.hasOwn(vehicles, vehicle_id))
      throw fieldError('VEHICLE_NOT_FOUND', 'vehicle_id', {}, `${at}/vehicle_id`);
    for (const { warehouse_id } of [start_place, end_place])
      if (warehouse_id !== undefined && !(await warehouses.byId(warehouse_id, business)))
        throw new ApiError('WAREHOUSE_NOT_FOUND');
  }

  /** A shift that the caller may change. */
  async function shiftOf(caller: Caller, id: number): Promise<{ shift: PlannedShift; fleet: FleetRow }> {
    const shift = await queries.byId(id, businessOf(caller));
    if (!shift) throw new ApiError('SHIFT_NOT_FOUND');
    return { shift, fleet: await fleetOf(caller, shift.fleet_id, 'SHIFT_NOT_FOUND') };
  }

  return [
    operation({
      name: 'fleetShifts',
      area: 'Fleets',
      summary: 'List the shifts of a fleet',
      description:
        'Lists shifts between two dates, sorted by `start_at`. Cancelled shifts are not listed. Drivers of the fleet see only their own shifts. Times are in the timezone of the business.',
      rest: { method: 'get', path: '/v1/fleets/:fleet_id/shifts' },
      callers: READERS,
      scopes: ['fleets:read'],
      reads: ['fleets', 'shifts'],
      answers: { 404: 'There is no such fleet, or the caller cannot see it.' },
      input: z.object({
        fleet_id: idSchema,
        schedule_date_from: z.iso.date().describe('First date, in the timezone of the business.'),
        schedule_date_to: z.iso.date().describe(`Last date. At most ${MAX_DAYS} days per request.`),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, shifts: z.array(shiftSchema) }),
      async run({ fleet_id, schedule_date_from: from, schedule_date_to: to, ...page }, { caller }) {
        const { userId, timezone } = userOf(caller);
        const business = businessOf(caller);
        const fleet = await fleets.byId(fleet_id, { business });
        const all = fleet && (isStaff(caller) || actsFor(fleet, caller));
        if (!fleet || !(all || fleet.drivers.includes(userId))) throw new ApiError('FLEET_NOT_FOUND');
        if (to < from || to > addDays(from, MAX_DAYS - 1))
          throw invalidForm(
            'schedule_date_to',
            `not before \`schedule_date_from\`, and less than ${MAX_DAYS} days after it`,
          );
        const { rows, ...found } = await queries.list(rangeOf(page), {
          business,
          fleetId: fleet_id,
          from: startOfDay(from, timezone),
          to: startOfDay(addDays(to, 1), timezone),
          ...(!all && { driverIds: [userId] }),
        });
        return { ...pageOf(page, found), shifts: rows.map((shift) => toShiftResponse(shift, timezone)) };
      },
    }),
    shiftReading({ queries, fleets, versioned }),
    operation({
      ...WRITE,
      name: 'shiftsBatch',
      summary: 'Plan shifts for drivers of a fleet',
      description: `A request contains at most ${MAX_SHIFTS} shifts. If a driver, vehicle or warehouse is unknown, the service rejects the whole request. If a shift overlaps another shift of its driver, the service rejects only this shift (\`SHIFT_OVERLAPS\`). Each shift has a separate result.`,
      rest: { method: 'post', path: '/v1/fleets/:fleet_id/shifts/batch' },
      answers: { 404: 'There is no such fleet, or a driver, vehicle or warehouse is unknown.' },
      input: z.object({
        fleet_id: idSchema,
        shifts: z
          .array(z.strictObject({ driver_id: idSchema, ...shiftInput }).meta({ id: 'ShiftInput' }))
          .min(1)
          .max(MAX_SHIFTS),
      }),
      output: z.object({
        result: z.boolean().describe('True if at least one shift was planned.'),
        results: z.array(shiftResultSchema),
      }),
      async run({ fleet_id, shifts }, context) {
        const { caller, cause, commandId } = context;
        const business = businessOf(caller);
        const fleet = await fleetOf(caller, fleet_id, 'FLEET_NOT_FOUND');
        const drivers = new Set(fleet.drivers);
        for (const [index, { driver_id, ...shift }] of shifts.entries()) {
          if (!drivers.has(driver_id) || !(await hasDriver(accounts, business, driver_id)))
            throw fieldError('DRIVER_NOT_FOUND', 'driver_id', {}, `/shifts/${index}/driver_id`);
          await expectKnown(fleet, shift, business, `/shifts/${index}`);
        }
        const planned = shifts.map(({ driver_id, ...input }, index) => ({
          driverId: driver_id,
          shift: toShift(input, `/shifts/${index}`),
        }));
        const ids = await context.reserveIds(SHIFT_IDS, planned.length);
        const outcomes = await perShift(planned, context, ({ driverId, shift }, index) =>
          writeShift(
            {
              do: 'plan',
              commandId: derivedId(commandId, index),
              business,
              driverId,
              shiftId: ids[index]!,
              fleetId: fleet_id,
              by: userOf(caller).userId,
              shift,
              month: monthOf(shift.start_at),
            },
            cause,
          ),
        );
        const results = outcomes.map((refusal, index) => {
          const made = { ...planned[index]!, fleetId: fleet_id, id: ids[index]! };
          const shift = toPlannedResponse(made, userOf(caller).timezone);
          return { index, result: !refusal, ...(refusal ?? { shift }) };
        });
        return { result: results.some(({ result }) => result), results };
      },
    }),
    operation({
      ...WRITE,
      name: 'shiftUpdate',
      versioned,
      returns: { read: 'shift' },
      summary: 'Update a shift',
      description:
        'Fields that are omitted stay unchanged. If the shift is changed within 24 hours of its start, the driver must confirm it again.',
      rest: { method: 'patch', path: '/v1/shifts/:shift_id' },
      answers: {
        ...NOT_FOUND,
        409: '`SHIFT_OVERLAPS`: the driver has another shift at this time.',
        422: '`SHIFT_MONTH`: the new start is in another month.',
      },
      input: z.object({ ...shiftIdInput, ...shiftChanges }),
      output: writeOutput,
      async run({ shift_id, ...given }, { caller, cause, commandId, time, wrote }) {
        const { shift: before, fleet } = await shiftOf(caller, shift_id);
        const business = businessOf(caller);
        const input = changedShift(before, given);
        const shift = toShift(input);
        await expectKnown(fleet, input, business, '');
        if (monthOf(shift.start_at) !== before.month) throw fieldError('SHIFT_MONTH', 'start_at');
        const { position } = await writeShift(
          {
            do: 'change',
            commandId,
            business,
            driverId: before.driver_id,
            shiftId: shift_id,
            by: userOf(caller).userId,
            shift,
            now: time,
            month: before.month,
          },
          cause,
        );
        wrote(position);
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'shiftCancel',
      versioned,
      summary: 'Cancel a shift',
      description: 'Lists of shifts no longer contain a cancelled shift.',
      rest: { method: 'delete', path: '/v1/shifts/:shift_id' },
      answers: NOT_FOUND,
      input: z.object(shiftIdInput),
      output: deletedSchema,
      async run({ shift_id }, { caller, cause, commandId, wrote }) {
        const { shift } = await shiftOf(caller, shift_id);
        const { driver_id: driverId, month, business } = shift;
        const by = userOf(caller).userId;
        const { position } = await writeShift(
          { do: 'cancel', commandId, business, driverId, shiftId: shift_id, by, month },
          cause,
        );
        wrote(position);
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'shiftConfirm',
      versioned,
      returns: { read: 'shift' },
      summary: 'Confirm a shift of the calling driver',
      description: 'Sets the status of the shift to `confirmed`. Repeating the call changes nothing.',
      rest: { method: 'post', path: '/v1/shifts/:shift_id/confirm' },
      callers: ['driver'],
      answers: { 404: 'There is no such shift, or it belongs to another driver.' },
      input: z.object(shiftIdInput),
      output: writeOutput,
      async run({ shift_id }, { caller, cause, commandId, wrote }) {
        const shift = await queries.byId(shift_id, businessOf(caller));
        if (shift?.driver_id !== userOf(caller).userId) throw new ApiError('SHIFT_NOT_FOUND');
        const { driver_id: driverId, month, business } = shift;
        const { position } = await writeShift(
          { do: 'confirm', commandId, business, driverId, shiftId: shift_id, month },
          cause,
        );
        wrote(position);
        return { result: true };
      },
    }),
  ];
}
