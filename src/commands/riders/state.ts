/** The state of the search for a rider: the current request and its offers. */
import {
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
import type { InstantStatus, OfferState } from '../../events/riders/status.js';
import type { PastEvent } from '../core/decider.js';

export interface Offer {
  readonly offerId: string;
  readonly riderId: number;
  /** Milliseconds since 1970. */
  readonly expires: number;
  readonly state: OfferState;
}

export interface InstantState {
  orderId: number | undefined;
  /** Undefined: no rider was ever requested. */
  business: number | undefined;
  status: InstantStatus;
  request: InstantRequest | undefined;
  /** Number of the current round, from 1. */
  round: number;
  /** Milliseconds since 1970. */
  roundUntil: number;
  /** Riders who got an offer in the current request. */
  offeredTo: Set<number>;
  /** Offers of all requests, by id. */
  offers: Map<string, Offer>;
  winner: { readonly riderId: number; readonly routeId: number } | undefined;
  readonly done: Set<string>;
}

export const initial = (): InstantState => ({
  orderId: undefined,
  business: undefined,
  status: 'cancelled',
  request: undefined,
  round: 0,
  roundUntil: 0,
  offeredTo: new Set(),
  offers: new Map(),
  winner: undefined,
  done: new Set(),
});

/** The search is running. */
export const isAsking = ({ status }: Pick<InstantState, 'status'>): boolean =>
  status === 'requested' || status === 'offering';

export const openOffers = ({ offers }: InstantState): Offer[] =>
  [...offers.values()].filter(({ state }) => state === 'open');

/** The state may be changed and returned. */
export function evolve(state: InstantState, { type, id, data }: PastEvent): InstantState {
  state.done.add(id);
  const offerId = data['offer_id'] as string;
  const settle = (how: Offer['state']): void => {
    const offer = state.offers.get(offerId);
    if (offer) state.offers.set(offerId, { ...offer, state: how });
    if (isAsking(state)) state.status = openOffers(state).length > 0 ? 'offering' : 'requested';
  };
  switch (type) {
    case InstantRequested.type: {
      const {
        order_id,
        business,
        until,
        requested_by: _by,
        ...request
      } = data as unknown as InstantRequest & {
        order_id: number;
        business: number;
        until: string;
        requested_by?: number;
      };
      Object.assign(state, { orderId: order_id, business, request, status: 'requested', round: 1, winner: undefined });
      state.roundUntil = Date.parse(until);
      state.offeredTo = new Set();
      break;
    }
    case InstantRoundBegan.type:
      state.round = data['round'] as number;
      state.roundUntil = Date.parse(data['until'] as string);
      break;
    case RiderOfferMade.type: {
      const riderId = data['rider_id'] as number;
      const expires = Date.parse(data['expires_at'] as string);
      state.offeredTo.add(riderId);
      state.offers.set(offerId, { offerId, riderId, expires, state: 'open' });
      state.status = 'offering';
      break;
    }
    case RiderOfferDeclined.type:
      settle('declined');
      break;
    case RiderOfferLapsed.type:
      settle(data['why'] as OfferState);
      break;
    case RiderOfferAccepted.type:
      settle('accepted');
      state.status = 'accepted';
      state.winner = { riderId: data['rider_id'] as number, routeId: data['route_id'] as number };
      break;
    case InstantAssigned.type:
      state.status = 'assigned';
      break;
    case InstantExhausted.type:
      state.status = 'exhausted';
      break;
    case InstantCancelled.type:
      state.status = 'cancelled';
      state.winner = undefined;
  }
  return state;
}
