/**
 * The identity of scans (rule N9 of the protocol): which reports describe the same scan. Pure. A report is a recorded
 * push of a scan: its first record, or an amendment of it.
 */
import { derivedEventId } from '../otep/identity.js';
import type { RecordedScan } from './events.js';

export type Report = Pick<
  RecordedScan,
  | 'event_id'
  | 'provider'
  | 'instant'
  | 'status_code'
  | 'raw'
  | 'incident_reason'
  | 'fingerprint'
  | 'cbv_hash'
  | 'event_hash'
>;

const DERIVED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Whether the service derived the id of the report. Such a report has neither a fingerprint nor a hash, which are
 * recorded with the ids of producers. Scans of a business have the ids of its order's events.
 */
export const hasDerivedId = ({ event_id, provider, fingerprint, cbv_hash, event_hash }: Report): boolean =>
  fingerprint === undefined &&
  cbv_hash === undefined &&
  event_hash === undefined &&
  !provider.includes(':') &&
  DERIVED_ID.test(event_id);

/**
 * The identity of a scan without a producer's id, within its number: provider, instant, and raw code or else status.
 * Location, texts, proof and source are no part of it, because carriers add and correct them later.
 */
export const derivedKey = ({
  provider,
  instant,
  status_code,
  raw,
}: Pick<Report, 'provider' | 'instant' | 'status_code' | 'raw'>): string =>
  `${provider} ${instant} ${codeKey(raw?.code) ?? status_code}`;

/** Raw codes are compared without blanks around them and without case. */
export const codeKey = (code: string | undefined): string | undefined => code?.trim().toUpperCase();

/** One scan with all its reports, in the order of the log. */
export interface ReportedScan<R extends Report> {
  /** The id under which the scan is published. */
  readonly event_id: string;
  readonly reports: readonly R[];
  /** Another scan has the same identity and another incident reason. */
  readonly isSeparated: boolean;
}

/** Groups the reports of one number (in the order of the log) by scan. The scans have the order of their first report. */
export function scansOf<R extends Report>(reports: readonly R[]): ReportedScan<R>[] {
  const groups = new Map<string, R[]>();
  for (const report of reports) {
    const key = hasDerivedId(report) ? derivedKey(report) : `${report.provider} id ${report.event_id}`;
    const group = groups.get(key);
    if (group) group.push(report);
    else groups.set(key, [report]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length === 1 ? [{ event_id: group[0]!.event_id, reports: group, isSeparated: false }] : separate(group),
  );
}

/**
 * Divides reports of one identity by incident reason: two scans are different if both have a reason. A report without a
 * reason joins the smallest one. Ids depend on the set of reasons alone, not on the order of arrival.
 */
function separate<R extends Report>(group: readonly R[]): ReportedScan<R>[] {
  const [first] = group as [R, ...R[]];
  const reasons = hasDerivedId(first) ? reasonsOf(group) : [];
  const smallest = reasons[0];
  if (reasons.length < 2) return [{ event_id: first.event_id, reports: group, isSeparated: false }];
  return reasons.map((reason) => ({
    event_id: idOfReason(first, reason === smallest ? undefined : reason),
    reports: group.filter(({ incident_reason }) => (incident_reason?.code ?? smallest) === reason),
    isSeparated: true,
  }));
}

/** The incident reasons of the reports, each once, sorted. */
export const reasonsOf = (reports: readonly Pick<Report, 'incident_reason'>[]): string[] =>
  [...new Set(reports.flatMap(({ incident_reason }) => incident_reason?.code ?? []))].sort();

/** The derived id of a scan; with `reason` if it is not the only or the first reason of its identity. */
export const idOfReason = ({ provider, instant, status_code, raw }: Report, reason: string | undefined): string =>
  derivedEventId(provider, instant, codeKey(raw?.code) ?? status_code, reason);
