/** The state of the search for a rider. */

export const INSTANT_STATUSES = ['requested', 'offering', 'accepted', 'assigned', 'exhausted', 'cancelled'] as const;
export type InstantStatus = (typeof INSTANT_STATUSES)[number];

/** `taken`: another rider was first. `time`: nobody answered. `cancelled`: the order is not to be had any more. */
export const OFFER_STATES = ['open', 'accepted', 'declined', 'time', 'taken', 'cancelled'] as const;
export type OfferState = (typeof OFFER_STATES)[number];
