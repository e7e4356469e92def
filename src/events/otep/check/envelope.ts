/** Reads a timeline in its transport form: the envelope with its events, or one event with its own subject. */
import { PHASES, TERMINAL_STATUSES, type Phase, type TerminalStatus } from '../codes.js';
import { OTEP_VERSION, PROFILE, type Subject } from '../model.js';
import type { JsonObject } from '../../core/log.js';
import type { Instant } from '../time.js';
import { noFindings, report, type Finding, type Findings } from './findings.js';
import { readEvent, type EventReading, type ReadEventOptions } from './event.js';
import { has, isObject, readObject, requireMember, type Readers } from './members.js';
import type { MapRaw } from './status.js';
import { subject } from './subject.js';
import { flag, list, nullable, oneOf, record, text } from './values.js';
import { profile, version } from './version.js';
import { LIMITS } from './limits.js';

/** Claims of a document about its journey. They are output only; every reader derives them again. */
export interface Claims {
  readonly current_status?: string | null;
  readonly current_phase?: Phase | null;
  readonly terminal_status?: TerminalStatus | null;
  readonly delivered?: boolean;
}

export interface PlacedEvent extends EventReading {
  /** JSON Pointer of the event. */
  readonly path: string;
}

export interface TimelineReading {
  /** Absent if it is missing or invalid; `errors` then contains the reason. */
  readonly subject: Subject | undefined;
  /** One entry for each element of `events`, in the order of the document, with the findings of that event. */
  readonly events: readonly PlacedEvent[];
  readonly claims: Claims;
  /** The elements of the output-only list `retracted`, not parsed. */
  readonly retracted: readonly unknown[];
  /**
   * Findings of the envelope. If there is an error, no event can be accepted, because their version, profile or subject
   * is invalid.
   */
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export interface ReadTimelineOptions {
  /** JSON Pointer of the value; '' for a whole document. */
  readonly path: string;
  readonly now: Instant;
  readonly mapRaw?: MapRaw | undefined;
}

interface Envelope extends Claims {
  readonly otep_version?: string;
  readonly profile?: string;
  readonly subject?: Subject;
  readonly events?: readonly unknown[];
  readonly retracted?: readonly unknown[];
  /** Not read, because a plan is not an event. */
  readonly planned_delivery?: JsonObject;
  /** Carrier of the timeline in the response that contained it. Output only. */
  readonly carrier?: string;
  readonly alternatives?: readonly unknown[];
  readonly carriers?: readonly unknown[];
  readonly life?: unknown;
  readonly lives?: unknown;
}

const ENVELOPE: Readers<Envelope> = {
  otep_version: version,
  profile,
  subject,
  current_status: nullable(text(LIMITS.code)),
  current_phase: nullable(oneOf(PHASES)),
  terminal_status: nullable(oneOf(TERMINAL_STATUSES)),
  delivered: flag,
  events: list,
  retracted: list,
  planned_delivery: record,
  carrier: text(LIMITS.code),
  alternatives: list,
  carriers: list,
  life: (value) => value,
  lives: (value) => value,
};

/** Reads a timeline, or a single event with its own subject. Never throws on a JSON value. */
export function readTimeline(value: unknown, options: ReadTimelineOptions): TimelineReading {
  if (isLoneEvent(value)) return readLoneEvent(value, options);
  const { path, now, mapRaw } = options;
  const out = noFindings();
  const {
    subject,
    events = [],
    retracted = [],
    otep_version: _v,
    profile: _p,
    planned_delivery: _d,
    carrier: _c,
    alternatives: _a,
    carriers: _cs,
    life: _life,
    lives: _lives,
    ...claims
  } = readObject(value, ENVELOPE, path, out) ?? {};
  if (isObject(value)) {
    requireMember(value, 'subject', path, out);
    requireMember(value, 'events', path, out);
    if (!has(value, 'otep_version') && !events.every((event) => isObject(event) && has(event, 'otep_version')))
      warnOfVersion(path, out);
  }
  const read = events.map((event, index) =>
    place(event, { path: `${path}/events/${index}`, now, profile: PROFILE, subject, isInTimeline: true, mapRaw }),
  );
  return { subject, events: read, claims, retracted, errors: out.errors, warnings: out.warnings };
}

const isLoneEvent = (value: unknown): value is JsonObject =>
  isObject(value) && !has(value, 'events') && (has(value, 'occurred_at') || has(value, 'status_code'));

function readLoneEvent(value: JsonObject, { path, now, mapRaw }: ReadTimelineOptions): TimelineReading {
  const out = noFindings();
  const own = has(value, 'subject')
    ? subject(value.subject, `${path}/subject`, out)
    : report(out, 'REQUIRED', `${path}/subject`);
  if (!has(value, 'otep_version')) warnOfVersion(path, out);
  const event = place(value, { path, now, profile: PROFILE, mapRaw });
  return { subject: own, events: [event], claims: {}, retracted: [], errors: out.errors, warnings: out.warnings };
}

const warnOfVersion = (path: string, out: Findings): void =>
  report(out, 'VERSION_MISSING', `${path}/otep_version`, { version: OTEP_VERSION });

/** Sets the members one by one, here and above: a literal with a spread is slow, and a push has hundreds of events. */
function place(value: unknown, options: ReadEventOptions): PlacedEvent {
  const { event, errors, warnings } = readEvent(value, options);
  return { path: options.path, event, errors, warnings };
}
