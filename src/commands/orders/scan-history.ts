/**
 * What an order remembers of its scans, so that a late scan is judged by the state at its time, a conflict can be
 * settled, and a wrong scan can be undone. Part of the state; it contains no personal data.
 */
import {
  isInHand,
  OrderCreated,
  OrderPutOnRoute,
  OrderStatusChanged,
  OrderTakenOffRoute,
  PackageEnded,
  PackageScanned,
  PackageScanSuperseded,
  PackageScanKept,
  PackageScanSettled,
  statusAfter,
  type Package,
  type Parcel,
  type ScanConflict,
  type ScanDecision,
} from '../../events/orders/events.js';
import { instantOf } from '../../events/otep/time.js';
import type { PastEvent } from '../core/decider.js';
import {
  addDecision,
  addMove,
  addScan,
  copyOfCourse,
  newCourse,
  withoutScan,
  type Course,
  type End,
  type ScanRecord,
} from './scan-course.js';

export interface ScanHistory {
  /** Scans that count, by event id; carriers' scans by the id of the timeline's event. */
  readonly scans: Map<string, ScanRecord>;
  readonly superseded: Map<string, ScanRecord | undefined>;
  readonly conflicts: Map<string, ScanConflict & { readonly decision?: ScanDecision }>;
  /** What the scans and the decisions of users led to. */
  course: Course;
  /** The last scan that moved a parcel, and the parcel before it. Absent if something else moved the parcel since. */
  readonly parcels: Map<string, { readonly by: string; readonly op: string | undefined; readonly before: Parcel }>;
  /** The latest PackageScanned, to which a following change of status in the same append belongs. */
  lastScan: string | undefined;
}

/** The part by which a repetition is recognized. */
export type KnownScans = Pick<ScanHistory, 'scans' | 'superseded' | 'conflicts'> & {
  readonly course: Pick<Course, 'ends'>;
};

export const noScans = (): ScanHistory => ({
  scans: new Map(),
  superseded: new Map(),
  conflicts: new Map(),
  course: newCourse(),
  parcels: new Map(),
  lastScan: undefined,
});

export const copyOfScans = (history: ScanHistory): ScanHistory => ({
  ...history,
  scans: new Map(history.scans),
  superseded: new Map(history.superseded),
  conflicts: new Map(history.conflicts),
  course: copyOfCourse(history.course),
  parcels: new Map(history.parcels),
});

export function evolveScans(history: ScanHistory, { type, id, data, recordedAt = '' }: PastEvent): void {
  const scan = data as unknown as ScanRecord & { readonly settles?: string };
  switch (type) {
    case OrderCreated.type:
      history.course = newCourse((data['packages'] as readonly Package[]).map((one) => one.tracking_number));
      break;
    case PackageScanned.type:
      history.lastScan = id;
      history.scans.set(id, scan);
      addScan(history.course, id, scan, scan.settles !== undefined);
      break;
    case OrderStatusChanged.type:
    case PackageEnded.type:
      // A scan that an office accepted is known before.
      if (scan.scan !== undefined && !history.scans.has(scan.scan)) {
        history.superseded.delete(scan.scan);
        history.scans.set(scan.scan, scan);
        addScan(history.course, scan.scan, scan, false);
      }
      break;
    case PackageScanKept.type:
      history.conflicts.set(data['conflict_id'] as string, data as unknown as ScanConflict);
      break;
    case PackageScanSettled.type: {
      const { conflict_id, decision } = data as unknown as { conflict_id: string; decision: ScanDecision };
      const conflict = history.conflicts.get(conflict_id)!;
      history.conflicts.set(conflict_id, { ...conflict, decision });
      if (decision === 'apply' && conflict.timeline_event !== undefined) {
        const accepted = { ...conflict, scan: conflict.timeline_event };
        history.scans.set(accepted.scan, accepted);
        addScan(history.course, accepted.scan, accepted, true);
      }
      break;
    }
    case PackageScanSuperseded.type:
      forget(history, data['scan_id'] as string);
      return;
  }
  const status = statusAfter(type, data);
  if (status === undefined) return;
  const cause = type === OrderStatusChanged.type ? (scan.scan ?? history.lastScan) : undefined;
  const by = cause !== undefined && history.scans.has(cause) ? cause : undefined;
  if (by !== undefined) addMove(history.course, by, status);
  else addDecision(history.course, { status, at: instantOf(recordedAt) ?? '', ...ROUTING[type] });
}

const ROUTING: Readonly<Record<string, { readonly route: 'on' | 'off' }>> = {
  [OrderPutOnRoute.type]: { route: 'on' },
  [OrderTakenOffRoute.type]: { route: 'off' },
};

function forget(history: ScanHistory, id: string): void {
  history.course = withoutScan(history.course, id);
  history.superseded.set(id, history.scans.get(id));
  history.scans.delete(id);
  for (const [number, { by }] of history.parcels) if (by === id) history.parcels.delete(number);
}

/** Notes which scan moved a parcel. Additional events of the same scanner operation belong to that scan. */
export function noteParcel({ parcels }: ScanHistory, { type, id, data }: PastEvent, before: Parcel): void {
  const number = data['tracking_number'] as string;
  const op = data['op_id'] as string | undefined;
  const by = type === PackageScanned.type ? id : (data['scan'] as string | undefined);
  if (by !== undefined) parcels.set(number, { by, op, before });
  else if (type !== OrderStatusChanged.type && (op === undefined || parcels.get(number)?.op !== op))
    parcels.delete(number);
}

/** The end of a package that counts; undefined: the package has not ended. */
export const endOf = ({ course }: Pick<KnownScans, 'course'>, number: string): End | undefined =>
  course.ends.get(number)?.at(-1);

/** Whether the order was picked up or received at least once. */
export const wasInHand = ({ course }: Pick<ScanHistory, 'course'>): boolean =>
  course.changes.some(({ status }) => isInHand(status));
