/**
 * RFC 3339 times in the formats of commerce platforms. Every function takes a validated RFC 3339 time and truncates
 * digits that its format cannot express.
 */

/** `2026-01-02T03:04:05.678Z` */
export const utcMillis = (text: string): string =>
  text.length === 24 && text.endsWith('Z') && inUtc(text) ? text : new Date(text).toISOString();

/** `2026-01-02T03:04:05`: UTC without a zone designator. */
export const naiveUtc = (text: string): string => (inUtc(text) ? text : new Date(text).toISOString()).slice(0, 19);

/** Returns whether a time is in UTC. Most times are; they are truncated without parsing. */
const inUtc = (text: string): boolean => text[10] === 'T' && (text.endsWith('Z') || text.endsWith('+00:00'));

/** `2026-01-02T03:04:05+00:00` */
export const utcSeconds = (text: string): string => `${naiveUtc(text)}+00:00`;

/** `2026-01-02 03:04:05`: UTC as an SQL `DATETIME`. */
export const sqlUtc = (text: string): string => naiveUtc(text).replace('T', ' ');

/** `2026-01-02T03:04:05-05:00`: local time and offset, as the source sent them. */
export function localSeconds(text: string): string {
  const offset = text.slice(-6);
  const zone = offset[0] === '+' || (offset[0] === '-' && offset !== '-00:00') ? offset : '+00:00';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${zone}`;
}

export const epochMillis = (text: string): number => Date.parse(text);

export const epochSeconds = (text: string): number => Math.floor(epochMillis(text) / 1000);

/** RFC 2822, UTC: `Fri, 02 Jan 2026 03:04:05 +0000` */
export const rfc2822 = (text: string): string => new Date(text).toUTCString().replace('GMT', '+0000');
