/** Decides scans of an order's packages by drivers, staff and carriers. */
import { DomainError } from '../core/domain-error.js';
import type { Fact } from '../../events/core/codec.js';
import { isEnd, PackageEnded, statusOfCode, statusRow, type ConflictCode } from '../../events/orders/events.js';
import type { CommandTo, Custody, OrderCommand, ScanOfPackage } from './command.js';
import type { EventFactory } from './rules.js';
import { conflictOf, isReceipt, keepConflict } from './scan-conflicts.js';
import { knows, moves, scanEvent } from './scan-effects.js';
import type { ScanRecord } from './scan-course.js';
import { endOf, type KnownScans } from './scan-history.js';
import type { OrderState } from './state.js';

type Scan = Omit<ScanOfPackage, 'occurred_at'>;

/** Codes that say what the driver does next. They no longer hold when another driver has the order. */
const UNDER_WAY: ReadonlySet<string> = new Set(['out_for_pickup', 'out_for_delivery']);

/**
 * A scan by a driver or by office staff. It is judged by the order at the time of the scan. A scan that contradicts the
 * order is kept as a conflict, so that no scan is lost.
 */
export function scan(state: OrderState, command: CommandTo<'scan'>, newEvent: EventFactory): Fact[] {
  const { tracking_number } = command;
  if (!knows(state, tracking_number)) throw new DomainError('UNKNOWN_PACKAGE');
  const scanned = { ...command, scanned_by: command.by, driver_id: command.driverId };
  if (repeated(state.history, scanned) !== undefined) return [];
  const code = rejectionOf(state, command);
  if (code !== undefined) return [keepConflict(command, { ...scanned, code }, newEvent)];
  return [scanEvent(command, newEvent), ...movesAtTime(state, command, newEvent)];
}

type Judged = Scan & { readonly custody?: Custody };

/** Why a scan of a user cannot be applied; undefined: it can. */
export const rejectionOf = (state: OrderState, scan: Judged): ConflictCode | undefined =>
  conflictOf(state, scan) ?? (isReplaced(state, scan) ? 'DRIVER_REPLACED' : undefined);

/** The status change of the order by a scan of a user. */
export const movesAtTime = (state: OrderState, scan: Judged, newEvent: EventFactory): Fact[] =>
  scan.custody === 'then' && UNDER_WAY.has(scan.status_code) ? [] : moves(state, scan, newEvent);

/**
 * The driver had the order only at other times. A receipt is applied nevertheless, because the driver may have the
 * parcel; scans of a cancelled order are also applied, because no other driver has this order.
 */
const isReplaced = ({ status }: OrderState, { custody, status_code }: Judged): boolean =>
  custody === 'earlier' && status !== 'CANCELLED' && !isReceipt(status_code);

/**
 * The id of the scan, or of the conflict, that a scan repeats: by the same user, with the same content, or with the
 * same end of the package. A repetition is not another scan.
 */
export function repeated(
  history: KnownScans,
  scanned: ScanRecord | (Scan & { readonly scanned_by?: number }),
): string | undefined {
  const { tracking_number, status_code, scanned_by } = scanned;
  const { scans, superseded, conflicts } = history;
  const end = endOf(history, tracking_number)?.by;
  const ending = end === undefined ? undefined : scans.get(end);
  const isSameEnd = ending?.status_code === status_code && ending.scanned_by === scanned_by;
  return (
    (isSameEnd ? end : undefined) ??
    idOfScan(scans, scanned) ??
    idOfScan(superseded, scanned) ??
    idOfScan(conflicts, scanned)
  );
}

function idOfScan(
  scans: ReadonlyMap<string, ScanRecord | undefined>,
  { tracking_number, status_code, instant, scanned_by }: ScanRecord | (Scan & { readonly scanned_by?: number }),
): string | undefined {
  for (const [id, known] of scans)
    if (
      known?.tracking_number === tracking_number &&
      known.status_code === status_code &&
      known.instant === instant &&
      known.scanned_by === scanned_by &&
      scanned_by !== undefined
    )
      return id;
  return undefined;
}

/** A carrier's scan on the timeline of a package. */
export function followScan(state: OrderState, command: CommandTo<'follow_scan'>, newEvent: EventFactory): Fact[] {
  if (!knows(state, command.tracking_number) || state.followed.has(command.scan)) return [];
  return followed(state, command, newEvent);
}

/** The events that follow from a carrier's scan that counts. */
export function followed(
  state: OrderState,
  command: OrderCommand & ScanOfPackage & { readonly scan: string; readonly provider: string },
  newEvent: EventFactory,
): Fact[] {
  const { tracking_number, status_code, instant, scan, provider, reason_code } = command;
  const code = conflictOf(state, command);
  const status = statusOfCode(status_code);
  if (code !== undefined) {
    // The timeline contains the scan. Only another end of the package needs a decision.
    const isOtherEnd = isEnd(status_code) && status !== (endOf(state.history, tracking_number)?.status ?? state.status);
    return isOtherEnd ? [keepConflict(command, { ...command, code, timeline_event: scan, provider }, newEvent)] : [];
  }
  if (endOf(state.history, tracking_number) || statusRow(state.status).final) return [];
  const moved = moves(state, command, newEvent, { scan });
  if (moved.length > 0) return moved;
  return isEnd(status_code)
    ? [newEvent(PackageEnded, { tracking_number, status_code, instant, scan, reason_code })]
    : [];
}
