/** The read model of orders that search for a rider: the state of the last request of each order. */
import {
  INSTANT_PREFIX,
  InstantAssigned,
  InstantCancelled,
  InstantExhausted,
  InstantRequested,
  InstantRoundBegan,
  RiderOfferAccepted,
  RiderOfferDeclined,
  RiderOfferLapsed,
  RiderOfferMade,
  type InstantRequest,
} from '../../events/riders/events.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { InstantStatus } from '../../events/riders/status.js';
import { code, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { recordedAt, startsWith, table } from '../core/table.js';

const columns = {
  /** Id of the order. */
  id: integer(),
  business: integer(),
  status: text<InstantStatus>(),
  request: json<InstantRequest>(),
  round: integer(),
  /** RFC 3339. */
  requested_at: code(),
  changed_at: code(),
  /** Number of offers that were made in this request, and number of open offers. */
  offers: integer(),
  open: integer(),
  /** The rider who accepted. */
  rider_id: optional(integer()),
  route_id: optional(integer()),
  revision: integer(),
};
export type InstantRow = RowOf<typeof columns>;

type RequestedData = InstantRequest & {
  business: number;
  order_id: number;
  until: string;
  requested_by?: number | undefined;
};

const requestFields = (
  { order_id: _order, business: _business, until: _until, requested_by: _by, ...request }: RequestedData,
  event: StoredEvent,
) => ({
  status: 'requested' as const,
  request,
  round: 1,
  requested_at: recordedAt(event),
  changed_at: recordedAt(event),
  offers: 0,
  open: 0,
  rider_id: null,
  route_id: null,
});
const settled = (_data: unknown, { open, status }: InstantRow, event: StoredEvent): Partial<InstantRow> => ({
  open: open - 1,
  changed_at: recordedAt(event),
  ...(status === 'offering' && open === 1 && { status: 'requested' }),
});
const ended =
  (status: InstantStatus) =>
  (_data: unknown, _row: InstantRow, event: StoredEvent): Partial<InstantRow> => ({
    status,
    changed_at: recordedAt(event),
  });

export const instants = table({
  name: 'instants',
  version: 2,
  prefixes: [INSTANT_PREFIX],
  columns,
  indexes: ["(changed_at) where status in ('requested', 'accepted')", "(business, id) where status = 'exhausted'"],
  fold: startsWith(InstantRequested, (data, event): InstantRow => ({
    id: data.order_id,
    business: data.business,
    ...requestFields(data, event),
    revision: event.revision,
  }))
    .on(InstantRequested, (data, _row, event) => requestFields(data, event))
    .on(InstantRoundBegan, ({ round }, _row, event) => ({ round, changed_at: recordedAt(event) }))
    .on(RiderOfferMade, (_data, { offers, open }, event) => ({
      status: 'offering',
      offers: offers + 1,
      open: open + 1,
      changed_at: recordedAt(event),
    }))
    .on(RiderOfferDeclined, settled)
    .on(RiderOfferLapsed, settled)
    .on(RiderOfferAccepted, ({ rider_id, route_id }, row, event) => ({
      ...settled(undefined, row, event),
      status: 'accepted',
      rider_id,
      route_id,
    }))
    .on(InstantAssigned, ended('assigned'))
    .on(InstantExhausted, ended('exhausted'))
    .on(InstantCancelled, (_data, row, event) => ({
      ...ended('cancelled')(undefined, row, event),
      rider_id: null,
      route_id: null,
    })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'instants', { 'instants.instants': InstantRow }> {}
}
