/**
 * Which scan determines the status of a package, in whichever order the scans arrive: the first one that ends the
 * journey, or else the newest (rule 2 of the protocol).
 */
import { codeRow, statusCode } from '../otep/codes.js';

export interface FollowedScan {
  readonly code: string;
  readonly instant: string;
}

/** Statuses with which a journey ends. A cancellation of the carrier is no journey. */
export const JOURNEY_ENDS: ReadonlySet<string> = new Set(['delivered', 'returned', 'rejected']);

export const endsJourney = (code: string): boolean => JOURNEY_ENDS.has(statusCode(code)?.terminal ?? '');

export function decisiveScan(known: FollowedScan | undefined, added: FollowedScan): FollowedScan {
  if (!known) return added;
  const isEnd = endsJourney(known.code);
  if (isEnd !== endsJourney(added.code)) return isEnd ? known : added;
  return isLater(added, known) === isEnd ? known : added;
}

/** Scans of one instant are in the order of the registry. */
const isLater = (one: FollowedScan, other: FollowedScan): boolean =>
  one.instant === other.instant ? codeRow(one.code) >= codeRow(other.code) : one.instant > other.instant;
