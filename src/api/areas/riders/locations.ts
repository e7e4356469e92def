/** Positions of drivers on duty: stored encrypted for some days, never as events. */
import { z } from 'zod';
import type { Positions } from '../../../engines/postgres/positions.js';
import type { Trails } from '../../../engines/postgres/trails.js';
import type { RiderQueries } from '../../../projections/riders/queries.js';
import { userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { driverPosition, toPosition } from './driver-position.js';

const MAX_AHEAD_MS = 60_000;
const MAX_AGE_MS = 24 * 3_600_000;
/** Seconds between position reports of a rider who is online. */
export const ONLINE_INTERVAL_S = 10;
const ON_ROUTE_INTERVAL_S = 30;

export interface LocationsOptions {
  readonly positions: Pick<Positions, 'put'>;
  readonly trails: Pick<Trails, 'add'>;
  readonly queries: Pick<RiderQueries, 'byId'>;
}

export const riderLocations = ({ positions, trails, queries }: LocationsOptions): Operation =>
  operation({
    name: 'riderLocations',
    area: 'InstantRider',
    summary: 'Report your position while on duty',
    description:
      "The call is allowed while the driver is online or on a started route. The service stores the positions for some days, encrypted with the key of the driver's account. It records no events for positions. Points that are more than a minute in the future, or older than 24 hours, are ignored.",
    rest: { method: 'post', path: '/v1/instant-rider/locations' },
    callers: ['driver'],
    scopes: ['drivers:write'],
    writes: true,
    answers: { 409: '`NOT_ON_DUTY`: the driver is not on duty, and nothing was stored.' },
    input: z.object({
      points: z
        .array(
          z
            .strictObject({
              at: z.iso.datetime({ offset: true }),
              latitude: z.number().min(-90).max(90),
              longitude: z.number().min(-180).max(180),
              accuracy_m: z.number().min(0).max(100_000).optional(),
              speed_mps: z
                .number()
                .min(0)
                .max(200)
                .optional()
                .describe(
                  'Speed in metres per second. The service does not store it, and neither `heading` nor `battery`.',
                ),
              heading: z.number().min(0).max(360).optional(),
              battery: z.number().min(0).max(100).optional(),
            })
            .meta({ id: 'RiderPositionInput' }),
        )
        .min(1)
        .max(100),
      device_id: z.string().trim().min(1).max(191).optional(),
    }),
    output: z.object({
      result: z.boolean(),
      position: driverPosition.nullable().describe('The stored position. Null: a newer position is already stored.'),
      ignored_count: z
        .int()
        .describe('Number of points that were ignored because they are too old or too far in the future.'),
      next_after_s: z.int().describe('Number of seconds until the app should report the next position.'),
    }),
    async run({ points }, { caller, time, cause }) {
      const { userId } = userOf(caller);
      const usable = points
        .map(({ at, latitude, longitude, accuracy_m }) => ({ at: new Date(at), latitude, longitude, accuracy_m }))
        .filter(({ at }) => at.getTime() - time <= MAX_AHEAD_MS && time - at.getTime() <= MAX_AGE_MS);
      const [first, ...others] = usable;
      const newest = others.reduce((one, next) => (next.at > one!.at ? next : one), first);
      const isStored = cause.dryRun === undefined;
      const duty = newest && (await positions.put(userId, newest, isStored));
      if (newest && !duty) throw new ApiError('NOT_ON_DUTY');
      // Positions from before the duty are private and are not stored.
      await trails.add(userId, isStored ? usable.filter(({ at }) => at >= duty!.since) : []);
      return {
        result: true,
        position: newest && duty?.isNewest ? toPosition(newest) : null,
        ignored_count: points.length - usable.length,
        next_after_s: (duty ?? (await queries.byId(userId)))?.online ? ONLINE_INTERVAL_S : ON_ROUTE_INTERVAL_S,
      };
    },
  });
