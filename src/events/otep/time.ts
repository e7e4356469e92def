/**
 * RFC 3339 times, stored exactly as received, together with their instant. An instant is a UTC string with nine
 * fraction digits (`2026-01-02T03:04:05.000000000Z`): it sorts as text and keeps the full precision.
 */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

export type Instant = string;

export const DAY_MS = 24 * 3_600_000;

const LEAP_SECOND = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d):60(?:\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Rewrites a leap second (`:60`, valid at the end of a day in UTC) to the last nanosecond before it, because clients and
 * engines cannot read or sort it. Returns any other text unchanged.
 */
export function withoutLeapSecond(text: string): string {
  const [, minute, offset] = LEAP_SECOND.exec(text) ?? [];
  if (minute === undefined || offset === undefined) return text;
  const before = `${minute}:59.999999999${offset}`;
  return instantOf(before)?.slice(11, 16) === '23:59' ? before : text;
}

/**
 * The instant of an RFC 3339 time with offset; null if `text` is not one. Leap seconds (`:60`) are rejected: see
 * `withoutLeapSecond`. More than nine fraction digits are rejected instead of rounded.
 */
export function instantOf(text: string): Instant | null {
  // Without capturing groups: the parts have fixed positions, and creating a string for each costs more than the rest.
  if (!RFC_3339.test(text)) return null;
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const [year, month, day] = [twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8)];
  if (!isDay(year, month, day)) return null;
  const zulu = 'Zz'.includes(text.at(-1)!);
  const zone = zulu ? text.length - 1 : text.length - 6;
  const nanos = text.slice(20, zone).padEnd(9, '0');
  const [offsetHour, offsetMinute] = zulu ? [0, 0] : [twoDigits(text, zone + 1), twoDigits(text, zone + 4)];
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const offset = (offsetHour * 60 + offsetMinute) * (text[zone] === '-' ? -1 : 1);
  // Joined, as in `derivedId`.
  if (offset === 0) return [text.slice(0, 10), 'T', text.slice(11, 19), '.', nanos, 'Z'].join('');
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  utc.setUTCHours(hour, minute - offset, second, 0);
  const shifted = utc.toISOString();
  // Outside the years 0000 to 9999, ISO strings have another form and do not sort as text.
  return shifted.length === 24 ? [shifted.slice(0, 19), '.', nanos, 'Z'].join('') : null;
}

const ZERO = '0'.charCodeAt(0);
const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

/** Milliseconds since 1970 of an instant; smaller fractions are truncated. */
export const millisOf = (instant: Instant): number => Date.parse(`${instant.slice(0, 23)}Z`);

/** Nanoseconds since 1970 of an instant. */
export const nanosOf = (instant: Instant): bigint =>
  BigInt(Date.parse(`${instant.slice(0, 19)}Z`)) * 1_000_000n + BigInt(instant.slice(20, 29));

/** The instant of a time in milliseconds since 1970. */
export const instantAt = (millis: number): Instant => `${new Date(millis).toISOString().slice(0, 23)}000000Z`;

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}
