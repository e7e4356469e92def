/** Past positions of a driver on duty: for the driver, staff, and captains of the driver's fleets. */
import { z } from 'zod';
import type { Trails } from '../../../engines/postgres/trails.js';
import { invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { createExpectDriver, type ExpectDriverOptions } from '../drivers/expect-driver.js';
import { driverPosition, toPosition } from './driver-position.js';
import { logOutput, logPageOf } from '../../core/pages.js';

export interface TrailOptions extends ExpectDriverOptions {
  readonly trails: Pick<Trails, 'of'>;
}

const MAX_POINTS = 5_000;
const DAY_MS = 86_400_000;
const time = z.iso.datetime({ offset: true }).optional();

export const driverTrail = ({ trails, ...known }: TrailOptions): Operation => {
  const requireDriver = createExpectDriver(known);
  return operation({
    name: 'driverTrail',
    area: 'InstantRider',
    summary: 'List past positions of a driver on duty',
    description:
      "Lists positions, oldest first. They are visible to the driver, to staff, and to captains of a fleet of the driver. The service stores positions for `POSITION_DAYS` (7) days, encrypted with the key of the driver's account.",
    rest: { method: 'get', path: '/v1/drivers/:driver_id/trail' },
    callers: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['drivers:read'],
    reads: ['accounts', 'fleets'],
    answers: { 404: 'There is no such driver, or the caller cannot see the driver.' },
    input: z.object({
      driver_id: idSchema,
      recorded_from: time.describe('Start of the period, inclusive. Omitted: a day before `recorded_to`.'),
      recorded_to: time.describe('End of the period, exclusive. Omitted: now.'),
      cursor: time.describe('`next_cursor` of the previous page.'),
      limit: z.int().min(1).max(MAX_POINTS).default(MAX_POINTS),
    }),
    output: z.object({ ...logOutput, points: z.array(driverPosition) }),
    async run({ driver_id, recorded_from: from, recorded_to: to, cursor, limit }, { caller, time: now }) {
      await requireDriver(caller, driver_id);
      const until = to === undefined ? new Date(now + 60_000) : new Date(to);
      const since = from === undefined ? new Date(until.getTime() - DAY_MS) : new Date(from);
      if (since > until) throw invalidForm('recorded_from', 'not later than `recorded_to`');
      // A page begins at the cursor: no two points of a driver have the same time.
      const begin = cursor === undefined ? since : new Date(Math.max(since.getTime(), Date.parse(cursor)));
      const places = await trails.of(driver_id, begin, until, limit + 1);
      return { ...logPageOf(places[limit]?.at.toISOString()), points: places.slice(0, limit).map(toPosition) };
    },
  });
};
