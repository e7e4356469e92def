/** Formats and parses times in the time zone of a business. */
import QuickLRU from 'quick-lru';

/**
 * Cached: creating a formatter takes fifty times as long as using it, and a list has hundreds of times in few time
 * zones.
 */
const dateTimes = new QuickLRU<string, Intl.DateTimeFormat>({ maxSize: 100 });
const dates = new QuickLRU<string, Intl.DateTimeFormat>({ maxSize: 100 });

/** `YYYY-MM-DD HH:MM:SS` (specification 1) of an instant in milliseconds since 1970. */
export const localDateTime = (millis: number, timezone: string): string =>
  cachedFormatter(dateTimes, timezone, { dateStyle: 'short', timeStyle: 'medium' }).format(millis);

/** The calendar date (`YYYY-MM-DD`) of an instant. */
export const localDate = (millis: number, timezone: string): string =>
  cachedFormatter(dates, timezone, { dateStyle: 'short' }).format(millis);

function cachedFormatter(
  formatters: QuickLRU<string, Intl.DateTimeFormat>,
  timeZone: string,
  style: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, ...style });
  formatters.set(timeZone, made);
  return made;
}

/** Range of four-digit years, without the year 0, which PostgreSQL does not support. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const written = (millis: number): string => new Date(Math.min(Math.max(millis, FIRST_MS), LAST_MS)).toISOString();

/** The instant at which a calendar date begins in a time zone, as RFC 3339 in UTC. Clamped to the years 1 to 9999. */
export function startOfDay(date: string, timezone: string): string {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // Formatted years with fewer or more than four digits cannot be parsed; UTC is used for them.
  const offsetAt = (millis: number): number =>
    Date.parse(`${localDateTime(millis, timezone).replace(' ', 'T')}Z`) - Math.floor(millis / 1_000) * 1_000 || 0;
  // The offset of the guess may be that of another day; the second calculation has the right one.
  const guess = utc - offsetAt(utc);
  return written(utc - offsetAt(guess));
}

/** An instant as RFC 3339, with the offset of the time zone at that moment, to the second. */
export function zonedTime(millis: number, timezone: string): string {
  const shown = localDateTime(millis, timezone).replace(' ', 'T');
  const minutes = Math.round((Date.parse(`${shown}Z`) - Math.floor(millis / 1_000) * 1_000) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${shown}${offset}`;
}

/** The date this many days later, clamped to the years 1 to 9999. */
export const addDays = (date: string, days: number): string =>
  written(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).slice(0, 10);
