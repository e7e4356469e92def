/** How scans of an order's packages change the order. */
import type { Fact } from '../../events/core/codec.js';
import { OrderStatusChanged, PackageScanned, returnMembersOf } from '../../events/orders/events.js';
import type { ScanByUser, ScanOfPackage } from './command.js';
import type { EventFactory } from './rules.js';
import { statusByScan } from './scan-course.js';
import type { OrderState } from './state.js';

type Scan = Omit<ScanOfPackage, 'occurred_at'>;

/** `settles`: the conflict as which the scan was kept. */
export const scanEvent = (
  scanned: Partial<ScanByUser & { readonly by: number; readonly settles: string }> & ScanOfPackage,
  newEvent: EventFactory,
): Fact =>
  newEvent(PackageScanned, {
    tracking_number: scanned.tracking_number,
    status_code: scanned.status_code,
    occurred_at: scanned.occurred_at,
    instant: scanned.instant,
    driver_id: scanned.driverId,
    scanned_by: scanned.by,
    reason_code: scanned.reason_code,
    gps: scanned.gps,
    photos: scanned.photos && [...scanned.photos],
    note: scanned.note,
    settles: scanned.settles,
    ...returnMembersOf(scanned),
  });

export const knows = ({ packages }: OrderState, number: string): boolean =>
  packages.some(({ tracking_number }) => tracking_number === number);

interface MoveOptions {
  /** Id of the event in a carrier's timeline. */
  readonly scan?: string;
  /** An office accepted the scan: it may change the status of an order that has ended. */
  readonly accepted?: boolean;
}

/** The status change of the order, if the scan leads to one. */
export function moves(
  state: OrderState,
  scanned: Scan,
  newEvent: EventFactory,
  { scan, accepted = false }: MoveOptions = {},
): Fact[] {
  const { tracking_number, status_code, instant } = scanned;
  const status = statusByScan(state.history.course, scanned, accepted);
  if (!status) return [];
  // A scan of a user has its reason in its own event.
  const reason_code = scan === undefined ? undefined : scanned.reason_code;
  const previous = state.status;
  return [newEvent(OrderStatusChanged, { status, previous, tracking_number, status_code, instant, scan, reason_code })];
}
