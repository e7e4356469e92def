/**
 * Merges the reports of one scan (rule N10 of the protocol). Pure. Of two values for one member, the one with the later
 * `source.recorded_at` counts, or else the later one in the log. Reports that only add members give the same scan in any
 * order.
 */
import { instantOf, type Instant } from '../otep/time.js';
import type { RecordedScan } from './events.js';

type Mutable = { -readonly [M in keyof RecordedScan]: RecordedScan[M] };
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

/** The scan that the reports describe together. `reports`: at least one, in the order of the log. */
export function merged<R extends RecordedScan>(reports: readonly R[]): R {
  const [first, ...others] = reports as readonly [R, ...R[]];
  if (others.length === 0) return first;
  const scan: Mutable = { ...first };
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
      (scan as Record<Member, unknown>)[member] = value;
      if (!isOlder) times.set(member, time);
    }
  }
  return scan as R;
}

/** If the producer states when it recorded each report, the order of arrival has no effect. */
function inOrderOfRecording<R extends RecordedScan>(reports: readonly R[]): readonly R[] {
  const timed = reports.map((report) => ({ report, time: recordedAt(report) }));
  if (timed.some(({ time }) => time === undefined)) return reports;
  return timed.sort((a, b) => (a.time! < b.time! ? -1 : a.time! > b.time! ? 1 : 0)).map(({ report }) => report);
}

/** The time at which the producer recorded the report. */
function recordedAt({ source }: RecordedScan): Instant | undefined {
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

/**
 * The content of a report as text: equal for reports that say the same. It does not contain personal members, which are
 * compared by `personal_hash`. The producer's record time may differ between two pushes of one report.
 */
export function contentOf(scan: RecordedScan): string {
  const { phase, location, incident_reason, raw, source } = scan;
  const { recorded_at: _recorded, name: _source, ...origin } = source ?? {};
  const { name: _place, exact: _exact, ...place } = location ?? {};
  return JSON.stringify(
    [phase, sorted(place), incident_reason?.code, raw?.code, sorted(origin)].map((part) => part ?? null),
  );
}

const sorted = (part: Part): [string, unknown][] =>
  Object.entries(part)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** What the decider keeps of a report, to judge whether a later one adds anything. */
export interface ReportSummary {
  readonly content: string;
  readonly recorded_at: string | undefined;
  readonly personal_hash: string | undefined;
}

export const summaryOf = (scan: RecordedScan): ReportSummary => ({
  content: contentOf(scan),
  recorded_at: scan.source?.recorded_at,
  personal_hash: scan.personal_hash,
});

/**
 * Whether a report adds members to the known reports of its scan, or corrects them. Personal members count as new unless
 * a known report has all of them.
 */
export function addsTo(known: readonly ReportSummary[], given: ReportSummary): boolean {
  if (given.personal_hash !== undefined && !known.some(({ personal_hash }) => personal_hash === given.personal_hash))
    return true;
  // A repeated report without a record time may be a retry, which must not undo a later correction.
  const equal = known.filter(({ content }) => content === given.content);
  if (equal.some(({ recorded_at }) => given.recorded_at === undefined || recorded_at === given.recorded_at))
    return false;
  const before = known.map(fromSummary);
  const scan = fromSummary(given);
  // An older value that does not count now may decide between later reports, so it is kept.
  const isTimed = given.recorded_at !== undefined && known.every(({ recorded_at }) => recorded_at !== undefined);
  const untimed = fromSummary({ ...given, recorded_at: undefined });
  if (isTimed && !before.some((one) => contentOf(merged([one, untimed])) === contentOf(one))) return true;
  return contentOf(merged(before)) !== contentOf(merged([...before, scan]));
}

/** A scan with the members of the content alone: enough to merge and compare it. */
function fromSummary({ content, recorded_at }: ReportSummary): RecordedScan {
  const [phase, place, reason, raw, origin] = JSON.parse(content) as [
    string | null,
    [string, unknown][],
    string | null,
    string | null,
    [string, unknown][],
  ];
  const scan = {
    ...(phase !== null && { phase }),
    ...(place.length > 0 && { location: Object.fromEntries(place) }),
    ...(reason !== null && { incident_reason: { code: reason } }),
    ...(raw !== null && { raw: { code: raw } }),
    source: { ...Object.fromEntries(origin), ...(recorded_at !== undefined && { recorded_at }) },
  };
  return scan as unknown as RecordedScan;
}
