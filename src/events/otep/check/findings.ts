/**
 * Everything the checker can say: one table, code -> severity and English template. Codes are stable; other languages:
 * src/api/messages.
 */

const error = (text: string) => ({ severity: 'error', text }) as const;
const warning = (text: string) => ({ severity: 'warning', text }) as const;

export const FINDINGS = {
  REQUIRED: error('This field is required.'),
  INVALID_TYPE: error('Expected {expected}.'),
  INVALID_VALUE: error('Must be one of: {allowed}.'),
  INVALID_TEXT: error('Text must not contain U+0000 or half of a surrogate pair.'),
  INVALID_NUMBER: error('The number is too large to be kept.'),
  TOO_LONG: error('Must have at most {max} characters.'),
  TOO_SMALL: error('Must be at least {min}.'),
  TOO_BIG: error('Must be at most {max}.'),
  TOO_DEEP: error('Must not be nested deeper than {max} levels.'),
  TOO_MANY_EXTENSIONS: error('An event has at most {max} extension fields.'),
  EXTENSIONS_TOO_LARGE: error('The extension fields of an event have at most {max} bytes together.'),

  NO_IDENTIFIER: error('The subject needs at least one identifier: {allowed}.'),
  INVALID_TRACKING_NUMBER: error(
    'A tracking number has 1 to {max} letters A to Z, digits or . _ / : # + * (spaces and hyphens do not count).',
  ),
  INVALID_IDENTIFIER: error('An identifier has 1 to {max} printable characters.'),
  INVALID_SSCC: error('An SSCC has 18 digits.'),
  SSCC_CHECK_DIGIT: error('The check digit of the SSCC is wrong: it must be {expected}.'),
  SUBJECT_MISMATCH: error('The subject of the event is not the subject of its timeline.'),

  INVALID_VERSION: error('A protocol version reads like 0.1 or 0.1.2.'),
  UNSUPPORTED_VERSION: error('Protocol version {version} is not supported; this service speaks {supported}.'),
  UNKNOWN_PROFILE: error('Unknown profile; known: {allowed}.'),
  INVALID_EVENT_ID: error('An event id is a UUID or a URI of at most {max} characters.'),
  INVALID_TIME: error('Expected an RFC 3339 time with an offset, such as 2026-01-31T08:00:00+01:00.'),
  TOO_FAR_AHEAD: error('The event lies more than {hours} hours in the future.'),
  UNKNOWN_STATUS: error('Unknown status code {status}. Experimental codes begin with x-.'),
  UNMAPPED_STATUS: error('The mapping table does not know this raw status; send a status_code.'),
  DERIVED_MISMATCH: error('Does not agree with the rest of the document: expected {expected}.'),
  INVALID_COUNTRY: error('Expected an ISO 3166-1 alpha-2 country code in capitals.'),
  INCOMPLETE_COORDINATES: error('Latitude and longitude come together or not at all.'),
  UNKNOWN_REASON: error('Unknown incident reason {reason}. Experimental reasons begin with x-.'),
  PROOF_NOT_ALLOWED: error('Only these statuses carry a proof: {allowed}.'),
  INVALID_URL: error('Expected an absolute http or https URL.'),
  RETRACTS_ITSELF: error('An event with a status cannot retract itself.'),

  EVENT_ID_REUSED: error('The event id already stands for an event with other content.'),
  AFTER_TERMINAL: error('The journey ended with {status}: only a terminal status may follow.'),
  ANOMALY_UNFOUNDED: error('Nothing in the timeline makes this event {anomaly}.'),

  UNKNOWN_FIELD: warning(
    'Unknown field {field}. In OTEP documents such fields are dropped, and extension fields begin with x-.',
  ),
  EMPTY_TEXT: warning('The text is empty: it is dropped.'),
  VERSION_MISSING: warning('No otep_version: {version} is assumed.'),
  NEWER_VERSION: warning('Protocol version {version} is newer than {supported}: what is new in it is not understood.'),
  EXPERIMENTAL_STATUS: warning('Status code {status} is experimental.'),
  UNASSIGNED_COUNTRY: warning('The country code is in common use, and none that ISO 3166-1 assigned.'),
  EXPERIMENTAL_REASON: warning('Incident reason {reason} is experimental.'),
  SOURCE_MISSING: warning('The event does not say what kind of source it comes from (source.type).'),
  IN_THE_FUTURE: warning('The event lies in the future: it counts once its time has come.'),
  OUT_OF_ORDER: warning('The event stands behind a later one: events are listed oldest first.'),
  DUPLICATE_EVENT: warning('The same event stands in the document twice.'),
  BACKWARD_TRANSITION: warning('Phase {phase} after {after} goes backwards.'),
  AFTER_TERMINAL_MARKED: warning(
    'The event came after the journey had ended with {status}: it does not change the status.',
  ),
  UNKNOWN_RETRACTED: warning('The retracted event is not in this document.'),
} as const;

export type FindingCode = keyof typeof FINDINGS;
export type Params = Readonly<Record<string, string | number>>;

export interface Finding {
  readonly code: FindingCode;
  /** JSON Pointer (RFC 6901) from the root of the document. */
  readonly path: string;
  /** English; other languages are made from `code` and `params`. */
  readonly message: string;
  readonly params?: Params;
}

export interface Findings {
  readonly errors: Finding[];
  readonly warnings: Finding[];
}

/** Of one event or envelope: an input made of nothing but faults must not make an answer many times its size. */
const MOST = 100;

export const noFindings = (): Findings => ({ errors: [], warnings: [] });

/** Notes a finding and gives undefined, so that a reader can end with it. */
export function report(out: Findings, code: FindingCode, path: string, params?: Params): undefined {
  const { severity, text } = FINDINGS[code];
  const list = severity === 'error' ? out.errors : out.warnings;
  if (list.length < MOST)
    list.push(params ? { code, path, message: fill(text, params), params } : { code, path, message: text });
  return undefined;
}

/** Puts `params` into the `{name}` places of a template; a place without a value becomes empty. */
export const fill = (template: string, params: Params = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(params, name) ? String(params[name]) : ''));

/** A key as a JSON Pointer segment; what no text column could hold is replaced. */
export const segment = (key: string): string => presentable(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** Foreign text for a message: not long, and never ill-formed. */
export const shown = (text: string): string => presentable(text.length > 64 ? `${text.slice(0, 63)}…` : text);

const presentable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD');
