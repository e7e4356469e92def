/**
 * The lives of a number of one owner, computed from all its trackings when a timeline is read (rules N1 to N3 of the
 * protocol). A tracking is only a partition of the stored scans. Pure.
 */
import { isOurNumber } from '../../events/orders/numbers.js';
import type { Subject } from '../../events/otep/model.js';
import { livesOf as divided } from '../../events/otep/lives.js';
import { compareKeys } from '../../events/otep/timeline.js';
import type { Instant } from '../../events/otep/time.js';
import { scanEventId, type Owner, type PlannedDelivery } from '../../events/trackings/events.js';
import { derivedKey, scansOf, type ReportedScan } from '../../events/trackings/identity.js';
import { merged } from '../../events/trackings/merging.js';
import { cursorsOf } from './cursors.js';
import type { StoredRetraction, StoredScan, TrackingRow } from './row.js';

/** One scan with all its reports, in the order of the log. */
export interface LifeEvent {
  readonly event_id: string;
  /** UUID of the first stored report, under which other formats publish the event. */
  readonly id: string;
  readonly instant: Instant;
  readonly status_code: string;
  readonly phase?: string | undefined;
  readonly reports: readonly [StoredScan, ...StoredScan[]];
  /** Position of the last change of the scan in the changes of the number; see cursors.ts. */
  readonly cursor: number;
  /** Present if the scan was retracted. */
  readonly retraction?: StoredRetraction;
  /** Public name of the carrier, if the life merges the scans of several; see network-lives.ts. */
  readonly carrier?: string;
}

/** The journey of one parcel, as one owner recorded it, or as the members of a network did. */
export interface Life {
  /** Id of the first tracking of the number. */
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly subject: Subject;
  /** 1 is the oldest. */
  readonly index: number;
  /** Number of lives. */
  readonly count: number;
  readonly planned: PlannedDelivery | null;
  /** Cursor of the last change of the number. */
  readonly revision: number;
  /** Time of the last event of the number: RFC 3339, UTC. */
  readonly recorded_at: string;
  /** In the order of rule 1, with retracted ones. */
  readonly events: readonly LifeEvent[];
  readonly retractions: readonly (StoredRetraction & { readonly cursor: number })[];
}

/**
 * All lives of the number, oldest first; at least one, which is empty if there are no scans. `rows`: at least one.
 * `trackingOf`: the first tracking of the owner of a report, if the trackings have several owners.
 */
export function livesOf(rows: readonly TrackingRow[], trackingOf?: (report: StoredScan) => string): [Life, ...Life[]] {
  const trackings = rows.toSorted((a, b) => a.generation - b.generation);
  const first = trackings[0]!;
  const { cursors, revision } = cursorsOf(trackings);
  const scans = inLogOrder(trackings.flatMap((row) => row.scans));
  const retractions = inLogOrder(trackings.flatMap((row) => row.retractions));
  const about = groupedBy(retractions, ({ provider, retracts }) => `${provider} ${retracts}`);
  const events = withSharedCursors(
    scansOf(scans).map((scan) => ({
      scan,
      event: eventOf(scan, trackingOf?.(scan.reports[0]!) ?? first.id, about, cursors),
    })),
  ).sort((a, b) => compareKeys(a, b));
  const active = events.filter(({ retraction }) => !retraction);
  // This service never issues a number twice, so a large gap comes from a wrong clock or from a long wait.
  const lives = isOurNumber(first.number) || active.length === 0 ? [active] : divided(active);
  const common = {
    id: first.id,
    owner: first.owner,
    number: first.number,
    count: lives.length,
    revision,
    recorded_at: trackings.reduce((latest, { recorded_at }) => (recorded_at > latest ? recorded_at : latest), ''),
    retractions: retractions.map((retraction) => ({ ...retraction, cursor: cursors.get(retraction.id)! })),
  };
  return mapNonEmpty(lives as [LifeEvent[], ...LifeEvent[][]], (_, at) => ({
    ...common,
    index: at + 1,
    subject: subjectOf(trackings, lives, at),
    planned: at === lives.length - 1 ? (trackings.findLast(({ planned }) => planned)?.planned ?? null) : null,
    events: within(events, lives, at),
  }));
}

/**
 * The identifiers of the parcel of a life. If the number has several lives, these are the number and the identifiers
 * that were pushed with the scans of the life: events of another life belong to another parcel.
 */
function subjectOf(trackings: readonly TrackingRow[], lives: readonly (readonly LifeEvent[])[], at: number): Subject {
  const all = (subjects: readonly Subject[]) => Object.assign({}, ...subjects) as Subject;
  if (lives.length === 1) return all(trackings.map(({ subject }) => subject));
  const own = new Set(lives[at]!.flatMap(({ reports }) => reports.map(({ id }) => id)));
  const { tracking_number } = trackings[0]!.subject;
  const pushed = trackings.flatMap(({ subjects, scans }) =>
    subjects.flatMap(({ revision, subject }) => {
      // The first identifiers precede the scans that were pushed with them; all others follow them.
      const scan =
        revision === 0
          ? scans.find((one) => one.revision > revision)
          : scans.findLast((one) => one.revision < revision);
      return scan && own.has(scan.id) ? [subject] : [];
    }),
  );
  return all([...pushed, ...(tracking_number === undefined ? [] : [{ tracking_number }])]);
}

const mapNonEmpty = <T, R>(
  [first, ...others]: readonly [T, ...T[]],
  map: (one: T, index: number) => R,
): [R, ...R[]] => [map(first, 0), ...others.map((one, index) => map(one, index + 1))];

/**
 * Scans that incident reasons separate change together: another scan can change the ids of the others. A reader that
 * polls therefore gets all of them.
 */
function withSharedCursors(
  scans: readonly { readonly scan: ReportedScan<StoredScan>; readonly event: LifeEvent }[],
): LifeEvent[] {
  const separated = scans.filter(({ scan }) => scan.isSeparated);
  if (separated.length === 0) return scans.map(({ event }) => event);
  const groups = groupedBy(separated, ({ scan }) => derivedKey(scan.reports[0]!));
  return scans.map(({ scan, event }) =>
    scan.isSeparated
      ? { ...event, cursor: Math.max(...groups.get(derivedKey(scan.reports[0]!))!.map((one) => one.event.cursor)) }
      : event,
  );
}

function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** Most numbers have one tracking, whose scans have the order of the log. */
const inLogOrder = <E extends Pick<StoredScan, 'position'>>(scans: E[]): E[] =>
  scans.every(({ position }, index) => index === 0 || scans[index - 1]!.position <= position)
    ? scans
    : scans.sort((a, b) => (a.position < b.position ? -1 : 1));

/**
 * One event of a number. The reports of a scan without a producer's id may have been stored under several ids: if
 * incident reasons separate it from others, the report with its reason decides whether it is retracted.
 */
function eventOf(
  { event_id, reports, isSeparated }: ReportedScan<StoredScan>,
  tracking: string,
  retractions: ReadonlyMap<string, readonly StoredRetraction[]>,
  cursors: ReadonlyMap<string, number>,
): LifeEvent {
  const about = (scan: StoredScan) => retractions.get(`${scan.provider} ${scan.event_id}`) ?? [];
  const deciding = isSeparated ? reports.filter(({ incident_reason }) => incident_reason) : reports;
  const active = deciding.some((scan) => !effectiveOf(about(scan)))
    ? reports.filter((scan) => (isSeparated && !scan.incident_reason) || !effectiveOf(about(scan)))
    : [];
  const [first, ...others] = active.length > 0 ? active : reports;
  const retraction = active.length === 0 ? effectiveOf(about(deciding[0]!)) : undefined;
  const { instant, status_code, phase } = others.length === 0 ? first! : merged([first!, ...others]);
  const changes = [...reports, ...reports.flatMap((scan) => about(scan).filter(({ withdrawn }) => withdrawn))];
  return {
    event_id,
    id: isSeparated ? scanEventId(tracking, event_id) : first!.id,
    instant,
    status_code,
    phase,
    reports: [first!, ...others],
    cursor: Math.max(...changes.map(({ id }) => cursors.get(id)!)),
    ...(retraction && { retraction }),
  };
}

/** The first retraction that applies; undefined if there is none, or if they were withdrawn. In the order of the log. */
export const effectiveOf = <R extends Pick<StoredRetraction, 'withdrawn'>>(retractions: readonly R[]): R | undefined =>
  retractions.slice(retractions.findLastIndex(({ withdrawn }) => withdrawn) + 1)[0];

/** The events of one life, with the retracted events of its time. Life `at` lasts until the next life begins. */
function within(events: readonly LifeEvent[], lives: readonly (readonly LifeEvent[])[], at: number): LifeEvent[] {
  const begin = at === 0 ? '' : lives[at]![0]!.instant;
  const end = lives[at + 1]?.[0]!.instant;
  const own = new Set(lives[at]);
  return events.filter((event) =>
    event.retraction ? event.instant >= begin && (end === undefined || event.instant < end) : own.has(event),
  );
}

/** The default life: the latest life that has started at `now`, or else the first life. */
export const currentLife = <L extends Life>(lives: readonly [L, ...L[]], now: Instant): L =>
  lives.findLast(({ events }) => events.some(({ instant, retraction }) => !retraction && instant <= now)) ?? lives[0];
