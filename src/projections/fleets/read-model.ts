/** The read model of fleets: their members, and their vehicles with encrypted plates. */
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
  VehicleAdded,
  VehicleChanged,
  VehicleRetired,
  type BoardRules,
} from '../../events/fleets/events.js';
import { flag, integer, integers, json, optional, text, type RowOf } from '../core/columns.js';
import { sealedDataOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { startsWith, table } from '../core/table.js';

/** Ids of fleets. */
export const FLEET_IDS = sequence('fleets', { readModel: 'fleets', table: 'fleets.fleets' });

const columns = {
  id: integer(),
  business: integer(),
  /** The contractor that owns the fleet; null: the business owns it. */
  contractor_id: optional(integer()),
  name: text(),
  captains: integers(),
  drivers: integers(),
  /** The event with the current data of each vehicle, keyed by vehicle id. */
  vehicles: json<Readonly<Record<string, SealedMembers>>>(),
  /** Null: the default rules apply. */
  board_rules: optional(json<BoardRules>()),
  dissolved: flag(),
  revision: integer(),
};
export type FleetRow = RowOf<typeof columns>;

const plus = (ids: readonly number[], id: number): number[] => [...ids.filter((one) => one !== id), id];
const minus = (ids: readonly number[], id: number): number[] => ids.filter((one) => one !== id);

export const fleets = table({
  name: 'fleets',
  version: 2,
  prefixes: [FLEET_PREFIX],
  columns,
  indexes: ['(business, id)', 'using gin (captains)'],
  fold: startsWith(FleetCreated, ({ fleet_id, business, name, contractor_id = null }, event): FleetRow => ({
    id: fleet_id,
    business,
    contractor_id,
    name,
    captains: [],
    drivers: [],
    vehicles: {},
    board_rules: null,
    dissolved: false,
    revision: event.revision,
  }))
    .on(FleetRenamed, ({ name }) => ({ name }))
    .on(BoardRulesSet, (board_rules) => ({ board_rules }))
    .on(FleetDissolved, () => ({ dissolved: true }))
    .on(CaptainAdded, ({ user_id }, { captains }) => ({ captains: plus(captains, user_id) }))
    .on(CaptainRemoved, ({ user_id }, { captains }) => ({ captains: minus(captains, user_id) }))
    .on(DriverJoinedFleet, ({ driver_id }, { drivers }) => ({ drivers: plus(drivers, driver_id) }))
    .on(DriverLeftFleet, ({ driver_id }, { drivers }) => ({ drivers: minus(drivers, driver_id) }))
    .on(VehicleAdded, ({ vehicle_id }, { vehicles }, event) => ({
      vehicles: { ...vehicles, [vehicle_id]: sealedDataOf(event) },
    }))
    .on(VehicleChanged, ({ vehicle_id }, { vehicles }, event) => ({
      vehicles: { ...vehicles, [vehicle_id]: sealedDataOf(event) },
    }))
    .on(VehicleRetired, ({ vehicle_id }, { vehicles }) => ({
      vehicles: Object.fromEntries(Object.entries(vehicles).filter(([id]) => id !== vehicle_id)),
    })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'fleets', { 'fleets.fleets': FleetRow }> {}
}
