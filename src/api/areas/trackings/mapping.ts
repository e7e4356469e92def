/** The provider's table at work: what it makes of a raw status, and which ones it did not know. */
import type { MapRaw } from '../../../events/otep/check/status.js';
import { LIMITS } from '../../../events/otep/check/limits.js';
import type { ProviderCaller } from '../../core/callers.js';

/** A raw status that the table did not know, and whose it was. */
export interface Unmapped {
  readonly raw: string;
  readonly tracking_number?: string;
}

/** Notes what a provider's table did not know. */
export type NoteUnmapped = (provider: string, seen: readonly Unmapped[]) => void;

/**
 * The table of `pusher` for the events of one subject; what it does not know goes to `seen`. `number` is as it was sent,
 * and is told where it may be one.
 */
export function mapperOf({ mapping }: ProviderCaller, number: unknown, seen: Unmapped[]): MapRaw {
  const tracking_number = typeof number === 'string' && isSound(number, LIMITS.trackingNumber) ? number : undefined;
  return ({ code: raw }) => {
    if (raw === undefined) return undefined;
    const row = mapping.get(raw);
    if (row === undefined && isSound(raw, LIMITS.code))
      seen.push({ raw, ...(tracking_number !== undefined && { tracking_number }) });
    return row?.status_code;
  };
}

/** A text that a database takes, and no longer than it may be. */
const isSound = (text: string, max: number): boolean =>
  text.length > 0 && text.length <= max && !/\p{Cc}|\p{Cs}/u.test(text);
