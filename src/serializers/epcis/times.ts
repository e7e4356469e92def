/**
 * EPCIS times: the forms that the schema accepts, the forms that a native timeline allows, and the separate zone field.
 */
import { instantOf } from '../../events/otep/time.js';
import { shortest } from '../support/utc.js';

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt\s](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;
const ZONE = /^[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)$/;
/** xsd:dateTimeStamp, which the ontology requires for every time; stricter than the schema's `date-time`. */
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|([+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)))$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `eventTimeZoneOffset` of the schema: `+01:00`, up to 14 hours, no `Z`. */
export const isZoneOffset = (text: string): boolean => ZONE.test(text);

/**
 * Returns whether the schema's `date-time` format accepts `text`. It is less strict than RFC 3339:
 * - white space instead of `T`
 * - offsets without colon or minutes
 * - any number of fraction digits
 * - a leap second at the end of a UTC day
 */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match === null) return false;
  const [, year, month, day, hour, minute, second, , sign, offsetHour = '0', offsetMinute = '0'] = match;
  if (!isDay(+year!, +month!, +day!) || +hour! > 23 || +minute! > 59 || +offsetHour > 23 || +offsetMinute > 59)
    return false;
  if (+second! < 60) return true;
  const utc = +hour! * 60 + +minute! - (sign === '-' ? -1 : 1) * (+offsetHour * 60 + +offsetMinute);
  return +second! === 60 && (utc + 1440) % 1440 === 1439;
}

/**
 * Converts a time that passed `isDateTime` to the native format. The text is unchanged if RFC 3339 allows it. Otherwise
 * the same instant is rewritten; a leap second becomes the last nanosecond before it. Returns null outside the years
 * 0000 to 9999 in UTC.
 */
export function nativeTime(text: string): string | null {
  if (instantOf(text) !== null) return text;
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute = '00'] = match;
  const seconds = second === '60' ? '59.999999999' : `${second}${fraction.slice(0, 10)}`;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${seconds}${sign === undefined ? 'Z' : `${sign}${offsetHour}:${offsetMinute}`}`;
  return instantOf(written) === null ? null : written;
}

/**
 * Returns the same instant in the local time of the place. `offset` is `eventTimeZoneOffset`. The time is unchanged if
 * it already has this offset, or if its local year would be invalid.
 */
export function inZone(time: string, offset: string): string {
  const zulu = /[Zz]$/.test(time);
  const own = minutesOf(zulu ? '+00:00' : time.slice(-6));
  const wanted = minutesOf(offset);
  if (own === wanted) return time;
  const local = new Date(Date.parse(`${time.slice(0, 10)}T${time.slice(11, 19)}Z`) + (wanted - own) * 60_000);
  const fraction = time.slice(19, zulu ? -1 : -6);
  // `toISOString` writes years of more than four digits with a sign.
  return Number.isNaN(local.getTime()) || local.toISOString().length !== 24
    ? time
    : `${local.toISOString().slice(0, 19)}${fraction}${offset}`;
}

const minutesOf = (offset: string): number =>
  (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));

export interface EventTime {
  readonly eventTime: string;
  readonly eventTimeZoneOffset: string;
}

/**
 * Writes a native time in EPCIS format: unchanged if it is an xsd:dateTimeStamp, or else its instant in UTC. The zone
 * is the offset of the time. It is `+00:00` for UTC, for the unknown offset `-00:00`, and for offsets that EPCIS does
 * not allow.
 */
export function eventTimeOf(occurredAt: string): EventTime {
  const match = STAMP.exec(occurredAt);
  if (match === null) return { eventTime: stampOf(occurredAt), eventTimeZoneOffset: '+00:00' };
  const offset = match[1];
  return {
    eventTime: occurredAt,
    eventTimeZoneOffset: offset === undefined || offset === '-00:00' ? '+00:00' : offset,
  };
}

/**
 * Returns the same instant as an xsd:dateTimeStamp. Invalid text is returned unchanged; validation has already rejected
 * it.
 */
export function stampOf(text: string): string {
  if (STAMP.test(text)) return text;
  const instant = instantOf(text);
  return instant === null ? text : shortest(instant);
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= DAYS[month - 1]! + (leap ? 1 : 0);
}
