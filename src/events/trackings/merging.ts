/**
 * Merges the reports of one scan (rule N10 of the protocol). Pure. If one member has two values, the value with the
 * later `source.recorded_at` counts, or else the later value in the log. Reports that only add members give the same
 * scan in any order.
 */
import { instantOf, type Instant } from '../otep/time.js';
import type { RecordedScan } from './events.js';

type Part = Readonly<Record<string, unknown>>;

/** Members that a later report can add or correct. The others belong to the identity, or to the first report. */
const MEMBERS = [
  'phase',
  'location',
  'incident_reason',
  'raw',
  'description',
  'proof',
  'extensions',
  'source',
] as const;
type Member = (typeof MEMBERS)[number];
type Mergeable = Partial<Pick<RecordedScan, Member>>;

/** The scan that the reports describe together. `reports`: at least one, in the order of the log. */
export function merged<R extends Mergeable>(reports: readonly R[]): R {
  const [first, ...others] = reports as readonly [R, ...R[]];
  if (others.length === 0) return first;
  const scan: Record<string, unknown> = { ...first };
  for (const member of MEMBERS) delete scan[member];
  /** Record time of the value that currently counts, by member. */
  const times = new Map<Member, Instant | undefined>();
  for (const report of inOrderOfRecording(reports)) {
    const time = recordedAt(report);
    for (const member of MEMBERS) {
      const given = report[member];
      if (given === undefined) continue;
      const known = times.get(member);
      const isOlder = time !== undefined && known !== undefined && time < known;
      const value = isOlder ? combined(member, given, scan[member]) : combined(member, scan[member], given);
      scan[member] = value;
      if (!isOlder) times.set(member, time);
    }
  }
  return scan as unknown as R;
}

/** If the producer states when it recorded each report, the order of arrival has no effect. */
function inOrderOfRecording<R extends Mergeable>(reports: readonly R[]): readonly R[] {
  const timed = reports.map((report) => ({ report, time: recordedAt(report) }));
  if (timed.some(({ time }) => time === undefined)) return reports;
  return timed.sort((a, b) => (a.time! < b.time! ? -1 : a.time! > b.time! ? 1 : 0)).map(({ report }) => report);
}

/** The time at which the producer recorded the report. */
function recordedAt({ source }: Mergeable): Instant | undefined {
  return source?.recorded_at === undefined ? undefined : (instantOf(source.recorded_at) ?? undefined);
}

/** The value of a member from an older and a newer report; `older` is undefined if only the newer one has it. */
function combined(member: Member, older: unknown, newer: unknown): unknown {
  if (older === undefined) return newer;
  switch (member) {
    case 'phase':
    case 'description':
      return newer;
    case 'source':
    case 'extensions':
      return { ...(older as Part), ...(newer as Part) };
    default:
      return agrees(older as Part, newer as Part) ? union(older as Part, newer as Part) : newer;
  }
}

/** Newer coordinates replace older ones completely: exact ones do not belong to other rounded ones. */
function union({ exact, ...older }: Part, newer: Part): Part {
  const isKept = exact !== undefined && newer['latitude'] === undefined;
  return { ...older, ...(isKept && { exact }), ...newer };
}

/** Coordinates, and personal texts: public and full view must agree. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['latitude', 'longitude', 'exact', 'name', 'text', 'url']);

/**
 * Whether two values describe the same thing, so that each completes the other: all texts in both are equal without
 * regard to case. A place with another city is a correction, and replaces the former place completely. Coordinates vary
 * with each measurement, and personal texts are not in every view, so they are not compared.
 */
const agrees = (older: Part, newer: Part): boolean =>
  Object.entries(newer).every(
    ([name, value]) => NOT_COMPARED.has(name) || older[name] === undefined || folded(older[name]) === folded(value),
  );

const folded = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : JSON.stringify(value));

/** What the decider keeps of a report, to judge whether a later one adds anything. It contains no personal members. */
export interface ReportSummary extends Pick<RecordedScan, 'phase' | 'location' | 'source' | 'personal_hash'> {
  readonly reason: string | undefined;
  readonly rawCode: string | undefined;
}

/** Only picks members: most scans are reported once, so most summaries are never compared. */
export const summaryOf = (scan: RecordedScan): ReportSummary => ({
  phase: scan.phase,
  location: withoutPersonal(scan.location),
  reason: scan.incident_reason?.code,
  rawCode: scan.raw?.code,
  source: withoutName(scan.source),
  personal_hash: scan.personal_hash,
});

function withoutPersonal(location: RecordedScan['location']): RecordedScan['location'] {
  if (location?.name === undefined && location?.exact === undefined) return location;
  const { name: _name, exact: _exact, ...place } = location;
  return place;
}

function withoutName(source: RecordedScan['source']): RecordedScan['source'] {
  if (source?.name === undefined) return source;
  const { name: _name, ...origin } = source;
  return origin;
}

/** The members of a scan that a summary contains, to merge them with members of other reports. */
const scanFrom = ({ phase, location, reason, rawCode, source }: ReportSummary): Mergeable => ({
  phase,
  location,
  source,
  ...(reason !== undefined && { incident_reason: { code: reason } }),
  ...(rawCode !== undefined && { raw: { code: rawCode } }),
});

/**
 * The content of reports as text: equal for scans with the same content, without personal members. The producer's
 * record time may differ between two pushes of one report.
 */
function contentOf(reports: readonly ReportSummary[]): string {
  const { phase, location, incident_reason, raw, source } = merged(reports.map(scanFrom));
  const { recorded_at: _recorded, ...origin } = source ?? {};
  return JSON.stringify([phase, sorted(location ?? {}), incident_reason?.code, raw?.code, sorted(origin)]);
}

const sorted = (part: Part): [string, unknown][] =>
  Object.entries(part)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/**
 * Whether a report adds members to the known reports of its scan, or corrects them. Personal members count as new unless
 * a known report has all of them: they are compared by `personal_hash`.
 */
export function addsTo(known: readonly ReportSummary[], given: ReportSummary): boolean {
  if (given.personal_hash !== undefined && !known.some(({ personal_hash }) => personal_hash === given.personal_hash))
    return true;
  const content = contentOf([given]);
  const time = given.source?.recorded_at;
  // A repeated report without a record time may be a retry, which must not undo a later correction.
  const equal = known.filter((report) => contentOf([report]) === content);
  if (equal.some(({ source }) => time === undefined || source?.recorded_at === time)) return false;
  // An older value that does not count now may decide between later reports, so it is kept.
  const isTimed = time !== undefined && known.every(({ source }) => source?.recorded_at !== undefined);
  const untimed = { ...given, source: { ...given.source, recorded_at: undefined } };
  if (isTimed && !known.some((one) => contentOf([one, untimed]) === contentOf([one]))) return true;
  return contentOf(known) !== contentOf([...known, given]);
}
