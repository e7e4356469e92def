/** What the demo business plans a day with: two warehouses, twelve drivers in three fleets with their vehicles. */
import type { Cause } from '../../commands/core/handle.js';
import { createHandler } from '../../commands/core/handler.js';
import type { Decider } from '../../commands/core/decider.js';
import { fleets as fleetDecider } from '../../commands/fleets/decider.js';
import { planning as planningDecider } from '../../commands/planning/decider.js';
import { warehouses as warehouseDecider } from '../../commands/warehouses/decider.js';
import { EVENT_TYPES } from '../../areas/index.js';
import { createIds } from '../../engines/postgres/ids.js';
import { createLogins } from '../../engines/postgres/logins.js';
import { accountStream } from '../../events/accounts/events.js';
import { driverStream } from '../../events/drivers/events.js';
import { fleetStream, type Vehicle } from '../../events/fleets/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { DEFAULT_PLANNING, planningStream } from '../../events/planning/events.js';
import { warehouseStream } from '../../events/warehouses/events.js';
import { FLEET_IDS } from '../../projections/fleets/read-model.js';
import { WAREHOUSE_IDS } from '../../projections/warehouses/read-model.js';
import type { Service } from '../service.js';
import type { DemoUsers } from './people.js';

export interface DemoDay {
  /** User ids. */
  readonly drivers: readonly number[];
  readonly warehouses: readonly number[];
  readonly fleets: readonly number[];
}

const WAREHOUSES = [
  {
    code: 'BER',
    name: 'Hub Berlin',
    city: 'Berlin',
    postal_code: '13353',
    street: 'Westhafenstraße 1',
    position: { latitude: 52.5363, longitude: 13.3445 },
  },
  {
    code: 'HAM',
    name: 'Hub Hamburg',
    city: 'Hamburg',
    postal_code: '20539',
    street: 'Großmannstraße 80',
    position: { latitude: 53.5383, longitude: 10.0479 },
  },
] as const;
const DRIVERS = 12;
/** Kilograms. */
const LOAD = 600;

const van = (n: number): Vehicle => ({
  vehicle_id: `VAN-${n}`,
  name: `Van ${n}`,
  capacity: { weight: LOAD, volume: 8 },
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

/** Seeds what is missing; ids are the same each time. `cause` names the business. */
export async function seedDay(
  { commands, engines }: Pick<Service, 'commands' | 'engines'>,
  { businessId: business, users }: { readonly businessId: number; readonly users: DemoUsers },
  cause: Cause,
): Promise<DemoDay> {
  const { pool, log, keyRing, emailIndex } = engines;
  const ids = createIds(pool);
  const logins = createLogins(pool, emailIndex);
  const handler = <S, C, R>(decider: Decider<S, C, R>) =>
    createHandler({ decider, log, types: EVENT_TYPES, keyRing, now: Date.now });
  const tell = {
    warehouse: handler(warehouseDecider),
    fleet: handler(fleetDecider),
    planning: handler(planningDecider),
  };
  const by = users.client_admin.id;
  const command = (what: string, id: number) => ({ id, business, commandId: derivedId('seed', what, id) });
  const idOf = async (sequence: string, what: string, table: string, column: string) =>
    (
      await pool.query<{ id: number }>(
        `select id from ${table} where business = $1 and ${column} = $2 order by id limit 1`,
        [business, what],
      )
    ).rows[0]?.id ?? (await ids.reserve(sequence, 1, derivedId('seed', sequence, what), true))[0]!;

  // Those of areas are made when a service starts; a seeding may come before.
  for (const { name } of [WAREHOUSE_IDS, FLEET_IDS]) await ids.prepare(name);
  const warehouses: number[] = [];
  for (const { code, name, position, ...area } of WAREHOUSES) {
    const id = await idOf(WAREHOUSE_IDS.name, code, 'warehouses.warehouses', 'code');
    const site = {
      name,
      address: { ...area, country: 'DE', position },
      timezone: 'Europe/Berlin',
      opening: [],
      dock_minutes: 10,
    };
    await tell.warehouse(warehouseStream(id), { ...command('open', id), do: 'open', code, site }, cause);
    warehouses.push(id);
  }
  const settings = { ...DEFAULT_PLANNING, default_start: warehouses[0]! };
  await tell.planning(planningStream(business), { ...command('planning', business), do: 'set', settings, by }, cause);

  // The first one signs in; the others are there to drive.
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
    const capacity = { max_weight: LOAD };
    await commands.drivers(
      driverStream(userId),
      { commandId: derivedId('seed', 'capacity'), userId, business, by, capacity },
      cause,
    );
    drivers.push(userId);
  }

  const fleets: number[] = [];
  for (const [name, members, vehicles, contractorId] of [
    ['Vans', drivers.slice(0, 6), [1, 2, 3, 4, 5, 6].map(van), undefined],
    ['Cargo bikes', drivers.slice(6, 9), [1, 2, 3].map(bike), undefined],
    ['Contractor vans', drivers.slice(9), [7, 8, 9].map(van), users.broker.id],
  ] as const) {
    const id = await idOf(FLEET_IDS.name, name, 'fleets.fleets', 'name');
    const stream = fleetStream(id);
    // A contractor says itself who drives in its fleet.
    const office = contractorId === undefined ? { by, office: true } : { by: contractorId, office: false };
    await tell.fleet(stream, { ...command('create', id), ...office, do: 'create', name, contractorId }, cause);
    await tell.fleet(stream, { ...command('drivers', id), ...office, do: 'setDrivers', ids: members }, cause);
    await tell.fleet(stream, { ...command('vehicles', id), ...office, do: 'setVehicles', vehicles }, cause);
    fleets.push(id);
  }
  return { drivers, warehouses, fleets };
}
