/** Determines the status of an event from its code or raw status, and checks the members that are derived from it. */
import {
  bareCode,
  CARRIER_NOTICE,
  UNMAPPED,
  isExperimental,
  phaseId,
  PHASES,
  statusCode,
  statusId,
  type Phase,
} from '../codes.js';
import type { TimelineEvent } from '../model.js';
import { report, shown, type Findings } from './findings.js';
import { LIMITS } from './limits.js';

/** What the source reported about the status. */
export interface RawStatus {
  readonly code?: string | undefined;
  /** Event text: `raw.text`, else the description; followed by the text of the incident reason. */
  readonly text?: string | undefined;
  /** `source.carrier` of the event. */
  readonly carrier?: string | undefined;
}

export interface MappedStatus {
  readonly status_code: string;
  /** Applies to an event without an incident reason. */
  readonly incident_reason?: string;
}

/** Returns the OTEP code for a raw status, if a table of the provider or of a carrier contains it. */
export type MapRaw = (raw: RawStatus) => MappedStatus | undefined;

type RawMembers = Pick<TimelineEvent, 'raw' | 'description' | 'source' | 'incident_reason'>;

export interface GivenStatus extends RawMembers {
  readonly status_code?: string;
  readonly status_id?: string;
  readonly phase?: Phase;
  readonly phase_id?: string;
}

export interface ReadStatus {
  /** Code without profile prefix. */
  readonly code: string;
  /** Only for an experimental code that was sent with one; the table determines the phase of all other codes. */
  readonly phase: Phase | undefined;
  readonly fromRaw: boolean;
  /** Incident reason of the raw code. */
  readonly reason?: string | undefined;
}

/** The status of an event; undefined after an error. */
export function readStatus(
  given: GivenStatus,
  profile: string,
  mapRaw: MapRaw | undefined,
  path: string,
  out: Findings,
): ReadStatus | undefined {
  const fromRaw = given.status_code === undefined;
  const mapped = fromRaw && given.raw ? mapRaw?.(rawStatusOf(given)) : undefined;
  const stated = given.status_code ?? mapped?.status_code;
  if (stated === undefined) return report(out, 'UNMAPPED_STATUS', `${path}/raw`);
  const place = `${path}/${fromRaw ? 'raw' : 'status_code'}`;
  if (stated.length > LIMITS.code) return report(out, 'TOO_LONG', place, { max: LIMITS.code });
  const code = bareCode(profile, stated);
  // No code of the sender, so there is no warning, and a phase of the sender does not count.
  if (fromRaw && (code === CARRIER_NOTICE || code === UNMAPPED))
    return { code, phase: undefined, fromRaw, reason: mapped?.incident_reason };
  const registered = statusCode(code);
  if (!registered && !isExperimental(code)) return report(out, 'UNKNOWN_STATUS', place, { status: shown(code) });
  if (!registered) report(out, 'EXPERIMENTAL_STATUS', place, { status: code });
  if (given.status_id !== undefined) agree(given.status_id, statusId(profile, code), `${path}/status_id`, out);
  const phase = registered?.phase ?? given.phase ?? phaseNamed(given.phase_id);
  if (given.phase !== undefined && phase !== undefined) agree(given.phase, phase, `${path}/phase`, out);
  if (given.phase_id !== undefined)
    agree(given.phase_id, phase === undefined ? 'otep:phase:<name>' : phaseId(phase), `${path}/phase_id`, out);
  return { code, phase: registered ? undefined : phase, fromRaw, reason: mapped?.incident_reason };
}

/** What an event reports about its status. */
export function rawStatusOf({ raw, description, source, incident_reason }: RawMembers): RawStatus {
  const text = [raw?.text ?? description, incident_reason?.text].filter((part) => part !== undefined).join(' ');
  return { code: raw?.code, text: text === '' ? undefined : text, carrier: source?.carrier };
}

export function agree(given: unknown, expected: string | boolean | null, path: string, out: Findings): void {
  if (given !== expected) report(out, 'DERIVED_MISMATCH', path, { expected: String(expected) });
}

const phaseNamed = (id: string | undefined): Phase | undefined =>
  id === undefined ? undefined : PHASES.find((phase) => phaseId(phase) === id);
