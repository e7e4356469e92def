/** The read model of riders: drivers with the permission for instant orders, and whether they are online. */
import { DRIVER_PREFIX, DriverTimeReleased } from '../../events/drivers/events.js';
import {
  InstantGranted,
  InstantRevoked,
  RiderWentOffline,
  RiderWentOnline,
  type RiderGrant,
} from '../../events/drivers/duty.js';
import { code, flag, integer, json, optional, type RowOf } from '../core/columns.js';
import { recordedAt, table } from '../core/table.js';

const columns = {
  id: integer(),
  business: integer(),
  /** Null: no permission. */
  instant: optional(json<RiderGrant>()),
  online: flag(),
  /** RFC 3339: since when the rider has been online or offline. */
  since: optional(code()),
  /** The route of the rider's latest online period, and its day. */
  route_id: optional(integer()),
  date: optional(code()),
  declined_at: optional(code()),
  revision: integer(),
};
export type RiderRow = RowOf<typeof columns>;

export const riders = table({
  name: 'riders',
  version: 1,
  prefixes: [DRIVER_PREFIX],
  columns,
  indexes: ['(business) where online'],
  fold(row, event) {
    const { type, stream, data, revision } = event;
    const next: RiderRow = row ?? {
      id: Number(stream.slice(DRIVER_PREFIX.length)),
      business: data['business'] as number,
      instant: null,
      online: false,
      since: null,
      route_id: null,
      date: null,
      declined_at: null,
      revision,
    };
    next.revision = revision;
    if (type === InstantGranted.type) {
      const { max_concurrent, radius_m } = data as unknown as RiderGrant;
      next.instant = { max_concurrent, ...(radius_m !== undefined && { radius_m }) };
    }
    if (type === InstantRevoked.type) next.instant = null;
    if (type === RiderWentOnline.type)
      Object.assign(next, { online: true, since: data['at'], route_id: data['route_id'], date: data['date'] });
    if (type === RiderWentOffline.type) Object.assign(next, { online: false, since: data['at'] });
    if (type === DriverTimeReleased.type && data['why'] === 'declined') next.declined_at = recordedAt(event);
    return next;
  },
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'riders', { 'riders.riders': RiderRow }> {}
}
