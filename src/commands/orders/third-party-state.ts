/** The part of an order's state that concerns third parties: the latest offer, and the provider that has the order. */
import {
  isInHand,
  ThirdPartyDeclined,
  ThirdPartyOffered,
  ThirdPartyOfferEnded,
  ThirdPartyReturnedOrder,
  ThirdPartySlaMissed,
  ThirdPartyTookOrder,
  type OfferEnd,
  type SlaDeadline,
} from '../../events/orders/events.js';
import type { PastEvent } from '../core/decider.js';
import type { StatusChange } from './scan-course.js';

/** An offer of the order to providers. */
export interface OfferToProviders {
  readonly offer_id: string;
  readonly providers: readonly string[];
  readonly declined: readonly string[];
  /** RFC 3339, UTC. */
  readonly respond_by: string;
  readonly pickup_by?: string;
  readonly deliver_by?: string;
  readonly offered_by?: number;
  /** Absent: the offer is open. */
  readonly ended?: OfferEnd;
}

/** The provider that has the order, with its deadlines. */
export interface Taken {
  readonly provider: string;
  readonly offer_id?: string;
  readonly pickup_by?: string;
  readonly deliver_by?: string;
  readonly missed: readonly SlaDeadline[];
  /** Scans by which the parcels were in hand before the provider got the order. */
  readonly scansBefore: ReadonlySet<string | undefined>;
}

export interface ThirdPartyState {
  /** The latest offer. */
  readonly offer?: OfferToProviders;
  readonly taken?: Taken;
  /** The provider that had the order last, if it released the order. */
  readonly releasedBy?: string;
}

/** Changes of the status by which the parcels were in hand: picked up, received or later. */
export const changesInHand = (changes: readonly StatusChange[]): readonly StatusChange[] =>
  changes.filter(({ status }) => isInHand(status));

/** Applies one event. `changes`: the status changes of the order so far. Returns a new state if the event changes it. */
export function evolveThirdParty(
  state: ThirdPartyState,
  { type, data }: PastEvent,
  changes: readonly StatusChange[],
): ThirdPartyState {
  const { offer, taken } = state;
  switch (type) {
    case ThirdPartyOffered.type:
      return { ...state, offer: { ...(data as unknown as OfferToProviders), declined: [] } };
    case ThirdPartyDeclined.type:
      return offer
        ? { ...state, offer: { ...offer, declined: [...offer.declined, data['provider'] as string] } }
        : state;
    case ThirdPartyOfferEnded.type:
      return offer ? { ...state, offer: { ...offer, ended: data['why'] as OfferEnd } } : state;
    case ThirdPartyTookOrder.type: {
      const scansBefore = new Set(changesInHand(changes).map(({ by }) => by));
      return { ...(offer && { offer }), taken: { ...(data as unknown as Taken), missed: [], scansBefore } };
    }
    case ThirdPartyReturnedOrder.type:
      return { ...(offer && { offer }), ...(data['why'] === 'released' && { releasedBy: data['provider'] as string }) };
    case ThirdPartySlaMissed.type:
      return taken ? { ...state, taken: { ...taken, missed: [...taken.missed, data['which'] as SlaDeadline] } } : state;
    default:
      return state;
  }
}
