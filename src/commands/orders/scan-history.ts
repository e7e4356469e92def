/**
 * What an order remembers of its scans, so that a late scan is judged by the state at its time, a conflict can be
 * settled, and a wrong scan can be undone. Part of the state; it contains no personal data.
 */
import {
  isFinal,
  OrderStatusChanged,
  PackageEnded,
  PackageScanned,
  PackageScanSuperseded,
  PackageScanKept,
  PackageScanSettled,
  statusAfter,
  statusOfCode,
  type OrderStatus,
  type Parcel,
  type ScanConflict,
  type ScanDecision,
} from '../../events/orders/events.js';
import { instantOf, type Instant } from '../../events/otep/time.js';
import type { PastEvent } from '../core/decider.js';

export interface ScanRecord {
  readonly tracking_number: string;
  readonly status_code: string;
  readonly instant: Instant;
  readonly scanned_by?: number;
  readonly driver_id?: number;
  readonly reason_code?: string;
  /** The scan is of a carrier: its event in the timeline has this id. */
  readonly scan?: string;
}

/** A change of the order's status. `by`: the scan that caused it; absent: a user's decision. */
interface StatusChange {
  readonly status: OrderStatus;
  readonly at: Instant;
  readonly by?: string;
}

/** The end of a package: its final status, and the scan that brought it. */
interface End {
  readonly status: OrderStatus;
  readonly at: Instant;
  readonly by: string;
}

export interface ScanHistory {
  /** Scans that count, by event id; carriers' scans by the id of the timeline's event. */
  readonly scans: Map<string, ScanRecord>;
  readonly superseded: Set<string>;
  readonly conflicts: Map<string, ScanConflict & { readonly decision?: ScanDecision }>;
  /** Oldest first. */
  readonly changes: StatusChange[];
  /** By tracking number. A further end counts only if an office has accepted it. */
  readonly ends: Map<string, readonly End[]>;
  /** The last scan that moved a parcel, and the parcel before it. Absent if something else moved the parcel since. */
  readonly parcels: Map<string, { readonly by: string; readonly op: string | undefined; readonly before: Parcel }>;
  /** The latest PackageScanned, to which a following change of status in the same append belongs. */
  lastScan: string | undefined;
}

export const noScans = (): ScanHistory => ({
  scans: new Map(),
  superseded: new Set(),
  conflicts: new Map(),
  changes: [],
  ends: new Map(),
  parcels: new Map(),
  lastScan: undefined,
});

export const copyOfScans = (history: ScanHistory): ScanHistory => ({
  ...history,
  scans: new Map(history.scans),
  superseded: new Set(history.superseded),
  conflicts: new Map(history.conflicts),
  changes: [...history.changes],
  ends: new Map(history.ends),
  parcels: new Map(history.parcels),
});

export function evolveScans(history: ScanHistory, { type, id, data, recordedAt = '' }: PastEvent): void {
  const scan = data as unknown as ScanRecord & { readonly settles?: string };
  switch (type) {
    case PackageScanned.type:
      history.lastScan = id;
      history.scans.set(id, scan);
      addEnd(history, id, scan, scan.settles !== undefined);
      break;
    case OrderStatusChanged.type:
    case PackageEnded.type:
      if (scan.scan !== undefined) {
        history.scans.set(scan.scan, scan);
        addEnd(history, scan.scan, scan, false);
      }
      break;
    case PackageScanKept.type:
      history.conflicts.set(data['conflict_id'] as string, data as unknown as ScanConflict);
      break;
    case PackageScanSettled.type: {
      const { conflict_id, decision } = data as unknown as { conflict_id: string; decision: ScanDecision };
      const conflict = history.conflicts.get(conflict_id)!;
      history.conflicts.set(conflict_id, { ...conflict, decision });
      if (decision === 'apply' && conflict.timeline_event !== undefined)
        addEnd(history, conflict.timeline_event, conflict, true);
      break;
    }
    case PackageScanSuperseded.type:
      forget(history, data['scan_id'] as string);
      return;
  }
  const status = statusAfter(type, data);
  if (status === undefined) return;
  const by = type === OrderStatusChanged.type ? (scan.scan ?? history.lastScan) : undefined;
  const at = by === undefined ? (instantOf(recordedAt) ?? '') : scan.instant;
  history.changes.push({ status, at, ...(by !== undefined && { by }) });
}

/** `replaces`: an office accepted the scan, although the package has ended. */
function addEnd({ ends }: ScanHistory, by: string, scan: ScanRecord, replaces: boolean): void {
  const status = statusOfCode(scan.status_code);
  const before = ends.get(scan.tracking_number) ?? [];
  if (!status || !isFinal(status) || (before.length > 0 && !replaces)) return;
  ends.set(scan.tracking_number, [...before, { status, at: scan.instant, by }]);
}

function forget(history: ScanHistory, id: string): void {
  const remaining = withoutScan(history, id);
  history.superseded.add(id);
  history.scans.delete(id);
  history.changes.splice(0, Infinity, ...remaining.changes);
  for (const [number, ends] of remaining.ends) history.ends.set(number, ends);
  for (const [number, { by }] of history.parcels) if (by === id) history.parcels.delete(number);
}

/** Changes of status and ends of packages as they are without the scan. */
export function withoutScan({ changes, ends }: ScanHistory, id: string): Pick<ScanHistory, 'changes' | 'ends'> {
  const without = new Map([...ends].map(([number, all]) => [number, all.filter(({ by }) => by !== id)]));
  const lost = [...ends].some(([number, all]) => all.length > 0 && without.get(number)!.length === 0);
  const remaining = changes.filter(({ by }) => by !== id);
  // The order has not ended if one of its packages has not.
  while (lost && remaining.at(-1)?.by !== undefined && isFinal(remaining.at(-1)!.status)) remaining.pop();
  return { changes: remaining, ends: without };
}

/** Notes which scan moved a parcel. Further events of the same scanner operation belong to that scan. */
export function noteParcel({ parcels }: ScanHistory, { type, id, data }: PastEvent, before: Parcel): void {
  const number = data['tracking_number'] as string;
  const op = data['op_id'] as string | undefined;
  const by = type === PackageScanned.type ? id : (data['scan'] as string | undefined);
  if (by !== undefined) parcels.set(number, { by, op, before });
  else if (type !== OrderStatusChanged.type && (op === undefined || parcels.get(number)?.op !== op))
    parcels.delete(number);
}

export const endOf = ({ ends }: ScanHistory, number: string): End | undefined => ends.get(number)?.at(-1);

/** Time of the last change of status by a scan; '': there was none. */
export const movedAt = (changes: readonly StatusChange[]): Instant =>
  changes.reduce((latest, { by, at }) => (by !== undefined && at > latest ? at : latest), '');
