/** What carriers, orders and shops are called where a platform asks for it. */
import { derivedId } from '../../events/otep/identity.js';
import { statusId } from '../../events/otep/codes.js';
import type { Journey, Timeline } from '../../events/otep/model.js';
import { parcelNumber } from './parcel.js';

/**
 * Who carries the parcel: who opened the tracking, or for a document that was never stored the first provider its
 * events name.
 */
export function carrierName(journey: Journey): string | undefined {
  return (
    shownCarrier(journey) ??
    journey.timeline.events.find((event) => event.source?.provider !== undefined)?.source?.provider
  );
}

/** What outsiders call the carrier: the code of a business rather than its id. */
export const shownCarrier = ({ whose, carrier }: Journey): string | undefined => whose?.carrier ?? carrier;

/** Others who have a parcel of the number, in one line; undefined: nobody. */
export const otherCarriers = ({ whose }: Journey): string | undefined => whose?.alternatives.join(', ') || undefined;

/** The letters and digits of a carrier's name, to find it in a vendor's list: `Royal Mail` and `royal-mail` are one. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The current status as OTEP itself names it (`otep:parcel:delivered`), or undefined while there is none. */
export const exactStatus = ({ profile, current_status }: Timeline): string | undefined =>
  current_status === null ? undefined : statusId(profile, current_status);

/**
 * UUID of what a platform would have numbered itself (an order, a fulfillment, a shop); the same in the public and in
 * the full view.
 */
export const vendorUuid = (journey: Journey, what: string): string =>
  derivedId('vendor', what, journey.carrier ?? '', parcelNumber(journey.timeline.subject));

/**
 * A positive whole number out of a UUID's hash digits: 13 digits stay below 2^53, 7 fit the signed 32 bits of an SQL
 * id.
 */
export function numericId(uuid: string, digits: 7 | 13 = 13): number {
  const hash = uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(15, 18);
  return Number.parseInt(hash.slice(0, digits), 16) || 1;
}

/**
 * The number of the order where a platform requires one: the order id itself if it is a whole number up to `max`, else
 * a number derived from carrier and tracking number, which the platform has not given.
 */
export function orderNumber(journey: Journey, max = Number.MAX_SAFE_INTEGER): number {
  const given = journey.timeline.subject.order_id ?? '';
  const number = /^[1-9]\d*$/.test(given) ? Number(given) : Infinity;
  return number <= max ? number : numericId(vendorUuid(journey, 'order'), max === Number.MAX_SAFE_INTEGER ? 13 : 7);
}

/** An order number that fits an SQL `INT`. */
export const sqlOrderId = (journey: Journey): number => orderNumber(journey, 2 ** 31 - 1);

/** `text` where it is not longer than the platform takes, else nothing: half a number would be another one. */
export const fitting = (text: string, max: number): string => (text.length <= max ? text : '');
