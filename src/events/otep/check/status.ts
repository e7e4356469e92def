/** Determines the status of an event from its code or raw status, and checks the members that are derived from it. */
import { bareCode, isExperimental, phaseId, PHASES, statusCode, statusId, type Phase } from '../codes.js';
import { report, shown, type Findings } from './findings.js';
import { LIMITS } from './limits.js';

export interface RawStatus {
  readonly code?: string;
  readonly text?: string;
}

/** A provider's mapping table: returns the OTEP code for a raw status, if the table contains it. */
export type MapRaw = (raw: RawStatus) => string | undefined;

export interface GivenStatus {
  readonly status_code?: string;
  readonly raw?: RawStatus;
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
  const stated = given.status_code ?? (given.raw && mapRaw?.(given.raw));
  if (stated === undefined) return report(out, 'UNMAPPED_STATUS', `${path}/raw`);
  const place = `${path}/${fromRaw ? 'raw' : 'status_code'}`;
  if (stated.length > LIMITS.code) return report(out, 'TOO_LONG', place, { max: LIMITS.code });
  const code = bareCode(profile, stated);
  const registered = statusCode(code);
  if (!registered && !isExperimental(code)) return report(out, 'UNKNOWN_STATUS', place, { status: shown(code) });
  if (!registered) report(out, 'EXPERIMENTAL_STATUS', place, { status: code });
  if (given.status_id !== undefined) agree(given.status_id, statusId(profile, code), `${path}/status_id`, out);
  const phase = registered?.phase ?? given.phase ?? phaseNamed(given.phase_id);
  if (given.phase !== undefined && phase !== undefined) agree(given.phase, phase, `${path}/phase`, out);
  if (given.phase_id !== undefined)
    agree(given.phase_id, phase === undefined ? 'otep:phase:<name>' : phaseId(phase), `${path}/phase_id`, out);
  return { code, phase: registered ? undefined : phase, fromRaw };
}

export function agree(given: unknown, expected: string | boolean | null, path: string, out: Findings): void {
  if (given !== expected) report(out, 'DERIVED_MISMATCH', path, { expected: String(expected) });
}

const phaseNamed = (id: string | undefined): Phase | undefined =>
  id === undefined ? undefined : PHASES.find((phase) => phaseId(phase) === id);
