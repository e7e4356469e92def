/**
 * Checks one event: every row of the protocol's table "Event". Written by hand for speed, because ingest runs it on
 * every pushed event.
 */
import type { JsonObject } from '../../core/log.js';
import { PHASES, UNMAPPED, type Phase } from '../codes.js';
import { ANOMALIES, OTEP_VERSION, type Anomaly, type Subject, type TimelineEvent } from '../model.js';
import { instantAt, millisOf, type Instant } from '../time.js';
import type { Scan } from '../timeline.js';
import { noFindings, report, type Finding, type Findings } from './findings.js';
import { has, isObject, readMembers, requireMember, type Readers } from './members.js';
import { readExtensions, type ValidExtensions } from './extensions.js';
import { incident, location, proof, raw, source } from './parts.js';
import { readStatus, type GivenStatus, type MapRaw, type ReadStatus } from './status.js';
import { checkSameSubject, subject } from './subject.js';
import { eventId, moment, oneOf, text, time, word, type Moment } from './values.js';
import { version } from './version.js';
import { LIMITS } from './limits.js';

type ScanDetails = Pick<TimelineEvent, 'location' | 'source' | 'incident_reason' | 'description' | 'raw' | 'proof'>;

/**
 * A checked event as its producer sent it. It is plain data and shares only the values of extensions with the input.
 */
export interface InputEvent extends ScanDetails {
  /** UUIDs are in lower case. */
  readonly eventId?: string;
  readonly retracts?: string;
  /** Id of a scan whose retraction by the same producer is withdrawn. */
  readonly unretracts?: string;
  /** RFC 3339, exactly as received, except for a leap second. */
  readonly occurredAt: string;
  readonly instant: Instant;
  /** Code without profile prefix; absent only for a pure retraction. */
  readonly statusCode?: string;
  /** Only for an experimental code that was sent with one. */
  readonly phase?: Phase;
  /**
   * The mapping table determined the status. The event's id must then be derived from the raw status, because the table
   * may change.
   */
  readonly statusFromRaw: boolean;
  /** The mapping table determined the incident reason, too. */
  readonly reasonFromRaw?: boolean;
  /**
   * The event's own `recorded_at`. For a pushed event it belongs in `source.recorded_at`; in output of this service it
   * is the service's time.
   */
  readonly recordedAt?: string;
  /** Claim of a document about the event; ingest derives it again. */
  readonly anomaly?: Anomaly;
  readonly extensions: ValidExtensions;
}

export interface EventReading {
  /** Present exactly when `errors` is empty. */
  readonly event?: InputEvent | undefined;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export interface ReadEventOptions {
  /** JSON Pointer of the value. */
  readonly path: string;
  readonly now: Instant;
  readonly profile: string;
  /**
   * The timeline's subject, which an event's own subject must match; absent for a single event (its subject:
   * `readSubject`).
   */
  readonly subject?: Subject | undefined;
  /** The event is part of a timeline, whose subject may be invalid. */
  readonly isInTimeline?: boolean;
  readonly mapRaw?: MapRaw | undefined;
}

interface Members extends ScanDetails, GivenStatus {
  readonly otep_version?: string;
  readonly event_id?: string;
  readonly retracts?: string;
  readonly unretracts?: string;
  readonly subject?: unknown;
  readonly occurred_at?: Moment;
  readonly recorded_at?: string;
  readonly anomaly?: Anomaly;
}

const EVENT: Readers<Members> = {
  otep_version: version,
  event_id: eventId,
  retracts: eventId,
  unretracts: eventId,
  subject: (value) => value,
  occurred_at: moment,
  recorded_at: time,
  status_code: word,
  status_id: word,
  phase: oneOf(PHASES),
  phase_id: word,
  location,
  source,
  incident_reason: incident,
  description: text(LIMITS.text),
  raw,
  proof,
  anomaly: oneOf(ANOMALIES),
};

/** Statuses of a handover, which may have a proof. */
export const PROVEN: readonly string[] = ['picked_up', 'delivered'];

/** Checks one event of a push or document. Never throws on a JSON value. */
export function readEvent(value: unknown, options: ReadEventOptions): EventReading {
  const out = noFindings();
  if (!isObject(value)) {
    report(out, 'INVALID_TYPE', options.path, { expected: 'object' });
    return out;
  }
  const members = readMembers(value, EVENT, options.path, out);
  const extensions = readExtensions(value, EVENT, options.path, out);
  const { path } = options;
  requireMember(value, 'occurred_at', path, out);
  const pure = has(value, 'retracts') && !has(value, 'status_code') && !has(value, 'raw');
  if (!has(value, 'status_code') && !has(value, 'raw') && (!pure || saysMoreThanRetraction(members)))
    report(out, 'REQUIRED', `${path}/status_code`);
  const status = isStatusReadable(value, members, path, out)
    ? readStatus(members, options.profile, options.mapRaw, path, out)
    : undefined;
  relate(members, { status, pure, hasSource: has(value, 'source') }, options, out);
  return {
    event: out.errors.length > 0 ? undefined : inputEvent(members, status, extensions),
    errors: out.errors,
    warnings: out.warnings,
  };
}

/** Whether the status can be checked: an invalid `status_code` or `raw` has its own finding. */
const isStatusReadable = (value: JsonObject, { status_code, raw }: Members, path: string, out: Findings): boolean =>
  status_code !== undefined ||
  (!has(value, 'status_code') &&
    raw !== undefined &&
    !out.errors.some((error) => error.path.startsWith(`${path}/raw`)));

const saysMoreThanRetraction = ({ status_id, phase, phase_id }: Members): boolean =>
  status_id !== undefined || phase !== undefined || phase_id !== undefined;

interface Related {
  /** Undefined for a pure retraction, and after an error. */
  readonly status: ReadStatus | undefined;
  readonly pure: boolean;
  readonly hasSource: boolean;
}

/** Checks the rules between the fields of an event, as far as these are valid. */
function relate(
  members: Members,
  { status, pure, hasSource }: Related,
  { path, now, subject: whole, isInTimeline = false }: ReadEventOptions,
  out: Findings,
): void {
  const { instant } = members.occurred_at ?? {};
  if (instant !== undefined && instant > now) {
    const limit = instantAt(millisOf(now) + LIMITS.hoursAhead * 3_600_000);
    if (instant > limit) report(out, 'TOO_FAR_AHEAD', `${path}/occurred_at`, { hours: LIMITS.hoursAhead });
    else report(out, 'IN_THE_FUTURE', `${path}/occurred_at`);
  }
  // Only registered codes end a journey, so an experimental one cannot claim the phase of its end.
  if (status?.phase === 'delivered')
    report(out, 'PHASE_NOT_ALLOWED', `${path}/${members.phase === undefined ? 'phase_id' : 'phase'}`, {
      phase: status.phase,
    });
  if (members.proof && (status || pure) && status?.code !== UNMAPPED && !PROVEN.includes(status?.code ?? ''))
    report(out, 'PROOF_NOT_ALLOWED', `${path}/proof`, { allowed: PROVEN.join(', ') });
  if (!pure && members.retracts !== undefined && members.retracts === members.event_id)
    report(out, 'RETRACTS_ITSELF', `${path}/retracts`);
  if (status && members.source?.type === undefined && (members.source || !hasSource))
    report(out, 'SOURCE_MISSING', `${path}/source`);
  if (members.subject === undefined) return;
  if (whole) checkSameSubject(members.subject, whole, `${path}/subject`, out);
  else if (isInTimeline) subject(members.subject, `${path}/subject`, out);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function inputEvent(members: Members, status: ReadStatus | undefined, extensions: ValidExtensions): InputEvent {
  const {
    event_id,
    occurred_at,
    recorded_at,
    retracts,
    unretracts,
    location,
    source,
    incident_reason,
    description,
    raw,
    proof,
    anomaly,
  } = members;
  const event: Writable<InputEvent> = {
    occurredAt: occurred_at!.text,
    instant: occurred_at!.instant,
    statusFromRaw: status?.fromRaw ?? false,
    extensions,
  };
  // One by one: a literal with conditional spreads takes several times as long, and runs for every pushed event.
  if (event_id !== undefined) event.eventId = event_id;
  if (retracts !== undefined) event.retracts = retracts;
  if (unretracts !== undefined) event.unretracts = unretracts;
  if (status) event.statusCode = status.code;
  if (status?.phase) event.phase = status.phase;
  if (location) event.location = location;
  if (source) event.source = source;
  if (incident_reason) event.incident_reason = incident_reason;
  else if (status?.reason !== undefined) {
    event.incident_reason = { code: status.reason };
    event.reasonFromRaw = true;
  }
  if (description !== undefined) event.description = description;
  if (raw) event.raw = raw;
  if (proof) event.proof = proof;
  if (recorded_at !== undefined) event.recordedAt = recorded_at;
  if (anomaly !== undefined) event.anomaly = anomaly;
  return event;
}

/** Converts an event with a status to a scan of the timeline. */
export function scanOf(
  event: InputEvent & { readonly statusCode: string },
  { eventId, recordedAt }: { readonly eventId: string; readonly recordedAt?: string },
): Scan {
  const { location, source, incident_reason, description, raw, proof } = event;
  return {
    instant: event.instant,
    event: {
      otep_version: OTEP_VERSION,
      event_id: eventId,
      occurred_at: event.occurredAt,
      ...(recordedAt !== undefined && { recorded_at: recordedAt }),
      status_code: event.statusCode,
      ...(event.phase && { phase: event.phase }),
      ...(location && { location }),
      ...(source && { source }),
      ...(incident_reason && { incident_reason }),
      ...(description !== undefined && { description }),
      ...(raw && { raw }),
      ...(proof && { proof }),
      ...event.extensions,
    },
  };
}
