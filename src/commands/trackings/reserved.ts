/** Numbers that speak for a parcel of this service: only who was given the parcel may name one. */
import { normalizeNumber } from '../../events/otep/check/subject.js';
import type { Subject } from '../../events/otep/model.js';
import { isOurNumber } from '../../events/orders/numbers.js';
import { isTrackingNumber } from '../../events/trackings/events.js';
import type { KnownTracking, Pusher, TrackingDirectory } from './directory.js';

/**
 * Whether a subject names a parcel of an order by something else than its tracking number: a reading finds a parcel by
 * its piece and by the number that another system gave it too. Who was given the parcel rightly names it so, and what
 * a tracking of the pusher is called already it may be called again.
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
    if (lives.some(({ writers }) => writers.includes(pusher.id))) continue;
    const called = await directory.find(key);
    if (!called.some(({ owner }) => owner.kind === 'provider' && owner.id === pusher.id)) return true;
  }
  return false;
}

/** Whether the number is that of a parcel of a business. */
export const isOfAnOrder = ({ owner, number }: KnownTracking, named: string): boolean =>
  owner.kind === 'business' && number === named;
