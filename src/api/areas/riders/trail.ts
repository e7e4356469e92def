/** Past positions of a driver on duty: for the driver, staff, and captains of the driver's fleets. */
import { z } from 'zod';
import type { Trails } from '../../../engines/postgres/trails.js';
import { invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { createNeedDriver, type KnownOptions } from '../drivers/known.js';
import { driverPosition, toPosition } from './driver-position.js';

export interface TrailOptions extends KnownOptions {
  readonly trails: Pick<Trails, 'of'>;
}

const MOST_POINTS = 5_000;
const DAY_MS = 86_400_000;
const time = z.iso.datetime({ offset: true }).optional();

export const driverTrail = ({ trails, ...known }: TrailOptions): Operation => {
  const need = createNeedDriver(known);
  return operation({
    name: 'driverTrail',
    area: 'InstantRider',
    summary: 'List past positions of a driver on duty',
    description: `Oldest first. Visible to the driver, staff, and captains of a fleet of the driver. The service stores positions for \`POSITION_DAYS\` (7) days, encrypted under the driver's account. Returns at most ${MOST_POINTS} positions; to continue, send \`next_from\` as \`recorded_from\`.`,
    rest: { method: 'get', path: '/v1/drivers/:driver_id/trail' },
    callers: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['drivers:read'],
    reads: ['accounts', 'fleets'],
    answers: { 404: 'There is no such driver, or the caller cannot see the driver.' },
    input: z.object({
      driver_id: idSchema,
      recorded_from: time.describe('Start of the period, included. Omitted: a day before `recorded_to`.'),
      recorded_to: time.describe('End of the period, excluded. Omitted: now.'),
    }),
    output: z.object({
      result: z.boolean(),
      points: z.array(driverPosition),
      next_from: z.string().nullable().describe('Time to continue from. Null: there are no further positions.'),
    }),
    async run({ driver_id, recorded_from: from, recorded_to: to }, { caller, time: now }) {
      await need(caller, driver_id);
      const until = to === undefined ? new Date(now + 60_000) : new Date(to);
      const since = from === undefined ? new Date(until.getTime() - DAY_MS) : new Date(from);
      if (since > until) throw invalidForm('recorded_from', 'not later than `recorded_to`');
      const places = await trails.of(driver_id, since, until, MOST_POINTS + 1);
      return {
        result: true,
        points: places.slice(0, MOST_POINTS).map(toPosition),
        next_from: places[MOST_POINTS]?.at.toISOString() ?? null,
      };
    },
  });
};
