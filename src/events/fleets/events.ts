/** What happens to a fleet. Stream `fleet-<id>`, which is also the subject of its personal data: plates. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const FLEET_PREFIX = 'fleet-';
export const fleetStream = (id: number): string => `${FLEET_PREFIX}${id}`;

/** Absent: no limit is known. Kilograms and cubic metres. */
export const loadSchema = z.object({
  orders: z.int().optional(),
  packages: z.int().optional(),
  weight: z.number().optional(),
  volume: z.number().optional(),
  /** Of the business's own capacities. */
  custom: z.array(z.object({ name: z.string(), amount: z.number() })).optional(),
});

export const vehicleSchema = z.object({
  /** What its fleet calls it; never given to another one. */
  vehicle_id: z.string(),
  name: z.string(),
  plate: personal(z.string()),
  capacity: loadSchema,
  /** What it has and can: `fridge`, `tail_lift`. */
  attributes: z.array(z.string()),
  /** Against the usual speed of plans: 1 is as fast. */
  speed_factor: z.number(),
  /** In hundredths of the business's currency. */
  cost: z.object({ per_route: z.int().optional(), per_km: z.int().optional(), per_hour: z.int().optional() }),
  height_cm: z.int().optional(),
  max_gross_kg: z.int().optional(),
});
export type Vehicle = z.infer<typeof vehicleSchema>;

export const FleetCreated = eventType(
  'FleetCreated',
  /** `contractor_id`: whose it is; absent: the business's own. */
  z.object({ fleet_id: z.int(), business: z.int(), name: z.string(), contractor_id: z.int().optional() }),
);
export const FleetRenamed = eventType('FleetRenamed', z.object({ name: z.string() }));
export const FleetDissolved = eventType('FleetDissolved', z.object({}));
export const CaptainAdded = eventType('CaptainAdded', z.object({ user_id: z.int() }));
export const CaptainRemoved = eventType('CaptainRemoved', z.object({ user_id: z.int() }));
export const DriverJoinedFleet = eventType('DriverJoinedFleet', z.object({ driver_id: z.int() }));
export const DriverLeftFleet = eventType('DriverLeftFleet', z.object({ driver_id: z.int() }));
export const VehicleAdded = eventType('VehicleAdded', vehicleSchema);
/** As it is now. */
export const VehicleChanged = eventType('VehicleChanged', vehicleSchema);
export const VehicleRetired = eventType('VehicleRetired', z.object({ vehicle_id: z.string() }));

/** How drivers of the fleet have routes of the board. */
export const boardRulesSchema = z.object({
  /** Most routes that a driver may claim for a day. */
  claims_per_day: z.int(),
  /** Most drivers in the queue for a claimed route, where the posting says nothing else. */
  standby_limit: z.int(),
  /** Hours before the start from which on a withdrawal is late. */
  withdraw_hours: z.int(),
});
export type BoardRules = z.infer<typeof boardRulesSchema>;
export const DEFAULT_BOARD_RULES: BoardRules = { claims_per_day: 2, standby_limit: 5, withdraw_hours: 12 };
export const BoardRulesSet = eventType('BoardRulesSet', boardRulesSchema);

export const FLEET_EVENTS = [
  FleetCreated,
  FleetRenamed,
  FleetDissolved,
  CaptainAdded,
  CaptainRemoved,
  DriverJoinedFleet,
  DriverLeftFleet,
  VehicleAdded,
  VehicleChanged,
  VehicleRetired,
  BoardRulesSet,
] as const;
