/** The read model of offers to riders: the rider, the expiry, and the outcome of each offer. */
import {
  INSTANT_PREFIX,
  RiderOfferAccepted,
  RiderOfferDeclined,
  RiderOfferLapsed,
  RiderOfferMade,
} from '../../events/riders/events.js';
import type { OfferState } from '../../events/riders/status.js';
import { code, integer, text, type RowOf } from '../core/columns.js';
import { recordedAt, startsWith, table } from '../core/table.js';

const columns = {
  id: code(),
  business: integer(),
  order_id: integer(),
  rider_id: integer(),
  distance_m: integer(),
  /** RFC 3339. */
  made_at: code(),
  expires_at: code(),
  state: text<OfferState>(),
  revision: integer(),
};
export type OfferRow = RowOf<typeof columns>;

export const riderOffers = table({
  name: 'rider_offers',
  version: 1,
  prefixes: [INSTANT_PREFIX],
  columns,
  rows: { member: 'offer_id', made: RiderOfferMade },
  indexes: ["(rider_id) where state = 'open'", '(order_id, made_at)'],
  fold: startsWith(
    RiderOfferMade,
    ({ offer_id, business, order_id, rider_id, distance_m, expires_at }, event): OfferRow => ({
      id: offer_id,
      business,
      order_id,
      rider_id,
      distance_m,
      made_at: recordedAt(event),
      expires_at,
      state: 'open',
      revision: event.revision,
    }),
  )
    .on(RiderOfferDeclined, () => ({ state: 'declined' }))
    .on(RiderOfferLapsed, ({ why }) => ({ state: why }))
    .on(RiderOfferAccepted, () => ({ state: 'accepted' })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'rider_offers', { 'rider_offers.rider_offers': OfferRow }> {}
}
