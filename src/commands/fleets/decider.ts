/**
 * Decides commands on a fleet. Captains, drivers and vehicles are set as complete lists; the events record the
 * differences.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  BoardRulesSet,
  CaptainAdded,
  CaptainRemoved,
  DriverJoinedFleet,
  DriverLeftFleet,
  FLEET_PREFIX,
  FleetCreated,
  FleetDissolved,
  FleetRenamed,
  fleetStream,
  VehicleAdded,
  VehicleChanged,
  VehicleRetired,
  type BoardRules,
  type Vehicle,
} from '../../events/fleets/events.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand, type NewEvent } from '../core/entity.js';

export type FleetChange =
  | { readonly do: 'create'; readonly name: string; readonly contractorId?: number | undefined }
  | { readonly do: 'change'; readonly name?: string | undefined; readonly rules?: BoardRules | undefined }
  | { readonly do: 'dissolve' }
  | { readonly do: 'setCaptains' | 'setDrivers'; readonly ids: readonly number[] }
  | { readonly do: 'setVehicles'; readonly vehicles: readonly Vehicle[] };

/** The caller is `by`. A captain of the fleet may set its drivers, and nothing else. */
export type FleetCommand = EntityCommand &
  FleetChange & {
    readonly id: number;
    readonly by: number;
    /** True: the caller is office staff of the business. False: `by` is a contractor or a captain. */
    readonly office: boolean;
  };

interface FleetState {
  contractorId?: number | undefined;
  readonly captains: Set<number>;
  readonly drivers: Set<number>;
  /** Vehicles without personal data, keyed by vehicle id. */
  readonly vehicles: Map<string, object>;
  rules?: BoardRules;
  /** Ids of retired vehicles. */
  readonly retired: Set<string>;
}

const open = ({ plate: _plate, ...vehicle }: Partial<Vehicle>): object => JSON.parse(JSON.stringify(vehicle)) as object;

export const fleets = entity<FleetState, FleetCommand>({
  name: FLEET_PREFIX,
  makes: 'create',
  notFound: 'FLEET_NOT_FOUND',
  ends: [FleetDissolved],
  subject: (id) => fleetStream(id as number),
  initial: () => ({ captains: new Set(), drivers: new Set(), vehicles: new Map(), retired: new Set() }),
  decide(state, command) {
    const { id, business } = command;
    if (command.do === 'create') {
      const { name, contractorId } = command;
      return newEvent(FleetCreated, { fleet_id: id, business, name, contractor_id: contractorId });
    }
    expectMay(state, command);
    switch (command.do) {
      case 'change': {
        const { name, rules } = command;
        return [
          ...(name === undefined ? [] : [newEvent(FleetRenamed, { name })]),
          ...(rules === undefined || isDeepStrictEqual(state.rules, rules) ? [] : [newEvent(BoardRulesSet, rules)]),
        ];
      }
      case 'dissolve':
        return newEvent(FleetDissolved, {});
      case 'setCaptains':
        return changes(state.captains, command.ids, CaptainAdded, CaptainRemoved, 'user_id');
      case 'setDrivers':
        return changes(state.drivers, command.ids, DriverJoinedFleet, DriverLeftFleet, 'driver_id');
      case 'setVehicles':
        return vehicleChanges(state, command.vehicles);
    }
  },
  evolve(state, { type, data }) {
    if (type === FleetCreated.type) state.contractorId = data['contractor_id'] as number | undefined;
    if (type === BoardRulesSet.type) state.rules = { ...(data as unknown as BoardRules) };
    if (type === CaptainAdded.type) state.captains.add(data['user_id'] as number);
    if (type === CaptainRemoved.type) state.captains.delete(data['user_id'] as number);
    if (type === DriverJoinedFleet.type) state.drivers.add(data['driver_id'] as number);
    if (type === DriverLeftFleet.type) state.drivers.delete(data['driver_id'] as number);
    if (type === VehicleAdded.type || type === VehicleChanged.type) {
      const { $sealed: _sealed, ...vehicle } = data as { $sealed?: unknown; vehicle_id?: string };
      state.vehicles.set(vehicle.vehicle_id!, open(vehicle as Partial<Vehicle>));
    }
    if (type === VehicleRetired.type) {
      state.vehicles.delete(data['vehicle_id'] as string);
      state.retired.add(data['vehicle_id'] as string);
    }
    return state;
  },
});

/**
 * Checks the permission of the caller:
 *
 * - The owner may change everything.
 * - A captain may set the drivers.
 * - Staff (`office`) may set the drivers of any fleet, because only staff know all drivers.
 *
 * For other commands, captains and staff get FORBIDDEN. All other callers get FLEET_NOT_FOUND.
 */
function expectMay({ contractorId, captains }: FleetState, { do: what, by, office }: FleetCommand): void {
  const isOwner = contractorId === undefined ? office : contractorId === by;
  const isCaptain = captains.has(by);
  if (isOwner || ((isCaptain || office) && what === 'setDrivers')) return;
  throw new DomainError(office || isCaptain ? 'FORBIDDEN' : 'FLEET_NOT_FOUND');
}

function changes(
  now: ReadonlySet<number>,
  wanted: readonly number[],
  added: NewEvent['type'] | typeof CaptainAdded | typeof DriverJoinedFleet,
  removed: NewEvent['type'] | typeof CaptainRemoved | typeof DriverLeftFleet,
  member: 'user_id' | 'driver_id',
): NewEvent[] {
  const set = new Set(wanted);
  return [
    ...[...set].filter((id) => !now.has(id)).map((id) => ({ type: added as NewEvent['type'], data: { [member]: id } })),
    ...[...now]
      .filter((id) => !set.has(id))
      .map((id) => ({ type: removed as NewEvent['type'], data: { [member]: id } })),
  ];
}

function vehicleChanges({ vehicles, retired }: FleetState, wanted: readonly Vehicle[]): NewEvent[] {
  const ids = new Set(wanted.map(({ vehicle_id }) => vehicle_id));
  if (ids.size < wanted.length || wanted.some(({ vehicle_id }) => retired.has(vehicle_id)))
    throw new DomainError('VEHICLE_ID_TAKEN');
  return [
    ...wanted.flatMap((vehicle) => {
      const known = vehicles.get(vehicle.vehicle_id);
      if (!known) return [newEvent(VehicleAdded, vehicle)];
      // The current plate is encrypted, so any given plate counts as a change.
      const same = vehicle.plate === undefined && isDeepStrictEqual(known, open(vehicle));
      return same ? [] : [newEvent(VehicleChanged, vehicle)];
    }),
    ...[...vehicles.keys()]
      .filter((vehicle_id) => !ids.has(vehicle_id))
      .map((vehicle_id) => newEvent(VehicleRetired, { vehicle_id })),
  ];
}
