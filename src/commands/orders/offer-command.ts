/** Commands on offers of an order to providers. */
import type { Money } from '../../events/core/money.js';

/** Offers to providers, and their responses. Times: RFC 3339, UTC. */
export type OfferChange =
  | {
      readonly do: 'offer_to_third_parties';
      readonly offerId: string;
      readonly providers: readonly string[];
      readonly respondBy: string;
      readonly pickupBy?: string;
      readonly deliverBy?: string;
      readonly fee?: Money;
    }
  | { readonly do: 'withdraw_offer'; readonly offerId: string }
  | {
      readonly do: 'accept_offer';
      readonly offerId: string;
      readonly provider: string;
      readonly reference?: string;
      readonly etaAt?: string;
    }
  | { readonly do: 'decline_offer'; readonly offerId: string; readonly provider: string; readonly reason?: string }
  | { readonly do: 'release_by_third_party'; readonly provider: string; readonly reason: string }
  /** A timer of an offer or of a third party is due. */
  | { readonly do: 'expire_third_party' };
