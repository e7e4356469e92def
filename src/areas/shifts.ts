/** Shifts: working times of the drivers of fleets. */
import { SHIFT_EXAMPLES } from '../api/areas/shifts/examples.js';
import { createWriteShift } from '../api/areas/shifts/write-shift.js';
import { shiftOperations } from '../api/areas/shifts/operations.js';
import { createWorkingDay } from '../api/areas/shifts/working-day.js';
import { shifts as decider } from '../commands/shifts/decider.js';
import { createDispatchClaims } from '../engines/postgres/dispatch-claims.js';
import { SHIFT_EVENTS, SHIFTS_PREFIX } from '../events/shifts/events.js';
import { createShiftQueries } from '../projections/shifts/queries.js';
import { SHIFT_IDS, shifts as shiftRows } from '../projections/shifts/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { fleets } from './fleets.js';
import { skills } from './skills.js';
import { warehouses } from './warehouses.js';

export const shifts = area({
  name: 'shifts',
  examples: SHIFT_EXAMPLES,
  // The start location of a driver is erased together with the driver's account.
  streams: [{ prefix: SHIFTS_PREFIX, events: SHIFT_EVENTS, tenant: 'business', erasure: 'otherwise' }],
  readModels: [shiftRows],
  sequences: [SHIFT_IDS],
  errors: { SHIFT_NOT_FOUND: 404, SHIFT_OVERLAPS: 409, SHIFT_MONTH: 422, VEHICLE_NOT_FOUND: 404 },
  services({ database, engines: { keyRing }, of }) {
    const queries = createShiftQueries(database, keyRing);
    const workingDay = createWorkingDay({ shifts: queries, fleets: of(fleets).queries, skills: of(skills).queries });
    return { queries, workingDay };
  },
  operations: ({ queries }, { handle, of, types, engines: { log, pool, limits } }) =>
    shiftOperations({
      writeShift: createWriteShift({ handle: handle(decider), log, types, claims: createDispatchClaims(pool, limits) }),
      queries,
      fleets: of(fleets).queries,
      warehouses: of(warehouses).queries,
      accounts: of(accounts).queries,
    }),
});
