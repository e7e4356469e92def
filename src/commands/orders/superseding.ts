/** Undoes wrong scans: an event supersedes the scan, which stays in the log but no longer counts. */
import type { Fact } from '../../events/core/codec.js';
import type { JsonObject } from '../../events/core/log.js';
import { PackageScanSettled, PackageScanSuperseded } from '../../events/orders/events.js';
import { DomainError } from '../core/domain-error.js';
import type { CommandTo } from './command.js';
import type { EventFactory } from './rules.js';
import { withoutScan, type ScanRecord } from './scan-course.js';
import { scanEvent } from './scan-effects.js';
import { followed, movesAtTime, rejectionOf } from './scanning.js';
import { copyOf, evolve, type OrderState } from './state.js';

/**
 * Supersedes a scan of a driver or of staff, and records its replacement. Throws SCAN_NOT_FOUND, SCAN_SUPERSEDED if it
 * was superseded before, and the reason why the replacement contradicts the order. Throws ORDER_NOT_FOUND with `own`
 * for a scan of someone else.
 */
export function supersedeScan(state: OrderState, command: CommandTo<'supersede_scan'>, newEvent: EventFactory): Fact[] {
  const { scanId, own = false, reason, replacement, by } = command;
  const { scans, superseded } = state.history;
  const scan = scans.get(scanId);
  // A driver learns nothing about orders of others.
  if (own && scan?.scanned_by !== by) throw new DomainError('ORDER_NOT_FOUND');
  if (superseded.has(scanId)) throw new DomainError('SCAN_SUPERSEDED');
  if (!scan || scan.scan !== undefined) throw new DomainError('SCAN_NOT_FOUND');
  const undone = undo(state, scanId, scan, { reason, superseded_by: by }, newEvent);
  if (!replacement) return [undone];
  const { type, id, data } = undone;
  const next = evolve(copyOf(state), { type: type.type, id, data: data as JsonObject });
  const right = { ...replacement, tracking_number: scan.tracking_number, ...(by !== undefined && { by }) };
  const code = rejectionOf(next, right);
  if (code !== undefined) throw new DomainError(code, { status: next.status });
  return [undone, scanEvent(right, newEvent), ...movesAtTime(next, right, newEvent)];
}

/** A carrier retracted a scan that the order had followed, or that was kept as a conflict. */
export function unfollowScan(state: OrderState, command: CommandTo<'unfollow_scan'>, newEvent: EventFactory): Fact[] {
  const { scans, conflicts } = state.history;
  const open = [...conflicts.values()].find(
    ({ decision, timeline_event }) =>
      decision === undefined && timeline_event !== undefined && command.scans.includes(timeline_event),
  );
  if (open) return [newEvent(PackageScanSettled, { conflict_id: open.conflict_id, decision: 'discard' })];
  const scanId = command.scans.find((id) => scans.get(id)?.scan !== undefined);
  return scanId === undefined ? [] : [undo(state, scanId, scans.get(scanId)!, {}, newEvent)];
}

/** A carrier withdrew the retraction of a scan that the order had followed. */
export function followScanAgain(
  state: OrderState,
  command: CommandTo<'follow_scan_again'>,
  newEvent: EventFactory,
): Fact[] {
  const { superseded } = state.history;
  const id = command.scans.find((one) => superseded.get(one)?.scan !== undefined);
  if (id === undefined) return [];
  const scan = superseded.get(id)!;
  return followed(state, { ...command, ...scan, occurred_at: scan.instant, scan: id }, newEvent);
}

function undo(
  { history, status }: OrderState,
  scan_id: string,
  { tracking_number }: ScanRecord,
  decided: { readonly reason?: string | undefined; readonly superseded_by?: number | undefined },
  newEvent: EventFactory,
): Fact {
  const before = withoutScan(history.course, scan_id).status;
  const moved = history.parcels.get(tracking_number);
  const remaining = [...history.scans].flatMap(([id, scan]) => (id === scan_id ? [] : [scan]));
  const last = newest(remaining);
  return newEvent(PackageScanSuperseded, {
    scan_id,
    tracking_number,
    ...(before !== status && { status: before }),
    ...(moved?.by === scan_id && { parcel: moved.before }),
    ...(last && {
      last_scan: {
        status_code: last.status_code,
        instant: last.instant,
        reason_code: last.reason_code,
        driver_id: last.driver_id,
      },
    }),
    last_package_scan: newest(remaining.filter((scan) => scan.tracking_number === tracking_number))?.status_code,
    ...decided,
  });
}

const newest = (scans: readonly ScanRecord[]): ScanRecord | undefined =>
  scans.reduce<ScanRecord | undefined>(
    (latest, scan) => (latest && latest.instant > scan.instant ? latest : scan),
    undefined,
  );
