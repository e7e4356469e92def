/**
 * Decides commands on the search for a rider. The command carries its time, which deadlines are compared with, and the
 * riders nearby.
 */
import type { Fact } from '../../events/core/codec.js';
import type { Expire } from '../../events/core/timers.js';
import {
  type CANCELLED_WHY,
  InstantAssigned,
  InstantCancelled,
  InstantExhausted,
  InstantRequested,
  InstantRoundBegan,
  type LAPSED_WHY,
  offerTimer,
  RiderOfferAccepted,
  RiderOfferDeclined,
  RiderOfferLapsed,
  RiderOfferMade,
  type InstantRequest,
} from '../../events/riders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { evolve, initial, isAsking, openOffers, type InstantState, type Offer } from './state.js';

/** A rider whose time is already reserved for the order. */
export interface Candidate {
  readonly riderId: number;
  /** Distance to the pick-up, in metres. */
  readonly distance_m: number;
}

export type InstantChange =
  | { readonly do: 'request'; readonly request: InstantRequest; readonly by?: number }
  /** Changes nothing; returns the state. */
  | { readonly do: 'look' }
  /** Continues the search: makes offers, begins the next round, or ends the search. */
  | { readonly do: 'offer'; readonly candidates: readonly Candidate[] }
  | { readonly do: 'accept'; readonly offerId: string; readonly riderId: number; readonly routeId: number }
  | { readonly do: 'decline'; readonly offerId: string; readonly riderId: number }
  /** The accepted order is on the rider's route. */
  | { readonly do: 'assigned' }
  | { readonly do: 'cancel'; readonly why: (typeof CANCELLED_WHY)[number]; readonly by?: number };

export type InstantCommand = InstantChange & {
  readonly commandId: string;
  readonly orderId: number;
  readonly business: number;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** The state of the search after the command. */
export type InstantReply = Pick<InstantState, 'status' | 'request' | 'round' | 'roundUntil' | 'winner'> & {
  /** Riders who got an offer in this request. */
  readonly offeredTo: readonly number[];
  readonly open: readonly Offer[];
  /** Riders whose offers the command ended. */
  readonly lapsed: readonly number[];
};

/** Maximum number of offers per search. */
const MAX_OFFERS = 50;

/** Search radius of a round, in metres. */
export const reachOf = ({ radius_m }: InstantRequest, round: number): number => radius_m * 2 ** (round - 1);

export const instants: Decider<InstantState, InstantCommand | Expire, InstantReply> = {
  initial,
  begins: (command) => command.do === 'request',
  decide(state, command) {
    const orderId = command.do === 'expire' ? state.orderId! : command.orderId;
    const idOf = (n: number) => derivedId('instant', orderId, command.commandId, n);
    const known = state.done.has(idOf(0));
    const found = known ? [] : command.do === 'expire' ? expired(state, command) : decided(state, command);
    return { facts: found.map((one, n): Fact => ({ id: idOf(n), ...one })), reply: replyOf(state, found) };
  },
  evolve,
};

function decided(state: InstantState, command: InstantCommand): NewEvent[] {
  if (command.do === 'request') return requested(state, command);
  if (state.business !== command.business) throw new DomainError('INSTANT_NOT_FOUND');
  switch (command.do) {
    case 'look':
      return [];
    case 'offer':
      return offered(state, command);
    case 'accept':
      return accepted(state, command);
    case 'decline': {
      const offer = offerOf(state, command);
      return offer.state === 'open' ? [newEvent(RiderOfferDeclined, namedBy(offer))] : [];
    }
    case 'assigned': {
      if (state.status !== 'accepted') return [];
      const { riderId: rider_id, routeId: route_id } = state.winner!;
      return [newEvent(InstantAssigned, { order_id: command.orderId, rider_id, route_id })];
    }
    case 'cancel': {
      if (command.why === 'asked' && (state.status === 'accepted' || state.status === 'assigned'))
        throw new DomainError('INSTANT_ACCEPTED');
      if (!isAsking(state) && state.status !== 'accepted') return [];
      const { orderId: order_id, why, by } = command;
      return [...lapse(openOffers(state), 'cancelled'), newEvent(InstantCancelled, { order_id, why, by })];
    }
  }
}

type CommandOf<Do extends InstantCommand['do']> = Extract<InstantCommand, { readonly do: Do }>;

const iso = (millis: number): string => new Date(millis).toISOString();
const namedBy = ({ offerId: offer_id, riderId: rider_id }: Offer) => ({ offer_id, rider_id });
const lapse = (offers: readonly Offer[], why: (typeof LAPSED_WHY)[number]): NewEvent[] =>
  offers.map((offer) => newEvent(RiderOfferLapsed, { ...namedBy(offer), why }));

/** A running search continues with its current settings. */
function requested(state: InstantState, { orderId: order_id, business, request, by, now }: CommandOf<'request'>) {
  if (state.business !== undefined && state.business !== business) throw new DomainError('INSTANT_NOT_FOUND');
  if (isAsking(state) || state.status === 'accepted') return [];
  const until = iso(now + request.offer_s * 1_000);
  return [newEvent(InstantRequested, { order_id, business, ...request, until, requested_by: by })];
}

function offered(state: InstantState, { orderId: order_id, business, candidates, commandId, now }: CommandOf<'offer'>) {
  if (!isAsking(state)) return [];
  const { request } = state;
  const { offer_s, parallel, max_rounds } = request!;
  const free = candidates.filter(({ riderId }) => !state.offeredTo.has(riderId));
  const open = openOffers(state).length;
  const left = Math.min(parallel - open, MAX_OFFERS - state.offeredTo.size);
  const made = (round: number) =>
    free
      .filter(({ distance_m }) => distance_m <= reachOf(request!, round))
      .slice(0, Math.max(0, left))
      .map(({ riderId: rider_id, distance_m }) =>
        newEvent(RiderOfferMade, {
          offer_id: derivedId('rider offer', order_id, commandId, rider_id),
          rider_id,
          order_id,
          business,
          distance_m,
          expires_at: iso(now + offer_s * 1_000),
        }),
      );
  const offers = made(state.round);
  // Waits if an offer is open, or if the round has not ended: more riders may come online.
  if (offers.length > 0 || open > 0) return offers;
  const isFull = state.offeredTo.size >= MAX_OFFERS;
  if (!isFull && now < state.roundUntil) return [];
  if (isFull || state.round >= max_rounds)
    return [newEvent(InstantExhausted, { order_id, offers: state.offeredTo.size })];
  const round = state.round + 1;
  return [newEvent(InstantRoundBegan, { order_id, round, until: iso(now + offer_s * 1_000) }), ...made(round)];
}

/** Throws OFFER_NOT_FOUND if the rider does not have this offer. */
function offerOf(state: InstantState, { offerId, riderId }: { readonly offerId: string; readonly riderId: number }) {
  const offer = state.offers.get(offerId);
  if (offer?.riderId !== riderId) throw new DomainError('OFFER_NOT_FOUND');
  return offer;
}

/** The first accepted offer wins. A retry by the winner changes nothing. */
function accepted(state: InstantState, command: CommandOf<'accept'>): NewEvent[] {
  const offer = offerOf(state, command);
  if (offer.state === 'accepted') return [];
  if (offer.state === 'taken') throw new DomainError('OFFER_TAKEN');
  if (offer.state === 'cancelled') throw new DomainError('ORDER_GONE');
  if (offer.state !== 'open' || command.now >= offer.expires) throw new DomainError('OFFER_EXPIRED');
  return [
    newEvent(RiderOfferAccepted, { ...namedBy(offer), route_id: command.routeId }),
    ...lapse(
      openOffers(state).filter(({ offerId }) => offerId !== offer.offerId),
      'taken',
    ),
  ];
}

/** Ends offers that expired without a response. Rounds are not ended here, because that requires the list of riders. */
function expired(state: InstantState, { name, now }: Expire): NewEvent[] {
  const over = openOffers(state).filter(({ offerId, expires }) => offerTimer(offerId) === name && now >= expires);
  return lapse(over, 'time');
}

/** The reply after these events. Works on a copy, because the state belongs to the handler. */
function replyOf(state: InstantState, found: readonly NewEvent[]): InstantReply {
  const copy = {
    ...state,
    offeredTo: new Set(state.offeredTo),
    offers: new Map(state.offers),
    done: new Set<string>(),
  };
  const after = found.reduce(
    (next, { type, data }) => evolve(next, { type: type.type, id: '', data: data as never }),
    copy as InstantState,
  );
  const { status, winner, request, round, roundUntil } = after;
  const lapsed = found.flatMap(({ type, data }) =>
    type.type === RiderOfferLapsed.type ? (data as { rider_id: number }).rider_id : [],
  );
  return {
    status,
    winner,
    request,
    round,
    roundUntil,
    offeredTo: [...after.offeredTo],
    open: openOffers(after),
    lapsed,
  };
}
