/** Times for the foreign formats, all of which require UTC. */
import { instantOf, type Instant } from '../../events/otep/time.js';

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Returns whether an RFC 3339 time is already in UTC, in the form that XSD and ISO 8601 share. */
export const isUtc = (time: string): boolean => UTC.test(time);

/**
 * Returns the same instant in UTC without trailing zeros in the fraction: `2026-01-02T03:04:05.5Z`.
 * Throws a RangeError if `time` is not an RFC 3339 time with an offset; a validated timeline contains only such times.
 */
export function utcOf(time: string): string {
  if (isUtc(time)) return time;
  const instant = instantOf(time);
  if (instant === null) throw new RangeError(`not an RFC 3339 time with offset: ${time}`);
  return shortest(instant);
}

/** Returns an instant without trailing zeros in its fraction. */
export const shortest = (instant: Instant): string =>
  `${instant.slice(0, 19)}${instant.slice(19, -1).replace(/\.?0+$/, '')}Z`;
