/** Past positions of a driver on duty: for the driver, staff, and captains of the driver's fleets. */
import { z } from 'zod';
import type { Trails } from '../../../engines/postgres/trails.js';
import { invalidField } from '../../core/errors.js';
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
    summary: 'List positions of a driver on duty, oldest first',
    description: `For the driver, the office, and captains of a fleet of the driver. Kept for \`POSITION_DAYS\` (7) days, sealed under the account of the driver. At most ${MOST_POINTS} places; \`next_from\`, sent as \`recorded_from\`, goes on behind them.`,
    rest: { method: 'get', path: '/v1/drivers/:driver_id/trail' },
    callers: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['drivers:read'],
    reads: ['accounts', 'fleets'],
    answers: { 404: "There is no such driver, or none of the caller's fleets." },
    input: z.object({
      driver_id: idSchema,
      recorded_from: time.describe('Absent: a day before `recorded_to`.'),
      recorded_to: time.describe('Not included. Absent: now.'),
    }),
    output: z.object({
      result: z.boolean(),
      points: z.array(driverPosition),
      next_from: z.string().nullable().describe('Null: these are all.'),
    }),
    async run({ driver_id, recorded_from: from, recorded_to: to }, { caller, time: now }) {
      await need(caller, driver_id);
      const until = to === undefined ? new Date(now + 60_000) : new Date(to);
      const since = from === undefined ? new Date(until.getTime() - DAY_MS) : new Date(from);
      if (since > until) throw invalidField('INVALID_FORM', 'recorded_from');
      const places = await trails.of(driver_id, since, until, MOST_POINTS + 1);
      return {
        result: true,
        points: places.slice(0, MOST_POINTS).map(toPosition),
        next_from: places[MOST_POINTS]?.at.toISOString() ?? null,
      };
    },
  });
};
