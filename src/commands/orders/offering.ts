/**
 * Offers of an order to providers. The first acceptance that is appended wins; hold, route, contractor and third party
 * are in the same stream, so they exclude each other. Deadlines are compared with the time of the command.
 */
import type { Fact } from '../../events/core/codec.js';
import {
  isFinal,
  SLA_DEADLINES,
  ThirdPartyDeclined,
  ThirdPartyOffered,
  ThirdPartyOfferEnded,
  ThirdPartyReturnedOrder,
  ThirdPartySlaMissed,
  ThirdPartyTookOrder,
  type SlaDeadline,
} from '../../events/orders/events.js';
import { millisOf } from '../../events/otep/time.js';
import { DomainError } from '../core/domain-error.js';
import type { CommandTo, OrderCommand } from './command.js';
import { mustBeDispatchable, mustBeOpen, type EventFactory } from './rules.js';
import type { StatusChange } from './scan-course.js';
import type { OrderState } from './state.js';
import { changesInHand, type OfferToProviders } from './third-party-state.js';

const openOffer = ({ third: { offer } }: OrderState): OfferToProviders | undefined =>
  offer && offer.ended === undefined ? offer : undefined;

/** Without a time, no deadline has passed. */
const isPast = (deadline: string, { now }: Pick<OrderCommand, 'now'>): boolean =>
  now !== undefined && Date.parse(deadline) <= now;

/**
 * The event that must precede a change that needs an order without an offer: the end of an offer whose time is over.
 * Throws OFFERED_TO_THIRD_PARTY while providers can accept the order.
 */
export function expireOffer(state: OrderState, command: OrderCommand, newEvent: EventFactory): Fact[] {
  const offer = openOffer(state);
  if (!offer) return [];
  if (!isPast(offer.respond_by, command)) throw new DomainError('OFFERED_TO_THIRD_PARTY');
  return [newEvent(ThirdPartyOfferEnded, { offer_id: offer.offer_id, why: 'expired' })];
}

/** The end of the open offer of an order that is cancelled. */
export function endOfferOfCancelled(state: OrderState, command: OrderCommand, newEvent: EventFactory): Fact[] {
  const offer = openOffer(state);
  if (!offer) return [];
  const { offer_id, respond_by } = offer;
  if (isPast(respond_by, command)) return [newEvent(ThirdPartyOfferEnded, { offer_id, why: 'expired' })];
  return [newEvent(ThirdPartyOfferEnded, { offer_id, why: 'withdrawn', ended_by: command.by })];
}

export function offerToThirdParties(
  state: OrderState,
  { offerId, providers, respondBy, pickupBy, deliverBy, fee, by }: CommandTo<'offer_to_third_parties'>,
  newEvent: EventFactory,
): Fact[] {
  if (state.thirdParty !== undefined) throw new DomainError('HELD_BY_THIRD_PARTY');
  if (state.route !== undefined) throw new DomainError('ORDER_ON_ROUTE', { route_id: state.route });
  if (state.assignment) throw new DomainError('ASSIGNED_TO_CONTRACTOR');
  mustBeOpen(state);
  mustBeDispatchable(state);
  return [
    newEvent(ThirdPartyOffered, {
      offer_id: offerId,
      round: 1,
      providers: [...providers],
      respond_by: respondBy,
      pickup_by: pickupBy,
      deliver_by: deliverBy,
      fee: fee?.amount,
      currency: fee?.currency,
      mode: 'first_accept',
      next_rounds: [],
      offered_by: by,
    }),
  ];
}

/** Withdrawing an offer that was withdrawn changes nothing. */
export function withdrawOffer(state: OrderState, command: CommandTo<'withdraw_offer'>, newEvent: EventFactory): Fact[] {
  const { offer } = state.third;
  if (offer?.offer_id !== command.offerId) throw new DomainError('OFFER_NOT_FOUND');
  if (offer.ended === 'withdrawn') return [];
  if (offer.ended === 'taken') throw new DomainError('OFFER_TAKEN');
  if (offer.ended !== undefined || isPast(offer.respond_by, command)) throw new DomainError('OFFER_EXPIRED');
  return [newEvent(ThirdPartyOfferEnded, { offer_id: command.offerId, why: 'withdrawn', ended_by: command.by })];
}

/**
 * The offer, if it is the order's latest one and names the provider. An order that was not offered to the provider is
 * treated as missing.
 */
function offerTo(
  state: OrderState,
  { provider, offerId }: { readonly provider: string; readonly offerId: string },
): OfferToProviders {
  const { offer } = state.third;
  if (!offer?.providers.includes(provider)) throw new DomainError('ORDER_NOT_FOUND');
  if (offer.offer_id !== offerId) throw new DomainError('OFFER_EXPIRED');
  return offer;
}

/** Throws unless the provider can still respond to the offer. */
function mustBeAnswerable(offer: OfferToProviders, provider: string, command: OrderCommand): void {
  if (offer.ended === 'taken') throw new DomainError('OFFER_TAKEN');
  if (offer.ended !== undefined || offer.declined.includes(provider) || isPast(offer.respond_by, command))
    throw new DomainError('OFFER_EXPIRED');
}

/** Accepting again changes nothing as long as the provider has the order. */
export function acceptOffer(state: OrderState, command: CommandTo<'accept_offer'>, newEvent: EventFactory): Fact[] {
  const { provider, offerId, reference, etaAt } = command;
  const offer = offerTo(state, command);
  const { taken } = state.third;
  if (taken?.provider === provider && taken.offer_id === offerId) return [];
  mustBeAnswerable(offer, provider, command);
  mustBeOpen(state);
  mustBeDispatchable(state);
  return [
    newEvent(ThirdPartyTookOrder, {
      provider,
      given_by: offer.offered_by,
      offer_id: offerId,
      pickup_by: offer.pickup_by,
      deliver_by: offer.deliver_by,
      reference,
      eta_at: etaAt,
    }),
    newEvent(ThirdPartyOfferEnded, { offer_id: offerId, why: 'taken' }),
  ];
}

/** The last provider that declines ends the offer. */
export function declineOffer(state: OrderState, command: CommandTo<'decline_offer'>, newEvent: EventFactory): Fact[] {
  const { provider, offerId, reason } = command;
  const offer = offerTo(state, command);
  if (offer.declined.includes(provider)) return [];
  mustBeAnswerable(offer, provider, command);
  const isLast = offer.declined.length + 1 === offer.providers.length;
  return [
    newEvent(ThirdPartyDeclined, { offer_id: offerId, provider, reason }),
    ...(isLast ? [newEvent(ThirdPartyOfferEnded, { offer_id: offerId, why: 'declined' as const })] : []),
  ];
}

/** A provider returns the order before it has picked it up. */
export function releaseByThirdParty(
  state: OrderState,
  { provider, reason }: CommandTo<'release_by_third_party'>,
  newEvent: EventFactory,
): Fact[] {
  const { taken, releasedBy } = state.third;
  if (releasedBy === provider) return [];
  if (taken?.provider !== provider) throw new DomainError('ORDER_NOT_FOUND');
  mustBeOpen(state);
  if (pickUps(state).length > 0) throw new DomainError('ALREADY_PICKED_UP');
  return [newEvent(ThirdPartyReturnedOrder, { provider, why: 'released', reason })];
}

/** Status changes by which the parcels were in hand since the provider got the order. */
const pickUps = ({ third: { taken }, history }: OrderState): readonly StatusChange[] =>
  changesInHand(history.course.changes).filter(({ by }) => !taken?.scansBefore.has(by));

/** A timer is due: the offer expires, or the provider missed a deadline. A settled deadline changes nothing. */
export function expireThirdParty(
  state: OrderState,
  command: CommandTo<'expire_third_party'>,
  newEvent: EventFactory,
): Fact[] {
  const offer = openOffer(state);
  const { taken } = state.third;
  return [
    ...(offer && isPast(offer.respond_by, command)
      ? [newEvent(ThirdPartyOfferEnded, { offer_id: offer.offer_id, why: 'expired' as const })]
      : []),
    ...SLA_DEADLINES.flatMap((which) => {
      const due_at = which === 'pickup' ? taken?.pickup_by : taken?.deliver_by;
      if (!taken || due_at === undefined || !isPast(due_at, command)) return [];
      if (taken.missed.includes(which) || isMet(state, which, due_at)) return [];
      const { provider, offer_id } = taken;
      return [newEvent(ThirdPartySlaMissed, { which, provider, offer_id, due_at })];
    }),
  ];
}

/** Whether the order was picked up, or has ended, by the deadline. Scans count by the time at which they were made. */
function isMet(state: OrderState, which: SlaDeadline, due: string): boolean {
  const ends = state.history.course.changes.filter(({ status }) => isFinal(status));
  const settling = which === 'pickup' ? [...pickUps(state), ...ends] : ends;
  return settling.some(({ at }) => millisOf(at) <= Date.parse(due));
}
