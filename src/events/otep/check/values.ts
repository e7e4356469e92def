/** Readers of single values. */
import { instantOf, withoutLeapSecond, type Instant } from '../time.js';
import { report } from './findings.js';
import type { JsonObject } from '../../core/log.js';
import { isClean, isObject, type Reader } from './members.js';
import { LIMITS } from './limits.js';
import { urlOf } from '../../core/url.js';

/** A string that a text column can store, of any length; the caller checks its content. */
export const word: Reader<string> = (value, path, out) => {
  if (typeof value !== 'string') return report(out, 'INVALID_TYPE', path, { expected: 'string' });
  return isClean(value) ? value : report(out, 'INVALID_TEXT', path);
};

/** Text of at most `max` UTF-16 code units. An empty text is dropped with a warning. */
export const text =
  (max: number): Reader<string> =>
  (value, path, out) => {
    const read = word(value, path, out);
    if (read === undefined) return undefined;
    if (read.length > max) return report(out, 'TOO_LONG', path, { max });
    return read === '' ? report(out, 'EMPTY_TEXT', path) : read;
  };

export const oneOf =
  <T extends string>(allowed: readonly T[]): Reader<T> =>
  (value, path, out) => {
    const read = word(value, path, out);
    if (read === undefined) return undefined;
    return (allowed as readonly string[]).includes(read)
      ? (read as T)
      : report(out, 'INVALID_VALUE', path, { allowed: allowed.join(', ') });
  };

export const flag: Reader<boolean> = (value, path, out) =>
  typeof value === 'boolean' ? value : report(out, 'INVALID_TYPE', path, { expected: 'boolean' });

export const list: Reader<readonly unknown[]> = (value, path, out) =>
  Array.isArray(value) ? value : report(out, 'INVALID_TYPE', path, { expected: 'array' });

/** An object whose content is ignored. */
export const record: Reader<JsonObject> = (value, path, out) =>
  isObject(value) ? value : report(out, 'INVALID_TYPE', path, { expected: 'object' });

export const nullable =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value, path, out) =>
    value === null ? null : reader(value, path, out);

/** Degrees from -`most` to `most`. A negative zero becomes zero, because JSON text does not preserve it. */
export const degrees =
  (most: number): Reader<number> =>
  (value, path, out) => {
    if (typeof value !== 'number' || Number.isNaN(value))
      return report(out, 'INVALID_TYPE', path, { expected: 'number' });
    if (value < -most) return report(out, 'TOO_SMALL', path, { min: -most });
    return value > most ? report(out, 'TOO_BIG', path, { max: most }) : value + 0;
  };

export interface Moment {
  /** RFC 3339, exactly as received, except for a leap second. */
  readonly text: string;
  readonly instant: Instant;
}

export const moment: Reader<Moment> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined) return undefined;
  const instant = instantOf(read);
  if (instant !== null) return { text: read, instant };
  const text = withoutLeapSecond(read);
  return text === read ? report(out, 'INVALID_TIME', path) : { text, instant: instantOf(text)! };
};

export const time: Reader<string> = (value, path, out) => moment(value, path, out)?.text;

/** An absolute http or https URL. Other schemes are rejected, because it may be shown as a link. */
export const url: Reader<string> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined) return undefined;
  if (read.length > LIMITS.url) return report(out, 'TOO_LONG', path, { max: LIMITS.url });
  return /^https?:\/\/\S+$/i.test(read) && urlOf(read) ? read : report(out, 'INVALID_URL', path);
};

const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const URI = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i;

/**
 * A UUID or URI (RFC 3986). UUIDs, also as `urn:uuid:`, are converted to lower case, because case is not significant
 * (RFC 9562).
 */
export const eventId: Reader<string> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined) return undefined;
  if (read.length <= LIMITS.eventId) {
    if (UUID.test(read)) return read.toLowerCase();
    if (URI.test(read)) return read;
  }
  return report(out, 'INVALID_EVENT_ID', path, { max: LIMITS.eventId });
};
