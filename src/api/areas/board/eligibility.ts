/** Eligibility of a driver for a posted route: active, in a fleet of the posting, qualified, and free at that time. */
import type { PlanningQueries } from '../../../projections/contractors/queries.js';
import type { OtherRoute, RouteLoad } from '../../../projections/board/queries.js';
import type { BoardRow } from '../../../projections/board/read-model.js';
import type { HeldDocuments } from '../../../projections/drivers/document-queries.js';
import type { FleetRow } from '../../../projections/fleets/read-model.js';
import type { ShiftQueries } from '../../../projections/shifts/queries.js';
import type { SkillQueries } from '../../../projections/skills/queries.js';
import type { Posting } from '../../../events/routes/board.js';
import { DEFAULT_BOARD_RULES } from '../../../events/fleets/events.js';
import type { Parts } from '../../core/parts.js';
import { sizesOf } from '../plans/planning-data.js';

export const INELIGIBILITY_REASONS = [
  'NOT_IN_FLEET',
  'DOCUMENTS_MISSING',
  'SKILLS_MISSING',
  'VEHICLE_TOO_SMALL',
  'TIME_TAKEN',
  'CAP_REACHED',
] as const;
export type IneligibilityReason = (typeof INELIGIBILITY_REASONS)[number];

export interface EligibilityOptions extends Parts<'boards' | 'fleets'> {
  readonly shifts: ShiftQueries;
  readonly skills: SkillQueries;
  readonly planning: Pick<PlanningQueries, 'capacities'>;
  readonly documents: HeldDocuments;
  /** Kinds of documents that every driver of the business must hold. */
  readonly required: (business: number) => Promise<readonly string[]>;
  readonly isActive: (business: number, driverId: number) => Promise<boolean>;
}

export interface EligibilityCheck {
  /** The reason why each driver may not have the posted route; undefined for an eligible driver. */
  (route: BoardRow, driverIds: readonly number[]): Promise<ReadonlyMap<number, IneligibilityReason | undefined>>;
  /** Maximum number of routes that the driver may claim per day: the highest limit among the fleets of the posting. */
  readonly claimLimitOf: (route: BoardRow, driverId: number) => Promise<number>;
  /** The other route of the driver that overlaps in time, as `route:<id>`; `route` if there is none. */
  readonly conflictingRouteOf: (route: BoardRow, driverId: number) => Promise<string>;
}

/**
 * Load of a route or capacity of a vehicle. `orders` and `packages` are counts. Weight and volume are in grams and
 * litres for a load, in kilograms and cubic metres for a capacity.
 */
interface LoadCapacity {
  readonly orders?: number | undefined;
  readonly packages?: number | undefined;
  readonly weight?: number | undefined;
  readonly volume?: number | undefined;
  /** Capacities that the business has defined itself. */
  readonly custom?: readonly { readonly name: string; readonly amount: number }[] | undefined;
}

const EMPTY_LOAD: RouteLoad = { orders: 0, packages: [], own: new Map(), skills: [], areas: [] };

export function createEligibilityCheck(options: EligibilityOptions): EligibilityCheck {
  const { boards, fleets, shifts, skills, planning, documents, required, isActive } = options;
  const fleetsOf = async ({ business, fleet_ids }: BoardRow): Promise<FleetRow[]> =>
    (await Promise.all(fleet_ids.map((id) => fleets.byId(id, { business })))).filter((fleet) => fleet !== undefined);
  const claimLimitIn = (found: readonly FleetRow[], driverId: number): number =>
    Math.max(
      0,
      ...found
        .filter(({ drivers }) => drivers.includes(driverId))
        .map(({ board_rules }) => (board_rules ?? DEFAULT_BOARD_RULES).claims_per_day),
    );

  async function checkEligibility(route: BoardRow, driverIds: readonly number[]) {
    const { business, posting, date } = route;
    if (!posting || driverIds.length === 0) return new Map<number, IneligibilityReason | undefined>();
    const [from, to] = [posting.start_at, posting.end_at].map((at) => new Date(at).toISOString()) as [string, string];
    const [
      postedFleets,
      loads,
      others,
      claimCounts,
      driverSkills,
      capacities,
      workingShifts,
      heldDocuments,
      requiredKinds,
    ] = await Promise.all([
      fleetsOf(route),
      boards.loads([route.id]),
      boards.others(driverIds, date),
      boards.claims(driverIds, date),
      skills.on(date, driverIds, business),
      planning.capacities(driverIds),
      shifts.list({ offset: 0, limit: 1_000 }, { business, from, to, driverIds }),
      documents.held(date, driverIds),
      required(business),
    ]);
    const load = loads.get(route.id) ?? EMPTY_LOAD;
    const used = loadSizesOf(load);
    return new Map(
      await Promise.all(
        driverIds.map(async (driverId): Promise<[number, IneligibilityReason | undefined]> => {
          const claimLimit = claimLimitIn(postedFleets, driverId);
          if (claimLimit === 0 || !(await isActive(business, driverId))) return [driverId, 'NOT_IN_FLEET'];
          if (requiredKinds.some((kind) => !heldDocuments.get(driverId)?.has(kind)))
            return [driverId, 'DOCUMENTS_MISSING'];
          const shift = workingShifts.rows.find((one) => one.driver_id === driverId && one.vehicle_id !== null);
          const vehicle = shift && (await vehicleOf(shift.fleet_id, shift.vehicle_id!, business));
          const availableSkills = new Set([...(driverSkills.get(driverId) ?? []), ...(vehicle?.attributes ?? [])]);
          if (load.skills.some((skill) => !availableSkills.has(skill))) return [driverId, 'SKILLS_MISSING'];
          const { max_orders, max_weight, max_volume } = capacities.get(driverId) ?? {};
          const capacity = vehicle?.capacity ?? { orders: max_orders, weight: max_weight, volume: max_volume };
          if (!fits(used, capacity)) return [driverId, 'VEHICLE_TOO_SMALL'];
          if (others.some((other) => other.driverId === driverId && overlaps(other, route.id, posting)))
            return [driverId, 'TIME_TAKEN'];
          const addedClaims = route.holder === driverId ? 0 : 1;
          return [driverId, (claimCounts.get(driverId) ?? 0) + addedClaims > claimLimit ? 'CAP_REACHED' : undefined];
        }),
      ),
    );
  }

  async function vehicleOf(fleetId: number, vehicleId: string, business: number) {
    const fleet = await fleets.byId(fleetId, { business });
    return fleet && (await fleets.vehiclesOf(fleet)).find(({ vehicle_id }) => vehicle_id === vehicleId);
  }

  return Object.assign(checkEligibility, {
    claimLimitOf: async (route: BoardRow, driverId: number) => claimLimitIn(await fleetsOf(route), driverId),
    async conflictingRouteOf({ id, date, posting }: BoardRow, driverId: number) {
      const others = await boards.others([driverId], date);
      const other = others.find((one) => posting && overlaps(one, id, posting));
      return other ? `route:${other.id}` : 'route';
    },
  });
}

const overlaps = ({ id, from, to }: OtherRoute, routeId: number, { start_at, end_at }: Posting): boolean =>
  id !== routeId && from < Date.parse(end_at) && Date.parse(start_at) < to;

function loadSizesOf({ orders, packages, own }: RouteLoad): Required<LoadCapacity> {
  const { weight, volume } = sizesOf({ packages: [...packages] });
  return {
    orders,
    packages: packages.length,
    weight,
    volume,
    custom: [...own].map(([name, amount]) => ({ name, amount })),
  };
}

/** Whether the load `used` fits into the capacity. Converts kilograms to grams and cubic metres to litres. */
const fits = (used: Required<LoadCapacity>, { orders, packages, weight, volume, custom = [] }: LoadCapacity): boolean =>
  used.orders <= (orders ?? Infinity) &&
  used.packages <= (packages ?? Infinity) &&
  used.weight <= (weight ?? Infinity) * 1_000 &&
  used.volume <= (volume ?? Infinity) * 1_000 &&
  custom.every(({ name, amount }) => (used.custom!.find((one) => one.name === name)?.amount ?? 0) <= amount);
