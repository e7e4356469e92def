/** Maps raw statuses by the table of a provider, and collects statuses without a mapping. */
import type { MapRaw } from '../../../events/otep/check/status.js';
import { LIMITS } from '../../../events/otep/check/limits.js';
import type { ProviderCaller } from '../../core/callers.js';

/** A raw status without a mapping, and the number of its parcel. */
export interface Unmapped {
  readonly raw: string;
  readonly tracking_number?: string;
}

/** Records raw statuses that a provider's table does not contain. */
export type RecordUnmapped = (provider: string, unmapped: readonly Unmapped[]) => void;

/**
 * Maps raw statuses of one subject by the table of `pusher`; statuses without a mapping are added to `seen`. `number`:
 * tracking number as it was sent; recorded if it is valid.
 */
export function mapperOf({ mapping }: ProviderCaller, number: unknown, unmapped: Unmapped[]): MapRaw {
  const tracking_number = typeof number === 'string' && isStorable(number, LIMITS.trackingNumber) ? number : undefined;
  return ({ code: raw }) => {
    if (raw === undefined) return undefined;
    const row = mapping.get(raw);
    if (row === undefined && isStorable(raw, LIMITS.code))
      unmapped.push({ raw, ...(tracking_number !== undefined && { tracking_number }) });
    return row?.status_code;
  };
}

/** Whether a text can be stored: within the length limit and without control characters. */
const isStorable = (text: string, max: number): boolean =>
  text.length > 0 && text.length <= max && !/\p{Cc}|\p{Cs}/u.test(text);
