/** English, the language of the service: what the checker finds, and the errors of the API. */
import { FINDINGS, type FindingCode } from '../../events/otep/check/findings.js';

const findings = Object.fromEntries(Object.entries(FINDINGS).map(([code, { text }]) => [code, text])) as Record<FindingCode, string>;

const api = {
  UNAUTHENTICATED: 'Please sign in: this needs a valid access token or provider key.',
  FORBIDDEN: 'You are not allowed to do this.',
  NOT_FOUND: 'Nothing was found here.',
  TRACKING_NOT_FOUND: 'No parcel is known by this number.',
  METHOD_NOT_ALLOWED: 'This address takes only: {allowed}.',
  CONFLICT: 'This does not fit what has happened in the meantime. Read the current state and try again.',

  UNKNOWN_FORMAT: 'Unknown format; known: {allowed}.',
  NOT_ACCEPTABLE: 'None of the media types asked for is available; available: {allowed}.',
  UNSUPPORTED_MEDIA_TYPE: 'This media type is not understood; understood: {allowed}.',
  MALFORMED_JSON: 'The body is not valid JSON.',
  INVALID_ENCODING: 'The body is not valid UTF-8 text.',
  BODY_TOO_LARGE: 'The body is larger than {max} bytes.',
  REQUEST_ABORTED: 'The request ended before its body had arrived.',

  INVALID_INPUT: 'The input is not valid.',
  TOO_SHORT: 'Must have at least {min} characters.',
  TOO_MANY_EVENTS: 'At most {max} events can be sent at once.',
  TOO_FEW_ITEMS: 'At least {min} items are needed.',
  TOO_MANY_PARCELS: 'The events name too many parcels for one push: at most {max}, each counted for every event that names it.',
  UNKNOWN_PARAMETER: 'Unknown parameter; known: {allowed}.',
  STANDARD_VERSION: 'Version {version} is not supported; supported: {supported}.',
  TOO_MANY_ITEMS: 'At most {max} items are allowed.',
  INVALID_FORM: 'Does not have the form that is asked for.',
  NOT_UNIQUE: 'Stands in the list more than once.',
  INVALID_EPCIS: 'The document is not valid EPCIS 2.0.',

  UNKNOWN_SHIPMENT: 'This shipment is not known, and you may not open a new one.',
  NOT_YOUR_SHIPMENT: 'This shipment was not given to you.',
  NOT_YOUR_EVENT: 'Only the producer of an event can retract it.',
  NOTHING_ACCEPTED: 'None of the events was accepted.',
  ROLLED_BACK: 'Not recorded, because another event of the same capture was rejected.',

  INVALID_IDEMPOTENCY_KEY: 'An idempotency key has 1 to {max} printable ASCII characters.',
  IDEMPOTENCY_KEY_REUSED: 'This idempotency key was used for another request.',
  IDEMPOTENCY_IN_FLIGHT: 'A request with this idempotency key is still being worked on.',
  INVALID_POSITION: 'This is not an event position of this service.',
  POSITION_AHEAD: 'This event position lies beyond the newest event.',
  NOT_CAUGHT_UP: 'The data has not reached this event position yet. Please try again shortly.',

  RATE_LIMITED: 'Too many requests. Please try again in {seconds} s.',
  UNAVAILABLE: 'The service cannot do this at the moment. Please try again later.',
  INTERNAL: 'Something went wrong on our side.',
} as const;

export type MessageCode = FindingCode | keyof typeof api;

/** A text for every code; `{name}` stands for a parameter. */
export type Messages = Readonly<Record<MessageCode, string>>;

export const en: Messages = { ...findings, ...api };
