/** Scans that contradict the order: why, how they are kept, and how an office settles them. */
import type { Fact } from '../../events/core/codec.js';
import {
  isEnd,
  isFinal,
  PackageScanKept,
  PackageScanSettled,
  returnMembersOf,
  type ConflictCode,
  type ScanConflict,
} from '../../events/orders/events.js';
import { DomainError } from '../core/domain-error.js';
import type { CommandTo, OrderCommand, ScanContent, ScanOfPackage } from './command.js';
import { factId, type EventFactory } from './rules.js';
import { moves, scanEvent } from './scan-effects.js';
import { endOf } from './scan-history.js';
import type { OrderState } from './state.js';

/** A parcel can always be received, whatever the order's status. */
export const isReceipt = (code: string): boolean => code === 'received' || code === 'arrival_scan';

/**
 * Why a scan contradicts the order; undefined: it does not. After the end of an order or package, these scans are
 * still applied:
 *
 * - receipts, and the return of a cancelled order's parcel,
 * - scans of earlier moments that end nothing.
 */
export function conflictOf(
  { status, history }: OrderState,
  { tracking_number, status_code, instant }: Omit<ScanOfPackage, 'occurred_at'>,
): Exclude<ConflictCode, 'DRIVER_REPLACED'> | undefined {
  const end = endOf(history, tracking_number);
  const ended = end ?? (isFinal(status) ? history.course.changes.at(-1) : undefined);
  if (ended === undefined || isReceipt(status_code)) return undefined;
  if (status === 'CANCELLED' && end === undefined && status_code === 'return_to_sender') return undefined;
  if (!isEnd(status_code) && instant < ended.at) return undefined;
  return ended.status === 'DELIVERED' ? 'ALREADY_DELIVERED' : 'ORDER_CLOSED';
}

/** The only event of the command: its id is also the id of the conflict, so that a retry finds it. */
export function keepConflict(
  command: OrderCommand,
  scan: Omit<ScanConflict, 'conflict_id' | 'order_id' | 'business' | keyof ScanContent> & ScanContent,
  newEvent: EventFactory,
): Fact {
  const { code, tracking_number, status_code, occurred_at, instant, driver_id, scanned_by } = scan;
  const { provider, timeline_event, reason_code, gps, photos, note } = scan;
  return newEvent(PackageScanKept, {
    conflict_id: factId(command),
    order_id: command.orderId,
    business: command.business,
    code,
    tracking_number,
    status_code,
    occurred_at,
    instant,
    driver_id,
    scanned_by,
    provider,
    timeline_event,
    reason_code,
    gps,
    photos: photos && [...photos],
    note,
    ...returnMembersOf(scan),
  });
}

/**
 * An office applies or discards the scan. An applied scan counts as if it had not contradicted the order: the final
 * status of an ended order follows from it. Throws SCAN_NOT_FOUND, and SCAN_SETTLED after another decision.
 */
export function settleScan(state: OrderState, command: CommandTo<'settle_scan'>, newEvent: EventFactory): Fact[] {
  const { conflictId, decision, reason, content = {}, by } = command;
  const { conflicts } = state.history;
  const conflict =
    conflictId === undefined
      ? [...conflicts.values()].find(({ decision: before }) => before === undefined)
      : conflicts.get(conflictId);
  if (!conflict) throw new DomainError('SCAN_NOT_FOUND');
  if (conflict.decision === decision) return [];
  if (conflict.decision !== undefined) throw new DomainError('SCAN_SETTLED');
  const { conflict_id, timeline_event } = conflict;
  const settled = newEvent(PackageScanSettled, { conflict_id, decision, reason, settled_by: by });
  if (decision === 'discard') return [settled];
  // The timeline already contains a carrier's scan.
  if (timeline_event !== undefined)
    return [settled, ...moves(state, conflict, newEvent, { accepted: true, scan: timeline_event })];
  const { tracking_number, status_code, occurred_at, instant, reason_code, driver_id, scanned_by } = conflict;
  const { return_reason, return_photo } = conflict;
  const returned = { return_reason, return_photo };
  const scanned = {
    ...content,
    ...returned,
    tracking_number,
    status_code,
    occurred_at,
    instant,
    reason_code,
    settles: conflict_id,
  };
  return [
    settled,
    scanEvent({ ...scanned, driverId: driver_id, by: scanned_by }, newEvent),
    ...moves(state, conflict, newEvent, { accepted: true }),
  ];
}
