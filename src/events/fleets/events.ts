/** Events of a fleet. Stream `fleet-<id>`, which is also the key subject of its personal data: licence plates. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const FLEET_PREFIX = 'fleet-';
export const fleetStream = (id: number): string => `${FLEET_PREFIX}${id}`;

/** Kilograms and cubic metres; absent: no known limit. */
export const loadSchema = z.object({
  orders: z.int().optional(),
  packages: z.int().optional(),
  weight: z.number().optional(),
  volume: z.number().optional(),
  /** Custom capacity types of the business. */
  custom: z.array(z.object({ name: z.string(), amount: z.number() })).optional(),
});

export const vehicleSchema = z.object({
  /** Id within the fleet; never reused for another vehicle. */
  vehicle_id: z.string(),
  name: z.string(),
  plate: personal(z.string()),
  capacity: loadSchema,
  /** Equipment and abilities: `fridge`, `tail_lift`. */
  attributes: z.array(z.string()),
  /** Factor of the default speed of plans: 1 is the default speed. */
  speed_factor: z.number(),
  /** In hundredths of the business's currency unit. */
  cost: z.object({ per_route: z.int().optional(), per_km: z.int().optional(), per_hour: z.int().optional() }),
  height_cm: z.int().optional(),
  max_gross_kg: z.int().optional(),
});
export type Vehicle = z.infer<typeof vehicleSchema>;

export const FleetCreated = eventType(
  'FleetCreated',
  /** `contractor_id`: the owning contractor; absent: the business owns the fleet. */
  z.object({ fleet_id: z.int(), business: z.int(), name: z.string(), contractor_id: z.int().optional() }),
);
export const FleetRenamed = eventType('FleetRenamed', z.object({ name: z.string() }));
export const FleetDissolved = eventType('FleetDissolved', z.object({}));
export const CaptainAdded = eventType('CaptainAdded', z.object({ user_id: z.int() }));
export const CaptainRemoved = eventType('CaptainRemoved', z.object({ user_id: z.int() }));
export const DriverJoinedFleet = eventType('DriverJoinedFleet', z.object({ driver_id: z.int() }));
export const DriverLeftFleet = eventType('DriverLeftFleet', z.object({ driver_id: z.int() }));
export const VehicleAdded = eventType('VehicleAdded', vehicleSchema);
/** The complete vehicle after the change. */
export const VehicleChanged = eventType('VehicleChanged', vehicleSchema);
export const VehicleRetired = eventType('VehicleRetired', z.object({ vehicle_id: z.string() }));

/** Rules for routes that drivers of the fleet claim on the board. */
export const boardRulesSchema = z.object({
  /** Maximum number of routes that a driver may claim per day. */
  claims_per_day: z.int(),
  /** Maximum number of drivers in the queue for a claimed route, unless the posting sets its own limit. */
  standby_limit: z.int(),
  /** A withdrawal later than this number of hours before the start counts as late. */
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
