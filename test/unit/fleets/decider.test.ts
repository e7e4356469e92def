/** Fleets: the owner changes all of a fleet, a captain only its drivers. Only differences are recorded. */
import { expect } from 'chai';
import { fleets, type FleetCommand } from '../../../src/commands/fleets/decider.js';
import type { Vehicle } from '../../../src/events/fleets/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of } = commandsTo<FleetCommand>(7);
const office = { by: 5, office: true } as const;
const contractor = { by: 9, office: false } as const;
const captain = { by: 20, office: false } as const;
const create = (contractorId?: number) => of({ do: 'create', name: 'North', contractorId, ...office });
const setCaptains = (ids: number[], who: { by: number; office: boolean } = office) =>
  of({ do: 'setCaptains', ids, ...who });
const setDrivers = (ids: number[], who: { by: number; office: boolean } = office) =>
  of({ do: 'setDrivers', ids, ...who });
const van: Vehicle = { vehicle_id: 'v1', name: 'Van', capacity: {}, attributes: [], speed_factor: 1, cost: {} };
const setVehicles = (...vehicles: Vehicle[]) => of({ do: 'setVehicles', vehicles, ...office });

describe('decider of fleets', () => {
  it('records who joins and leaves', () => {
    const two = given(fleets, create(), setDrivers([1, 2]));
    expect(two.when(setDrivers([2, 3, 3])).facts).to.deep.equal([
      { type: 'DriverJoinedFleet', data: { driver_id: 3 } },
      { type: 'DriverLeftFleet', data: { driver_id: 1 } },
    ]);
    expect(two.when(setDrivers([2, 1])).types).to.deep.equal([]);
  });

  it('lets captains set drivers only', () => {
    const led = given(fleets, create(), setCaptains([20]));
    expect(led.when(setDrivers([1], captain)).types).to.deep.equal(['DriverJoinedFleet']);
    expect(led.refusal(setCaptains([21], captain))).to.equal('FORBIDDEN');
    expect(led.refusal(setDrivers([1], { by: 21, office: false }))).to.equal('FLEET_NOT_FOUND');
  });

  it('lets only a contractor change its fleet, and the office also its drivers', () => {
    const theirs = given(fleets, create(9));
    expect(theirs.when(setCaptains([20], contractor)).types).to.deep.equal(['CaptainAdded']);
    expect(theirs.refusal(setCaptains([20]))).to.equal('FORBIDDEN');
    expect(theirs.when(setDrivers([1])).types).to.deep.equal(['DriverJoinedFleet']);
  });

  it('never reuses the id of a retired vehicle', () => {
    const fitted = given(fleets, create(), setVehicles(van));
    expect(fitted.when(setVehicles(van)).types, 'unchanged').to.deep.equal([]);
    expect(fitted.when(setVehicles({ ...van, plate: 'B-1' })).types, 'a plate may differ').to.deep.equal([
      'VehicleChanged',
    ]);
    expect(fitted.refusal(setVehicles(van, van))).to.equal('VEHICLE_ID_TAKEN');
    const retired = fitted.when(setVehicles());
    expect(retired.types).to.deep.equal(['VehicleRetired']);
    expect(retired.then.refusal(setVehicles(van))).to.equal('VEHICLE_ID_TAKEN');
  });

  it('does not exist after it was dissolved', () =>
    expect(given(fleets, create(), of({ do: 'dissolve', ...office })).refusal(setDrivers([1]))).to.equal(
      'FLEET_NOT_FOUND',
    ));
});
