/** Names and numbers of carriers, orders and shops for platforms that require them. */
import { derivedId } from '../../events/otep/identity.js';
import { statusId } from '../../events/otep/codes.js';
import type { Journey, Timeline } from '../../events/otep/model.js';
import { parcelNumber } from './parcel.js';

/**
 * Returns the carrier that opened the tracking. For a document that was never stored, returns the first provider that
 * its events name.
 */
export function carrierName(journey: Journey): string | undefined {
  return (
    shownCarrier(journey) ??
    journey.timeline.events.find((event) => event.source?.provider !== undefined)?.source?.provider
  );
}

/** Returns the public name of the carrier: for a business its code instead of its id. */
export const shownCarrier = ({ carrierMatch, carrier }: Journey): string | undefined =>
  carrierMatch?.carrier ?? carrier;

/** Returns the other carriers that have a parcel with this number, separated by commas; undefined if there are none. */
export const otherCarriers = ({ carrierMatch }: Journey): string | undefined =>
  carrierMatch?.alternatives.join(', ') || undefined;

/**
 * Reduces a carrier's name to letters and digits for lookups in a vendor's list: `Royal Mail` and `royal-mail` are
 * equal.
 */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Returns the current status as OTEP names it (`otep:parcel:delivered`), or undefined if there is none yet. */
export const exactStatus = ({ profile, current_status }: Timeline): string | undefined =>
  current_status === null ? undefined : statusId(profile, current_status);

/**
 * Returns a UUID for an object that a platform would number itself (an order, a fulfillment, a shop). It is the same in
 * the public and in the full view.
 */
export const vendorUuid = (journey: Journey, what: string): string =>
  derivedId('vendor', what, journey.carrier ?? '', parcelNumber(journey.timeline.subject));

/**
 * Derives a positive integer from the hash digits of a UUID. 13 digits stay below 2^53; 7 fit the signed 32 bits of an
 * SQL id.
 */
export function numericId(uuid: string, digits: 7 | 13 = 13): number {
  const hash = uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(15, 18);
  return Number.parseInt(hash.slice(0, digits), 16) || 1;
}

/**
 * Returns `text` if it has at most `max` characters, or else an empty text: a truncated number would be a different
 * number.
 */
export const fitting = (text: string, max: number): string => (text.length <= max ? text : '');
