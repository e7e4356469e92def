/** RFC 3339 times in the forms that commerce platforms use. Every function takes a validated RFC 3339 time and cuts what is finer than its form. */
import { instantOf, millisOf, type Instant } from '../../events/otep/time.js';

const utc = (text: string): Instant => instantOf(text)!;

/** `2026-01-02T03:04:05.678Z` */
export const utcMillis = (text: string): string => `${utc(text).slice(0, 23)}Z`;

/** `2026-01-02T03:04:05+00:00` */
export const utcSeconds = (text: string): string => `${utc(text).slice(0, 19)}+00:00`;

/** `2026-01-02T03:04:05`: UTC that does not say so. */
export const naiveUtc = (text: string): string => utc(text).slice(0, 19);

/** `2026-01-02 03:04:05`: UTC as an SQL `DATETIME`. */
export const sqlUtc = (text: string): string => naiveUtc(text).replace('T', ' ');

/** `2026-01-02T03:04:05-05:00`: the place's own clock and offset, as they were sent. */
export function localSeconds(text: string): string {
  const offset = text.slice(-6);
  const zone = offset[0] === '+' || (offset[0] === '-' && offset !== '-00:00') ? offset : '+00:00';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${zone}`;
}

export const epochMillis = (text: string): number => millisOf(utc(text));

export const epochSeconds = (text: string): number => Math.floor(epochMillis(text) / 1000);

/** RFC 2822, UTC: `Fri, 02 Jan 2026 03:04:05 +0000` */
export const rfc2822 = (text: string): string => new Date(epochMillis(text)).toUTCString().replace('GMT', '+0000');
