/**
 * Data that the demo business uses to plan a day: two warehouses, twelve drivers in three fleets with vehicles, skills
 * and shifts, and known places.
 */
import { addDays, localDate, startOfDay, zonedTime } from '../../events/core/local-time.js';
import { DomainError } from '../../commands/core/domain-error.js';
import type { Cause } from '../../commands/core/handle.js';
import { fleets as fleetDecider } from '../../commands/fleets/decider.js';
import { shifts as shiftDecider } from '../../commands/shifts/decider.js';
import { skills as skillDecider } from '../../commands/skills/decider.js';
import { planning as planningDecider } from '../../commands/planning/decider.js';
import { warehouses as warehouseDecider } from '../../commands/warehouses/decider.js';
import { createLogins } from '../../engines/postgres/logins.js';
import { accountStream } from '../../events/accounts/events.js';
import { driverStream } from '../../events/drivers/events.js';
import { fleetStream, type Vehicle } from '../../events/fleets/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { DEFAULT_PLANNING, planningStream } from '../../events/planning/events.js';
import { warehouseStream } from '../../events/warehouses/events.js';
import { monthOf, shiftsStream, type Shift } from '../../events/shifts/events.js';
import { skillsStream } from '../../events/skills/events.js';
import { FLEET_IDS } from '../../projections/fleets/read-model.js';
import { SHIFT_IDS } from '../../projections/shifts/read-model.js';
import { WAREHOUSE_IDS } from '../../projections/warehouses/read-model.js';
import type { Service } from '../service.js';
import type { DemoUsers } from './people.js';
import { seedPlaces } from './places.js';
import { seeding } from './seeding.js';
import { streetOf } from './streets.js';

export interface DemoDay {
  /** User ids. */
  readonly drivers: readonly number[];
  readonly warehouses: readonly number[];
  readonly fleets: readonly number[];
}

const WAREHOUSES = [
  { code: 'BER', name: 'Hub Berlin', street: 'Westhafenstraße 1' },
  { code: 'HAM', name: 'Hub Hamburg', street: 'Großmannstraße 80' },
] as const;
const TIMEZONE = 'Europe/Berlin';
const HOUR_MS = 3_600_000;
const SHIFT_DAYS = 5;
const SKILLS = [
  { code: 'fridge', names: { en: 'Cold goods', de: 'Kühlware' } },
  { code: 'two_people', names: { en: 'Heavy goods by two', de: 'Schweres zu zweit' } },
];
const DRIVERS = 12;
/** Kilograms. */
const MAX_WEIGHT_KG = 600;

const van = (n: number): Vehicle => ({
  vehicle_id: `VAN-${n}`,
  name: `Van ${n}`,
  capacity: { weight: MAX_WEIGHT_KG, volume: 8 },
  attributes: n % 3 === 0 ? ['fridge'] : [],
  speed_factor: 1,
  cost: { per_km: 40 },
});
const bike = (n: number): Vehicle => ({
  vehicle_id: `BIKE-${n}`,
  name: `Cargo bike ${n}`,
  capacity: { weight: 120, volume: 1.5 },
  attributes: [],
  speed_factor: 0.7,
  cost: {},
});

/** Seeds the missing data. Ids are the same on each run. `cause` names the business. */
export async function seedDay(
  { commands, engines }: Pick<Service, 'commands' | 'engines'>,
  { businessId: business, users }: { readonly businessId: number; readonly users: DemoUsers },
  cause: Cause,
): Promise<DemoDay> {
  const { ids, idOf, handler, command, prepare } = seeding({ engines }, business);
  const logins = createLogins(engines.pool, engines.emailIndex);
  const handlers = {
    warehouse: handler(warehouseDecider),
    fleet: handler(fleetDecider),
    planning: handler(planningDecider),
    skill: handler(skillDecider),
    shift: handler(shiftDecider),
  };
  const by = users.client_admin.id;
  await prepare(WAREHOUSE_IDS, FLEET_IDS, SHIFT_IDS);
  const warehouses: number[] = [];
  for (const { code, name, street } of WAREHOUSES) {
    const id = await idOf(WAREHOUSE_IDS.name, code, 'warehouses.warehouses', 'code');
    const site = {
      name,
      address: { ...streetOf(street), country: 'DE' },
      timezone: TIMEZONE,
      opening: [],
      dock_minutes: 10,
    };
    await handlers.warehouse(warehouseStream(id), { ...command('open', id), do: 'open', code, site }, cause);
    warehouses.push(id);
  }
  const settings = { ...DEFAULT_PLANNING, default_start: warehouses[0]! };
  await handlers.planning(
    planningStream(business),
    { ...command('planning', business), do: 'set', settings, by },
    cause,
  );

  // The demo user `driver` is the first driver and can sign in. The others are created for planning only.
  const drivers = [users.driver.id];
  for (let n = 2; n <= DRIVERS; n++) {
    const email = `driver.${n}@demo.example`;
    const userId =
      (await logins.accountOf(email)) ?? (await ids.reserve('users', 1, derivedId('seed', 'users', email), true))[0]!;
    await logins.claim(email, userId);
    const person = { email, name: `Demo driver ${n}` };
    await commands.accounts(
      accountStream(userId),
      {
        do: 'open',
        commandId: derivedId('seed', email),
        userId,
        businessId: business,
        role: 'driver',
        status: 'active',
        person,
      },
      cause,
    );
    const capacity = { max_weight: MAX_WEIGHT_KG };
    await commands.drivers(
      driverStream(userId),
      { do: 'setCapacity', commandId: derivedId('seed', 'capacity'), userId, business, by, capacity },
      cause,
    );
    drivers.push(userId);
  }

  const fleets: number[] = [];
  const duties: { driverId: number; fleetId: number; vehicle: string; by: number }[] = [];
  for (const [name, members, vehicles, contractorId] of [
    ['Vans', drivers.slice(0, 6), [1, 2, 3, 4, 5, 6].map(van), undefined],
    ['Cargo bikes', drivers.slice(6, 9), [1, 2, 3].map(bike), undefined],
    ['Contractor vans', drivers.slice(9), [7, 8, 9].map(van), users.broker.id],
  ] as const) {
    const id = await idOf(FLEET_IDS.name, name, 'fleets.fleets', 'name');
    const stream = fleetStream(id);
    // A contractor assigns the drivers of its own fleet.
    const office = contractorId === undefined ? { by, office: true } : { by: contractorId, office: false };
    await handlers.fleet(stream, { ...command('create', id), ...office, do: 'create', name, contractorId }, cause);
    await handlers.fleet(stream, { ...command('drivers', id), ...office, do: 'setDrivers', ids: members }, cause);
    await handlers.fleet(stream, { ...command('vehicles', id), ...office, do: 'setVehicles', vehicles }, cause);
    fleets.push(id);
    members.forEach((driverId, index) =>
      duties.push({ driverId, fleetId: id, vehicle: vehicles[index % vehicles.length]!.vehicle_id, by: office.by }),
    );
  }

  for (const skill of SKILLS)
    await handlers.skill(
      skillsStream(business),
      { id: business, business, commandId: derivedId('seed', 'skill', skill.code), do: 'put', item: skill },
      cause,
    );
  // Skill number k (from 0) goes to every (k + 2)th driver.
  for (const [index, userId] of drivers.entries())
    await commands.drivers(
      driverStream(userId),
      {
        do: 'setSkills',
        commandId: derivedId('seed', 'skills'),
        userId,
        business,
        by,
        skills: SKILLS.filter((_, at) => index % (at + 2) === 0).map(({ code }) => ({ code })),
      },
      cause,
    );
  await seedShifts(duties);
  await seedPlaces({ engines }, { businessId: business, warehouses }, cause);
  return { drivers, warehouses, fleets };

  /** Plans shifts for `SHIFT_DAYS` days from today for each driver. A run on a later day adds the missing days. */
  async function seedShifts(fleetDuties: typeof duties): Promise<void> {
    const today = localDate(Date.now(), TIMEZONE);
    for (let day = 0; day < SHIFT_DAYS; day++) {
      const date = addDays(today, day);
      const at = (hours: number): string =>
        zonedTime(Date.parse(startOfDay(date, TIMEZONE)) + hours * HOUR_MS, TIMEZONE);
      await Promise.all(
        fleetDuties.map(async ({ driverId, fleetId, vehicle, by }) => {
          const commandId = derivedId('seed', 'shift', driverId, date);
          const [shiftId] = await ids.reserve(SHIFT_IDS.name, 1, commandId, true);
          const shift: Shift = {
            vehicle_id: vehicle,
            start_at: at(8),
            end_at: at(17),
            breaks: [{ duration_s: 1_800, earliest_at: at(11.5), latest_at: at(13.5) }],
            start_place: { kind: 'warehouse', warehouse_id: warehouses[0]! },
            end_place: { kind: 'warehouse', warehouse_id: warehouses[0]! },
          };
          const month = monthOf(shift.start_at);
          const plan = { do: 'plan', id: `${driverId}-${month}`, shiftId: shiftId!, neighbours: [] } as const;
          await handlers
            .shift(shiftsStream(driverId, month), { ...plan, commandId, business, driverId, fleetId, by, shift }, cause)
            // Ignored: the driver already has a shift on that day.
            .catch((error: unknown) => {
              if (!(error instanceof DomainError)) throw error;
            });
        }),
      );
    }
  }
}
