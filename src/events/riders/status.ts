/** The state of the search for a rider. */

export const INSTANT_STATUSES = ['requested', 'offering', 'accepted', 'assigned', 'exhausted', 'cancelled'] as const;
export type InstantStatus = (typeof INSTANT_STATUSES)[number];

/**
 * `taken`: another rider accepted first. `time`: the rider did not respond. `cancelled`: the order is no longer
 * available.
 */
export const OFFER_STATES = ['open', 'accepted', 'declined', 'time', 'taken', 'cancelled'] as const;
export type OfferState = (typeof OFFER_STATES)[number];
