/**
 * Positions of drivers on duty in the last days: encrypted under the key of each driver's account. Stored in a table,
 * not in events.
 */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { accountSubject } from '../../events/accounts/events.js';
import type { Parts } from '../../events/core/parts.js';
import { vaultOf } from '../vault.js';
import type { Place } from './positions.js';

export type Trails = ReturnType<typeof createTrails>;

export interface TrailsOptions extends Parts<'keyRing' | 'now'> {
  readonly pool: Pool;
  /** 1 to 30. */
  readonly keptDays: number;
}

const DAY_MS = 86_400_000;
/** More than the maximum number of kept days, plus yesterday and tomorrow. */
const SLOTS = 32;
const dayOf = (millis: number): number => Math.floor(millis / DAY_MS);
const slotOf = (day: number): number => day % SLOTS;
/** Binds encrypted content to its driver and time. */
const contextOf = (driverId: number, at: Date): string => `position ${driverId} ${at.getTime()}`;

interface Sealed {
  readonly driverId: number;
  readonly at: Date;
  readonly box: Buffer;
}

export function createTrails({ pool, keyRing, now, keptDays }: TrailsOptions) {
  /** Concurrent additions share one statement. */
  const adding = new DataLoader<Sealed, undefined>(
    async (sealed) => {
      await pool.query({
        name: 'trails-add',
        text: `insert into access.positions (slot, driver_id, at, box)
          select slot, driver_id, at, box from unnest($1::smallint[], $2::int[], $3::timestamptz[], $4::bytea[]) as p (slot, driver_id, at, box)
          order by driver_id, at on conflict do nothing`,
        values: [
          sealed.map(({ at }) => slotOf(dayOf(at.getTime()))),
          sealed.map(({ driverId }) => driverId),
          sealed.map(({ at }) => at),
          sealed.map(({ box }) => box),
        ],
      });
      return sealed.map(() => undefined);
    },
    { cache: false, maxBatchSize: 1_000, batchScheduleFn: setImmediate },
  );
  return {
    /** Adds positions. An existing position of the same time is not changed. Nothing is stored for an erased driver. */
    async add(driverId: number, places: readonly Place[]): Promise<void> {
      const subject = accountSubject(driverId);
      const key = places.length > 0 && (await keyRing.keysFor([subject])).get(subject);
      if (!key) return;
      const vault = vaultOf(key);
      await Promise.all(
        places.map(({ at, ...place }) =>
          adding.load({ driverId, at, box: vault.seal(Buffer.from(JSON.stringify(place)), contextOf(driverId, at)) }),
        ),
      );
    },
    /** Positions of the driver between the two times, oldest first. */
    async of(driverId: number, from: Date, to: Date, limit: number): Promise<readonly Place[]> {
      const subject = accountSubject(driverId);
      const key = (await keyRing.existing([subject])).get(subject);
      if (!key) return [];
      const vault = vaultOf(key);
      const oldest = new Date((dayOf(now()) - keptDays + 1) * DAY_MS);
      const { rows } = await pool.query<{ at: Date; box: Buffer }>(
        'select at, box from access.positions where driver_id = $1 and at >= $2 and at < $3 order by at limit $4',
        [driverId, from < oldest ? oldest : from, to, limit],
      );
      return rows.map(({ at, box }) => ({
        at,
        ...(JSON.parse(vault.open(box, contextOf(driverId, at)).toString()) as Omit<Place, 'at'>),
      }));
    },
    async forget(driverIds: readonly number[]): Promise<void> {
      await pool.query('delete from access.positions where driver_id = any ($1)', [driverIds]);
    },
    /** Deletes days beyond the retention. */
    async sweep(): Promise<void> {
      const today = dayOf(now());
      // The clock of a phone may be slightly ahead.
      const retainedSlots = new Set(Array.from({ length: keptDays + 1 }, (_, back) => slotOf(today + 1 - back)));
      for (let slot = 0; slot < SLOTS; slot++) {
        if (retainedSlots.has(slot)) continue;
        const { rowCount } = await pool.query(`select from access.positions_${slot} limit 1`);
        if (rowCount) await pool.query(`truncate access.positions_${slot}`);
      }
    },
  };
}
