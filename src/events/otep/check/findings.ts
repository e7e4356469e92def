/** All findings of the checker: code -> severity. Codes are stable; their texts are in src/messages. */
import { TEXTS, type EntryText, type ErrorText } from '../../../messages/texts.js';

/** In the order of the rules: values, subjects, events, timelines. */
export const FINDINGS = {
  REQUIRED: 'error',
  INVALID_TYPE: 'error',
  INVALID_VALUE: 'error',
  INVALID_TEXT: 'error',
  INVALID_NUMBER: 'error',
  TOO_LONG: 'error',
  TOO_SMALL: 'error',
  TOO_BIG: 'error',
  TOO_DEEP: 'error',
  TOO_MANY_EXTENSIONS: 'error',
  EXTENSIONS_TOO_LARGE: 'error',
  NO_IDENTIFIER: 'error',
  INVALID_TRACKING_NUMBER: 'error',
  INVALID_IDENTIFIER: 'error',
  INVALID_SSCC: 'error',
  SSCC_CHECK_DIGIT: 'error',
  SUBJECT_MISMATCH: 'error',
  INVALID_VERSION: 'error',
  UNSUPPORTED_VERSION: 'error',
  UNKNOWN_PROFILE: 'error',
  INVALID_EVENT_ID: 'error',
  INVALID_TIME: 'error',
  TOO_FAR_AHEAD: 'error',
  UNKNOWN_STATUS: 'error',
  UNMAPPED_STATUS: 'error',
  PHASE_NOT_ALLOWED: 'error',
  DERIVED_MISMATCH: 'error',
  INVALID_COUNTRY: 'error',
  INCOMPLETE_COORDINATES: 'error',
  UNKNOWN_REASON: 'error',
  PROOF_NOT_ALLOWED: 'error',
  INVALID_URL: 'error',
  RETRACTS_ITSELF: 'error',
  EVENT_ID_REUSED: 'error',
  AFTER_TERMINAL: 'error',
  ANOMALY_UNFOUNDED: 'error',
  UNKNOWN_FIELD: 'warning',
  EMPTY_TEXT: 'warning',
  VERSION_MISSING: 'warning',
  NEWER_VERSION: 'warning',
  EXPERIMENTAL_STATUS: 'warning',
  UNKNOWN_CARRIER: 'warning',
  UNASSIGNED_COUNTRY: 'warning',
  EXPERIMENTAL_REASON: 'warning',
  SOURCE_MISSING: 'warning',
  IN_THE_FUTURE: 'warning',
  OUT_OF_ORDER: 'warning',
  DUPLICATE_EVENT: 'warning',
  BACKWARD_TRANSITION: 'warning',
  AFTER_TERMINAL_MARKED: 'warning',
  UNKNOWN_RETRACTED: 'warning',
} as const satisfies Partial<Record<EntryText | ErrorText, 'error' | 'warning'>>;

const texts: Readonly<Record<FindingCode, string>> = { ...TEXTS.en.errors, ...TEXTS.en.entries };

export type FindingCode = keyof typeof FINDINGS;
export type Params = Readonly<Record<string, string | number>>;

export interface Finding {
  readonly code: FindingCode;
  /** JSON Pointer (RFC 6901) from the root of the document. */
  readonly path: string;
  /** In English; other languages are generated from `code` and `params`. */
  readonly message: string;
  readonly params?: Params;
}

export interface Findings {
  readonly errors: Finding[];
  readonly warnings: Finding[];
}

/**
 * Maximum number of findings for one event or envelope, so that an invalid input does not cause a response many times
 * its size.
 */
const MAX_FINDINGS = 100;

export const noFindings = (): Findings => ({ errors: [], warnings: [] });

/** Adds a finding and returns undefined, so that a reader can return the result. */
export function report(out: Findings, code: FindingCode, path: string, params?: Params): undefined {
  const list = FINDINGS[code] === 'error' ? out.errors : out.warnings;
  const text = texts[code];
  if (list.length < MAX_FINDINGS)
    list.push(params ? { code, path, message: fill(text, params), params } : { code, path, message: text });
  return undefined;
}

/** Replaces the `{name}` placeholders of a template with `params`; a placeholder without a value becomes empty. */
export const fill = (template: string, params: Params = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(params, name) ? String(params[name]) : ''));

/** A key as a JSON Pointer segment; characters that text columns cannot store are replaced. */
export const segment = (key: string): string => presentable(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** Prepares foreign text for a message: shortened and well-formed. */
export const shown = (text: string): string => presentable(text.length > 64 ? `${text.slice(0, 63)}…` : text);

const presentable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD');
