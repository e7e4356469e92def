/** Reads the subject: the parcel of a timeline. */
import { checkDigit } from '../gs1.js';
import { gs1ParcelIn } from '../gs1-parcel.js';
import type { Subject } from '../model.js';
import { MIN_USPS_BARCODE, uspsNumberIn } from '../usps.js';
import { noFindings, report, type Finding, type Findings } from './findings.js';
import { readObject, type Reader, type Readers } from './members.js';
import { word } from './values.js';
import { LIMITS } from './limits.js';

/**
 * Normalizes a tracking number for storage and search: `plainNumber`, and for the barcode of a USPS label (`420`, ZIP
 * code, number) the number in it. Undefined if the text is not a tracking number.
 */
export const normalizeNumber = (given: string): string | undefined => uspsIn(given) ?? plainNumber(given);

/** Most numbers are too short for such a barcode, which costs nothing then. */
const uspsIn = (given: string): string | undefined =>
  given.length < MIN_USPS_BARCODE || given.length > 4 * LIMITS.trackingNumber ? undefined : uspsNumberIn(given);

/**
 * Returns a tracking number in upper case, half width, without white space, hyphens and invisible characters. Only the
 * letters a to z have another case here: `ß` is not `SS`. Undefined if the result is not 1 to 64 of A to Z, 0 to 9 and
 * `. _ / : # + *`.
 */
export function plainNumber(given: string): string | undefined {
  if (PLAIN.test(given)) return given;
  if (given.length > 4 * LIMITS.trackingNumber) return undefined;
  const number = upperCase(given.replace(/[\uFF01-\uFF5E]/g, halfWidth)).replace(/[\s\p{Pd}\p{Cf}\u2212]/gu, '');
  return NUMBER.test(number) ? number : undefined;
}

/** Converts the letters a to z to upper case, and no others. */
export const upperCase = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** The ASCII character of a full-width one. */
const halfWidth = (character: string): string => String.fromCharCode(character.charCodeAt(0) - 0xfee0);

/** Clients remove these segments from the path of a URL, so a parcel with such an identifier cannot be read. */
export const isDots = (id: string): boolean => id === '.' || id === '..';

const PLAIN = new RegExp(`^[A-Z0-9]{1,${LIMITS.trackingNumber}}$`);
const NUMBER = new RegExp(`^[A-Z0-9._/:#+*]{1,${LIMITS.trackingNumber}}$`);

const trackingNumber: Reader<string> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined) return undefined;
  const number = normalizeNumber(read);
  return number === undefined || isDots(number)
    ? report(out, 'INVALID_TRACKING_NUMBER', path, { max: LIMITS.trackingNumber })
    : number;
};

const PRINTABLE = new RegExp(`^(?=.*\\S)[^\\p{Cc}\\p{Zl}\\p{Zp}]{1,${LIMITS.identifier}}$`, 'u');

const identifier: Reader<string> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined) return undefined;
  return read.length <= LIMITS.identifier && PRINTABLE.test(read) && !isDots(read)
    ? read
    : report(out, 'INVALID_IDENTIFIER', path, { max: LIMITS.identifier });
};

/**
 * 18 digits with the GS1 check digit. Spaces, and the application identifier 00 in front, as on labels and from
 * scanners, are removed.
 */
const sscc: Reader<string> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined) return undefined;
  const digits = /^(?:\(00\)|00(?=\d{18}$))?(\d{18})$/.exec(read.replaceAll(' ', ''))?.[1];
  if (digits === undefined) return report(out, 'INVALID_SSCC', path);
  const expected = checkDigit(digits.slice(0, 17));
  return digits.endsWith(expected) ? digits : report(out, 'SSCC_CHECK_DIGIT', path, { expected });
};

const SUBJECT: Readers<Subject> = {
  tracking_number: trackingNumber,
  order_id: identifier,
  package_id: identifier,
  external_tracking_number: identifier,
  gs1_sscc: sscc,
  piece_id: identifier,
};

/**
 * A tracking number that is a GS1 identifier (URN, Digital Link, element string) names the parcel by its SSCC or piece
 * id. As a tracking number it would be another parcel. An identifier that is given separately has priority.
 */
function withGs1(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('tracking_number' in value)) return value;
  const { tracking_number, ...others } = value;
  const parcel = typeof tracking_number === 'string' ? gs1ParcelIn(tracking_number) : undefined;
  return parcel ? { ...parcel, ...others } : value;
}

/** A subject with at least one identifier; undefined after an error. */
export const subject: Reader<Subject> = (value, path, out) => {
  const before = out.errors.length;
  const read = readObject(withGs1(value), SUBJECT, path, out);
  if (read === undefined || out.errors.length > before) return undefined;
  return Object.keys(read).length > 0
    ? read
    : report(out, 'NO_IDENTIFIER', path, { allowed: Object.keys(SUBJECT).join(', ') });
};

export interface SubjectReading {
  /** Present exactly when `errors` is empty. The tracking number is normalized, and the SSCC has exactly 18 digits. */
  readonly subject?: Subject;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Checks the subject of a timeline or of a single event (protocol, section "Timeline"). */
export function readSubject(value: unknown, { path }: { readonly path: string }): SubjectReading {
  const out = noFindings();
  const read = subject(value, path, out);
  return { ...(read !== undefined && { subject: read }), ...out };
}

/** An event in a timeline may repeat the subject, completely or partly, but must not contain another one. */
export function checkSameSubject(value: unknown, whole: Subject, path: string, out: Findings): void {
  const part = subject(value, path, out);
  if (part === undefined) return;
  for (const [key, id] of Object.entries(part)) {
    if (whole[key as keyof Subject] !== id) return report(out, 'SUBJECT_MISMATCH', path);
  }
}
