/** How scans of an order's packages change the status of the order. */
import { DomainError } from '../core/domain-error.js';
import type { Fact } from '../../events/core/codec.js';
import {
  mayFollow,
  OrderStatusChanged,
  PackageEnded,
  PackageScanned,
  statusOfCode,
  statusRow,
  type OrderStatus,
} from '../../events/orders/events.js';
import type { CommandTo, ScanOfPackage } from './command.js';
import { mustBeOpen, type EventFactory } from './rules.js';
import type { OrderState } from './state.js';

type Scan = Omit<ScanOfPackage, 'occurred_at'>;

/** A scan by a driver or by office staff. */
export function scan(state: OrderState, command: CommandTo<'scan'>, newEvent: EventFactory): Fact[] {
  const { tracking_number, status_code, occurred_at, instant, reason_code, gps, photos, note, driverId, by } = command;
  if (!knows(state, tracking_number)) throw new DomainError('UNKNOWN_PACKAGE');
  mustBeOpen(state);
  if (state.ended.has(tracking_number)) throw new DomainError('ALREADY_DELIVERED');
  return [
    newEvent(PackageScanned, {
      tracking_number,
      status_code,
      occurred_at,
      instant,
      driver_id: driverId,
      scanned_by: by,
      reason_code,
      gps,
      photos: photos && [...photos],
      note,
    }),
    ...moves(state, command, newEvent),
  ];
}

/** A carrier's scan on the timeline of a package. */
export function followScan(state: OrderState, command: CommandTo<'follow_scan'>, newEvent: EventFactory): Fact[] {
  const { tracking_number, status_code, instant, scan } = command;
  if (
    !knows(state, tracking_number) ||
    state.followed.has(scan) ||
    state.ended.has(tracking_number) ||
    statusRow(state.status).final
  )
    return [];
  const moved = moves(state, command, newEvent, scan);
  if (moved.length > 0) return moved;
  const status = statusOfCode(status_code);
  return status && statusRow(status).final
    ? [newEvent(PackageEnded, { tracking_number, status_code, instant, scan })]
    : [];
}

export const knows = ({ packages }: OrderState, number: string): boolean =>
  packages.some(({ tracking_number }) => tracking_number === number);

/** The status change of the order, if the scan leads to one. */
export function moves(
  state: OrderState,
  { tracking_number, status_code, instant }: Scan,
  newEvent: EventFactory,
  scan?: string,
): Fact[] {
  const status = leadsTo(state, tracking_number, status_code, instant);
  if (!status || !mayFollow(state.status, status)) return [];
  return [
    newEvent(OrderStatusChanged, { status, previous: state.status, tracking_number, status_code, instant, scan }),
  ];
}

/**
 * A final status applies when all packages have ended: DELIVERED if any package was delivered. Otherwise the newest
 * scan determines the status.
 */
function leadsTo(
  { packages, ended, movedAt }: OrderState,
  number: string,
  code: string,
  instant: string,
): OrderStatus | undefined {
  const status = statusOfCode(code);
  if (!status || !statusRow(status).final) return status && instant >= movedAt ? status : undefined;
  const ends = new Map(ended).set(number, status);
  if (!packages.every(({ tracking_number }) => ends.has(tracking_number))) return undefined;
  return [...ends.values()].includes('DELIVERED') ? 'DELIVERED' : status;
}
