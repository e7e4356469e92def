/**
 * Determines the status of raw codes: by the provider's own mapping, else by the table of a carrier. Collects codes that
 * none of them contains.
 */
import { tableNamed } from '../../../engines/carrier-tables.js';
import { CARRIER_NOTICE, UNMAPPED } from '../../../events/otep/codes.js';
import type { MapRaw } from '../../../events/otep/check/status.js';
import { LIMITS } from '../../../events/otep/check/limits.js';
import type { ProviderCaller } from '../../core/callers.js';

/** A raw status without a mapping, and the number of its parcel. */
export interface Unmapped {
  readonly raw: string;
  readonly tracking_number?: string;
}

/** Records raw statuses that neither a provider's mapping nor the carrier's table contains. */
export type RecordUnmapped = (provider: string, unmapped: readonly Unmapped[]) => void;

/** Settings of a provider that determine the status of its raw codes. */
export type MappingSettings = Pick<ProviderCaller, 'mapping' | 'carrierCodes'>;

/**
 * Maps raw statuses of one subject by the settings of the provider; statuses without a mapping are added to `unmapped`.
 * `number`: tracking number as it was sent; recorded if it is valid. `keeps`: events with an unknown code get the status
 * `UNMAPPED`, with which they are kept; otherwise they are rejected.
 */
export function mapperOf(
  settings: MappingSettings,
  number: unknown,
  unmapped: Unmapped[],
  { keeps = false }: { readonly keeps?: boolean } = {},
): MapRaw {
  const tracking_number = typeof number === 'string' && isStorable(number, LIMITS.trackingNumber) ? number : undefined;
  return (raw) => {
    const mapped = mapStatus(settings, raw);
    const { code } = raw;
    if (mapped !== undefined || code === undefined || !isStorable(code, LIMITS.code)) return mapped;
    unmapped.push({ raw: code, ...(tracking_number !== undefined && { tracking_number }) });
    return keeps ? { status_code: UNMAPPED } : undefined;
  };
}

/**
 * The status of a raw status; undefined if it is unknown. The provider's mapping has priority over the table. The
 * carrier of the event replaces the carrier that the provider chose, because other carriers use the same codes.
 */
export function mapStatus({ mapping, carrierCodes }: MappingSettings, raw: Parameters<MapRaw>[0]): ReturnType<MapRaw> {
  const own = raw.code === undefined ? undefined : mapping.get(raw.code);
  if (own) return { status_code: own.status_code };
  const carrier = raw.carrier ?? carrierCodes;
  const row = carrier === null ? undefined : tableNamed(carrier)?.find(raw);
  return (
    row && {
      status_code: row.status_code || CARRIER_NOTICE,
      ...(row.incident_reason !== '' && { incident_reason: row.incident_reason }),
    }
  );
}

/** Whether a text can be stored: within the length limit and without control characters. */
const isStorable = (text: string, max: number): boolean =>
  text.length > 0 && text.length <= max && !/\p{Cc}|\p{Cs}/u.test(text);
