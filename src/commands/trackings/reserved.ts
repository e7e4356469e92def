/** Numbers that identify a parcel of this service. Only providers that were given the parcel may use them. */
import { normalizeNumber } from '../../events/otep/check/subject.js';
import type { Subject } from '../../events/otep/model.js';
import { isOurNumber } from '../../events/orders/numbers.js';
import { isTrackingNumber } from '../../events/trackings/events.js';
import type { KnownTracking, Pusher, TrackingDirectory } from './directory.js';

/**
 * Whether a subject names a parcel of an order by its piece id or by its external tracking number. Reads find a parcel
 * by these identifiers, too. Two uses are allowed:
 *
 * - The provider was given the parcel.
 * - A tracking of the provider already has the identifier.
 */
export async function namesReserved(
  directory: TrackingDirectory,
  pusher: Pusher,
  { piece_id, external_tracking_number: external }: Subject,
): Promise<boolean> {
  const named = [
    ...(piece_id === undefined ? [] : [{ key: `piece:${piece_id}`, number: normalizeNumber(piece_id) }]),
    ...(external === undefined ? [] : [{ key: `external:${external}`, number: normalizeNumber(external) }]),
  ];
  for (const { key, number } of named) {
    if (number === undefined || !isTrackingNumber(number)) continue;
    const lives = await directory.find(number);
    if (!isOurNumber(number) && !lives.some((life) => isOfAnOrder(life, number))) continue;
    if (lives.some((life) => hadAccess(life, pusher))) continue;
    const called = await directory.find(key);
    if (!called.some(({ owner }) => owner.kind === 'provider' && owner.id === pusher.id)) return true;
  }
  return false;
}

/** Whether the provider has access to the tracking, or had it before. */
export const hadAccess = ({ writers, former_writers }: KnownTracking, { id }: Pusher): boolean =>
  writers.includes(id) || former_writers.includes(id);

/** Whether the tracking number belongs to a parcel of a business. */
export const isOfAnOrder = ({ owner, number }: KnownTracking, named: string): boolean =>
  owner.kind === 'business' && number === named;
