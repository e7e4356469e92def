/** Drivers who work on a day, with their shifts, vehicles and skills: the input of plans. */
import type { Vehicle } from '../../../events/fleets/events.js';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import type { PlannedShift, ShiftQueries } from '../../../projections/shifts/queries.js';
import type { SkillQueries } from '../../../projections/skills/queries.js';
import { addDays, startOfDay } from '../../../events/core/local-time.js';

export interface DriverOnDuty {
  readonly driverId: number;
  readonly shift: PlannedShift;
  /** Undefined: the shift has no vehicle. */
  readonly vehicle: Vehicle | undefined;
  /** Skill codes that are valid on the day: those of the driver, and the attributes of the vehicle. */
  readonly skills: readonly string[];
}

export interface WorkingDay {
  /** Shifts that begin on the day (`YYYY-MM-DD`, in the timezone), sorted by their start. */
  (
    day: { readonly business: number; readonly date: string; readonly timezone: string },
    filter?: { readonly driverIds?: readonly number[] },
  ): Promise<readonly DriverOnDuty[]>;
}

/** Higher than the maximum number of drivers in a plan. */
const MAX_SHIFTS = 2_000;

export function createWorkingDay({
  shifts,
  fleets,
  skills,
}: {
  readonly shifts: ShiftQueries;
  readonly fleets: FleetQueries;
  readonly skills: SkillQueries;
}): WorkingDay {
  return async ({ business, date, timezone }, { driverIds } = {}) => {
    const [from, to] = [startOfDay(date, timezone), startOfDay(addDays(date, 1), timezone)];
    const found = await shifts.list({ offset: 0, limit: MAX_SHIFTS }, { business, from, to, driverIds });
    const startingShifts = found.rows.filter(({ start_at }) => start_at >= from);
    const ids = [...new Set(startingShifts.map(({ driver_id }) => driver_id))];
    const held = await skills.on(date, ids, business);
    const fleetIds = [...new Set(startingShifts.map(({ fleet_id }) => fleet_id))];
    const vehicles = new Map(
      await Promise.all(
        fleetIds.map(async (id) => {
          const fleet = await fleets.byId(id, { business });
          return [id, fleet ? await fleets.vehiclesOf(fleet) : []] as const;
        }),
      ),
    );
    return startingShifts.map((shift) => {
      const vehicle = vehicles.get(shift.fleet_id)?.find(({ vehicle_id }) => vehicle_id === shift.vehicle_id);
      const own = held.get(shift.driver_id) ?? [];
      return {
        driverId: shift.driver_id,
        shift,
        vehicle,
        skills: [...new Set([...own, ...(vehicle?.attributes ?? [])])],
      };
    });
  };
}
