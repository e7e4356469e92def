/**
 * How a transfer between warehouses moves an order's parcels. The order's stream decides, so a parcel is in at most one
 * transfer.
 */
import type { Fact } from '../../events/core/codec.js';
import {
  EXPECTED,
  isInside,
  OrderWarehouseSet,
  PackageScanned,
  ParcelTransferred,
  statusRow,
  type Parcel,
} from '../../events/orders/events.js';
import { DomainError } from '../core/domain-error.js';
import type { CommandTo } from './command.js';
import { mustBeOpen, type EventFactory } from './rules.js';
import { knows, moves } from './scan-effects.js';
import { endOf } from './scan-history.js';
import type { OrderState } from './state.js';

type Transferring = CommandTo<'transfer'>;

export function transferParcel(state: OrderState, command: Transferring, newEvent: EventFactory): Fact[] {
  const { step, transferId, tracking_number, from, to, by, instant } = command;
  if (!knows(state, tracking_number)) throw new DomainError('UNKNOWN_PACKAGE');
  const parcel = state.parcels.get(tracking_number) ?? EXPECTED;
  const eventData = { tracking_number, transfer_id: transferId, from: from.warehouse, to: to.warehouse, instant, by };
  const own = ownBefore(state, transferId);
  const was = {
    ...(parcel.warehouse_id !== undefined && { warehouse_id: parcel.warehouse_id }),
    ...(own !== undefined && { own_warehouse_id: own }),
  };
  switch (step) {
    case 'book':
      mustBeMovable(state, parcel, command);
      return [newEvent(ParcelTransferred, { ...eventData, step: 'booked', was }), ...nowOwn(state, command, newEvent)];
    case 'mark':
      mustBeMovable(state, parcel, command);
      return [newEvent(ParcelTransferred, { ...eventData, step: 'marked', was })];
    case 'ship':
      mustBeIn(parcel, transferId, 'marked');
      return [
        ...scan('package_outbound', from, state, command, newEvent),
        newEvent(ParcelTransferred, { ...eventData, step: 'shipped' }),
      ];
    case 'arrive':
      mustBeIn(parcel, transferId, 'shipped');
      return [
        ...scan('arrival_scan', to, state, command, newEvent),
        newEvent(ParcelTransferred, { ...eventData, step: 'arrived' }),
        ...nowOwn(state, command, newEvent),
      ];
    case 'miss':
      mustBeIn(parcel, transferId, 'shipped');
      return [newEvent(ParcelTransferred, { ...eventData, step: 'missing' })];
    case 'back':
      return back(state, parcel, command, newEvent);
  }
}

/** The order's own warehouse before the transfer moved the first parcel. */
const ownBefore = ({ warehouse, movedBy }: OrderState, transferId: number): number | undefined =>
  movedBy?.transfer === transferId ? movedBy.before : warehouse;

/**
 * Returns a parcel to its previous warehouse. Parcels that have moved on stay where they are (warehouse R10). The first
 * returned parcel also restores the order's own warehouse, unless that was changed after this transfer.
 */
function back(state: OrderState, parcel: Parcel, command: Transferring, newEvent: EventFactory): Fact[] {
  const { transferId, tracking_number, from, to, by, instant } = command;
  const ended = endOf(state.history, tracking_number)?.status;
  if (ended === 'DELIVERED') throw new DomainError('DELIVERED');
  if (parcel.state === 'loaded') throw new DomainError('LOADED');
  const { transfer } = parcel;
  if (transfer?.id !== transferId || ended !== undefined) throw new DomainError('MOVED_ON');
  const own = state.movedBy?.transfer === transferId ? state.movedBy.before : undefined;
  return [
    newEvent(ParcelTransferred, {
      tracking_number,
      transfer_id: transferId,
      from: to.warehouse,
      to: from.warehouse,
      instant,
      by,
      step: 'returned',
    }),
    ...(own === undefined
      ? []
      : [newEvent(OrderWarehouseSet, { warehouse_id: own, why: 'rollback', transfer_id: transferId, set_by: by })]),
  ];
}

function mustBeMovable(state: OrderState, parcel: Parcel, { from, tracking_number, transferId }: Transferring): void {
  mustBeOpen(state);
  if (endOf(state.history, tracking_number)) throw new DomainError('ALREADY_DELIVERED');
  if (state.thirdParty !== undefined) throw new DomainError('HELD_BY_THIRD_PARTY');
  if (parcel.state === 'loaded') throw new DomainError('LOADED');
  if (isUnderWay(parcel)) throw new DomainError('IN_TRANSFER');
  const isHere = parcel.warehouse_id === from.warehouse && (isInside(parcel) || parcel.state === 'missing');
  const isExpected = parcel.state === 'expected' && ownBefore(state, transferId) === from.warehouse;
  if (!isHere && !isExpected) throw new DomainError('NOT_AT_WAREHOUSE');
}

function mustBeIn({ transfer }: Parcel, id: number, step: 'marked' | 'shipped'): void {
  if (transfer?.id !== id || transfer.step !== step) throw new DomainError('MOVED_ON');
}

/** The parcel is in a transfer that has not ended. */
export const isUnderWay = ({ transfer }: Parcel): boolean =>
  transfer?.step === 'marked' || transfer?.step === 'shipped';

function nowOwn(state: OrderState, { to, transferId, by }: Transferring, newEvent: EventFactory): Fact[] {
  if (state.warehouse === to.warehouse) return [];
  const set = { warehouse_id: to.warehouse, why: 'transfer' as const, transfer_id: transferId, set_by: by };
  return [newEvent(OrderWarehouseSet, set)];
}

/** Parcels that have ended get no more scans on their timelines, even if they are still transported. */
function scan(
  status_code: string,
  { warehouse, site }: Transferring['from'],
  state: OrderState,
  { tracking_number, occurred_at, instant, by }: Transferring,
  newEvent: EventFactory,
): Fact[] {
  if (statusRow(state.status).final || endOf(state.history, tracking_number)) return [];
  return [
    newEvent(PackageScanned, {
      tracking_number,
      status_code,
      occurred_at,
      instant,
      scanned_by: by,
      warehouse_id: warehouse,
      site,
    }),
    ...moves(state, { tracking_number, status_code, instant }, newEvent),
  ];
}
