/** Shifts in requests and responses. */
import { z } from 'zod';
import { MAX_SHIFT_MS } from '../../../commands/shifts/neighbours.js';
import { SHIFT_PLACES, shiftBreakSchema, type Shift, shiftsStream } from '../../../events/shifts/events.js';
import type { PlannedShift, ShiftQueries } from '../../../projections/shifts/queries.js';
import { invalidForm } from '../../core/errors.js';
import { positionInput, positionSchema } from '../../core/geo.js';
import { idSchema } from '../../core/ids.js';
import { zonedTime } from '../../../events/core/local-time.js';
import { RELATIONS } from '../../core/relations.js';
import { versionOf, versionSchema } from '../../core/versions.js';
import { businessOf } from '../../core/callers.js';
import type { Versioned } from '../../core/operation.js';

const time = z.iso.datetime({ offset: true });
const place = z
  .strictObject({
    kind: z
      .enum(SHIFT_PLACES)
      .describe(
        "`open`: at the first or last stop. `home`: at the driver's home. `warehouse` and `coordinates`: at the given place.",
      ),
    warehouse_id: idSchema.optional().describe('Required for `warehouse`.'),
    position: positionInput.optional().describe('Required for `coordinates`.'),
  })
  .describe('Place where the driver starts or ends the shift.')
  .meta({ id: 'ShiftPlaceInput' });
export type PlaceInput = z.infer<typeof place>;

const breakInput = z
  .strictObject({ duration_s: z.int().min(60).max(43_200), earliest_at: time, latest_at: time })
  .meta({ id: 'ShiftBreakInput' });

/** Fields of a shift, without defaults. */
const shiftMembers = {
  vehicle_id: z.string().min(1).max(40).optional().describe('Vehicle of the fleet.'),
  start_at: time.describe('Start, RFC 3339 with offset.'),
  end_at: time.describe('End, at most 24 hours after the start.'),
  breaks: z
    .array(breakInput)
    .max(6)
    .describe('Breaks of the shift. Each begins between `earliest_at` and `latest_at`, and ends within the shift.'),
  start_place: place,
  end_place: place,
};
export const shiftInput = {
  ...shiftMembers,
  breaks: shiftMembers.breaks.default([]),
  start_place: place.default({ kind: 'open' }),
  end_place: place.default({ kind: 'open' }),
};
export type ShiftInput = z.infer<z.ZodObject<typeof shiftInput>>;
/** Members of a PATCH. */
export const shiftChanges = {
  ...z.object(shiftMembers).partial().shape,
  vehicle_id: shiftMembers.vehicle_id.unwrap().nullable().optional().describe('Vehicle of the fleet. Null: none.'),
};

const placeSchema = z
  .object({ kind: z.enum(SHIFT_PLACES), warehouse_id: z.int().nullable(), position: positionSchema.nullable() })
  .meta({ id: 'ShiftPlace' });
const breakSchema = z.object(shiftBreakSchema.shape).meta({ id: 'ShiftBreak' });
export const shiftSchema = z
  .object({
    id: z.int(),
    fleet_id: z.int(),
    driver_id: z.int(),
    vehicle_id: z.string().nullable(),
    status: z.enum(['planned', 'confirmed', 'cancelled']),
    start_at: z.string().describe('Start, in the timezone of the business.'),
    end_at: z.string(),
    breaks: z.array(breakSchema),
    start_place: placeSchema,
    end_place: placeSchema,
    version: versionSchema
      .optional()
      .describe('Version for `If-Match` and `if_version`. Absent in the response of the batch.'),
  })
  .meta({ id: 'Shift' })
  .register(RELATIONS, { fleet: 'fleet', driver: 'driver' });

/** The shifts of a driver's month share a stream. Each is a part of it, with a separate version. */
export const shiftVersion = (queries: Pick<ShiftQueries, 'byId'>): Versioned =>
  versionOf(
    async ({ shift_id }, caller) => {
      const shift = await queries.byId(shift_id as number, businessOf(caller));
      return shift && shiftsStream(shift.driver_id, shift.month);
    },
    ({ shift_id }) => String(shift_id),
  );

/** A shift directly after it was planned. */
export const toPlannedResponse = (
  { id, fleetId, driverId, shift }: { id: number; fleetId: number; driverId: number; shift: Shift },
  timezone: string,
): z.infer<typeof shiftSchema> =>
  toShiftResponse(
    { vehicle_id: null, ...shift, id, fleet_id: fleetId, driver_id: driverId, state: 'planned' },
    timezone,
  );

/** The result of one shift of a batch. */
export const shiftResultSchema = z
  .object({
    index: z.int().describe('Index in the request, from 0.'),
    result: z.boolean(),
    shift: shiftSchema.optional(),
    code: z.string().optional(),
    message: z.string().optional(),
  })
  .meta({ id: 'ShiftResult' });

/**
 * Converts a shift to the form of events. Throws INVALID_INPUT for invalid times and places. `at`: JSON Pointer of the
 * shift.
 */
export function toShift(input: ShiftInput, at = ''): Shift {
  const { vehicle_id, start_at, end_at, breaks, start_place, end_place } = input;
  const [from, to] = [Date.parse(start_at), Date.parse(end_at)];
  if (to <= from || to - from > MAX_SHIFT_MS)
    throw invalidForm(
      'end_at',
      `later than \`start_at\`, by at most ${MAX_SHIFT_MS / 3_600_000} hours`,
      `${at}/end_at`,
    );
  breaks.forEach(({ duration_s, earliest_at, latest_at }, index) => {
    const [earliest, latest] = [Date.parse(earliest_at), Date.parse(latest_at)];
    if (earliest < from || latest < earliest || latest + duration_s * 1_000 > to)
      throw invalidForm(
        'latest_at',
        'not before `earliest_at`, with the whole break inside of the shift',
        `${at}/breaks/${index}/latest_at`,
      );
  });
  const placeOf = (name: 'start_place' | 'end_place', { kind, warehouse_id, position }: PlaceInput) => {
    if ((kind === 'warehouse') !== (warehouse_id !== undefined))
      throw invalidForm(
        'warehouse_id',
        'present where `kind` is `warehouse`, else absent',
        `${at}/${name}/warehouse_id`,
      );
    if ((kind === 'coordinates') !== (position !== undefined))
      throw invalidForm('position', 'present where `kind` is `coordinates`, else absent', `${at}/${name}/position`);
    return { kind, ...(warehouse_id !== undefined && { warehouse_id }) };
  };
  return {
    ...(vehicle_id !== undefined && { vehicle_id }),
    start_at,
    end_at,
    breaks,
    start_place: placeOf('start_place', start_place),
    end_place: placeOf('end_place', end_place),
    ...(start_place.position && { start_position: start_place.position }),
    ...(end_place.position && { end_position: end_place.position }),
  };
}

/** The stored shift as input, so that an update keeps omitted fields. */
const toShiftInput = (shift: PlannedShift): ShiftInput => ({
  ...(shift.vehicle_id !== null && { vehicle_id: shift.vehicle_id }),
  start_at: shift.start_at,
  end_at: shift.end_at,
  breaks: [...shift.breaks],
  start_place: { ...shift.start_place, ...(shift.start_position && { position: shift.start_position }) },
  end_place: { ...shift.end_place, ...(shift.end_position && { position: shift.end_position }) },
});

export function toShiftResponse(
  shift: Omit<PlannedShift, 'business' | 'month' | 'revision'> & { readonly revision?: number },
  timezone: string,
): z.infer<typeof shiftSchema> {
  const local = (at: string): string => zonedTime(Date.parse(at), timezone);
  const shown = ({ kind, warehouse_id }: Shift['start_place'], position: Shift['start_position']) => ({
    kind,
    warehouse_id: warehouse_id ?? null,
    position: position ?? null,
  });
  return {
    id: shift.id,
    fleet_id: shift.fleet_id,
    driver_id: shift.driver_id,
    vehicle_id: shift.vehicle_id,
    status: shift.state,
    start_at: local(shift.start_at),
    end_at: local(shift.end_at),
    breaks: shift.breaks.map(({ duration_s, earliest_at, latest_at }) => ({
      duration_s,
      earliest_at: local(earliest_at),
      latest_at: local(latest_at),
    })),
    start_place: shown(shift.start_place, shift.start_position),
    end_place: shown(shift.end_place, shift.end_position),
    ...(shift.revision !== undefined && { version: shift.revision }),
  };
}

/** The whole shift after a PATCH: omitted members are unchanged, and null clears a member. */
export const changedShift = (before: PlannedShift, changes: z.infer<z.ZodObject<typeof shiftChanges>>): ShiftInput => ({
  ...toShiftInput(before),
  ...Object.fromEntries(
    Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value ?? undefined]])),
  ),
});
