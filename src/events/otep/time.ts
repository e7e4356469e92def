/**
 * RFC 3339 times, kept to the letter beside their instant. An instant is a UTC string with nine fraction digits
 * (`2026-01-02T03:04:05.000000000Z`): it sorts as text and loses nothing that was sent.
 */
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d\d):(\d\d))$/;

export type Instant = string;

/**
 * The instant of an RFC 3339 time with offset, or null when `text` is not one. Leap seconds (`:60`) are refused: no
 * engine behind us can order them. More than nine fraction digits are refused rather than rounded.
 */
export function instantOf(text: string): Instant | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', zulu, sign, offsetHour, offsetMinute] = match as unknown as string[];
  if (+hour! > 23 || +minute! > 59 || +second! > 59) return null;
  if (!isDay(+year!, +month!, +day!)) return null;
  const nanos = fraction.padEnd(9, '0');
  if (!zulu && (+offsetHour! > 23 || +offsetMinute! > 59)) return null;
  const offset = zulu ? 0 : (+offsetHour! * 60 + +offsetMinute!) * (sign === '-' ? -1 : 1);
  // Joined, as in `derivedId`.
  if (offset === 0) return [text.slice(0, 10), `${text.slice(11, 19)}.${nanos}Z`].join('T');
  const utc = new Date(0);
  utc.setUTCFullYear(+year!, +month! - 1, +day!);
  utc.setUTCHours(+hour!, +minute! - offset, +second!, 0);
  const shifted = utc.toISOString();
  // Outside years 0000 to 9999 ISO strings change their form and would no longer sort as text.
  return shifted.length === 24 ? `${shifted.slice(0, 19)}.${nanos}Z` : null;
}

/** Milliseconds since 1970 of an instant (the fraction beyond milliseconds is cut). */
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
