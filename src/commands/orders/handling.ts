/** Decides the handling of an order's parcels at warehouses. Pure; only the order's own stream is needed. */
import type { Fact } from '../../events/core/codec.js';
import {
  EXPECTED,
  isInside,
  PackageScanned,
  ParcelLoaded,
  ParcelMisplaced,
  ParcelPutAway,
  ParcelSorted,
  ParcelTakenOut,
  statusRow,
  type Parcel,
} from '../../events/orders/events.js';
import { millisOf } from '../../events/otep/time.js';
import { DomainError } from '../core/domain-error.js';
import type { CommandTo } from './command.js';
import { factId, mustBeOpen, type EventFactory } from './rules.js';
import { conflictOf } from './scan-conflicts.js';
import { knows, moves } from './scan-effects.js';
import { endOf } from './scan-history.js';
import { isUnderWay } from './transferring.js';
import type { OrderState } from './state.js';

type Handling = CommandTo<'handle'>;

/** A second receipt within this time is a duplicate: the scanner fired twice. */
const DUPLICATE_MS = 3_000;

/** Steps that are not allowed for a parcel in a transfer. Recording its location until then is allowed. */
const BLOCKED_BY_TRANSFER: ReadonlySet<Handling['what']> = new Set(['sort', 'load', 'stock_out', 'return']);

export function handleParcel(state: OrderState, command: Handling, newEvent: EventFactory): Fact[] {
  if (!knows(state, command.tracking_number)) throw new DomainError('UNKNOWN_PACKAGE');
  if (command.later?.some((commandId) => state.done.has(factId({ ...command, commandId })))) return [];
  const parcel = state.parcels.get(command.tracking_number) ?? EXPECTED;
  const { force = false } = command;
  if (!force && BLOCKED_BY_TRANSFER.has(command.what) && isUnderWay(parcel)) throw new DomainError('IN_TRANSFER');
  switch (command.what) {
    case 'receive':
    case 'return':
      if (!force && parcel.state === 'in_transfer') throw new DomainError('IN_TRANSFER');
      if (isDuplicateScan(parcel, command)) return [];
      return [...scan('received', state, command, newEvent), ...misreceived(state, parcel, command, newEvent)];
    case 'unload':
      if (isDuplicateScan(parcel, command)) return [];
      if (!force && parcel.state !== 'loaded') throw new DomainError('NOT_LOADED');
      return scan('received', state, command, newEvent);
    case 'put_away':
    case 'move':
    case 'quarantine':
      return putAway(state, parcel, command, newEvent);
    case 'sort': {
      mustBeOpen(state);
      const { routeId, bay } = command;
      const before = receiveIfElsewhere(state, parcel, command, newEvent);
      mustBeOnRoute(state, routeId);
      if (parcel.state === 'sorted' && parcel.route_id === routeId && parcel.bay === bay) return [];
      return [...before, newEvent(ParcelSorted, { ...handled(command), route_id: routeId, bay })];
    }
    case 'load': {
      const { routeId } = command;
      const scanned = scan('out_for_delivery', state, command, newEvent);
      mustBeOnRoute(state, routeId);
      if (parcel.state === 'loaded' && parcel.route_id === routeId) return [];
      mustBeAt(state, parcel, command);
      return [...scanned, newEvent(ParcelLoaded, { ...handled(command), route_id: routeId })];
    }
    case 'missing':
      if (parcel.state === 'missing') return [];
      mustBeAt(state, parcel, command);
      return [newEvent(ParcelMisplaced, { ...handled(command), ...expectedAt(parcel) })];
    case 'stock_out':
      // Parcels of an order or package that has ended leave the warehouse too, but add nothing to the timeline.
      if (parcel.state === 'gone') return [];
      mustBeAt(state, parcel, command);
      return [
        ...(statusRow(state.status).final || endOf(state.history, command.tracking_number)
          ? []
          : scan('package_outbound', state, command, newEvent)),
        newEvent(ParcelTakenOut, handled(command)),
      ];
  }
}

function putAway(
  state: OrderState,
  parcel: Parcel,
  command: Handling & { readonly location: string },
  newEvent: EventFactory,
): Fact[] {
  const { what, location, warehouse, force = false } = command;
  const before = receiveIfElsewhere(state, parcel, command, newEvent);
  if (what !== 'quarantine' && !force && state.warehouse !== undefined && state.warehouse !== warehouse)
    throw new DomainError('BELONGS_ELSEWHERE', { warehouse: state.warehouse });
  const targetState = what === 'quarantine' ? 'quarantine' : 'put_away';
  if (parcel.state === targetState && parcel.location === location) return [];
  return [
    ...before,
    newEvent(ParcelPutAway, {
      ...handled(command),
      location,
      ...(command.what === 'quarantine' && { quarantine: command.reason }),
    }),
  ];
}

/**
 * Records once per warehouse that the parcel belongs to a different one (warehouse R5). A return by a driver does not
 * count as a receipt.
 */
function misreceived(state: OrderState, parcel: Parcel, command: Handling, newEvent: EventFactory): Fact[] {
  const { what, warehouse, codes = {} } = command;
  const own = state.warehouse;
  if (what !== 'receive' || own === undefined || own === warehouse || parcel.warehouse_id === warehouse) return [];
  const nameOf = (id: number) => codes[id] ?? String(id);
  return [newEvent(ParcelMisplaced, { ...handled(command), expected: nameOf(own), found: nameOf(warehouse) })];
}

function scan(status_code: string, state: OrderState, command: Handling, newEvent: EventFactory): Fact[] {
  const { tracking_number, occurred_at, instant, warehouse, site, scanner, driverId, by } = command;
  const conflict = conflictOf(state, { tracking_number, status_code, instant });
  if (conflict !== undefined) throw new DomainError(conflict, { status: state.status });
  return [
    newEvent(PackageScanned, {
      tracking_number,
      status_code,
      occurred_at,
      instant,
      driver_id: driverId,
      scanned_by: by,
      warehouse_id: warehouse,
      ...('location' in command && command.location !== undefined && { location: command.location }),
      site,
      ...scanner,
    }),
    ...moves(state, { tracking_number, status_code, instant }, newEvent),
  ];
}

const handled = ({ tracking_number, warehouse, instant, by, scanner }: Handling) => ({
  tracking_number,
  warehouse_id: warehouse,
  instant,
  by,
  ...scanner,
});

/** The location or bay where the parcel should have been. */
const expectedAt = ({ location, bay }: Parcel) => {
  const expected = location ?? bay;
  return expected === undefined ? {} : { expected };
};

/**
 * The error code if the parcel is not here. Parcels that start here need not have been received, because the sender may
 * have packed them here.
 */
function rejectionAt(
  state: OrderState,
  parcel: Parcel,
  { warehouse }: Handling,
): 'LOADED' | 'NOT_AT_WAREHOUSE' | undefined {
  if (parcel.state === 'loaded') return 'LOADED';
  const startsHere = parcel.state === 'expected' && state.served.type === 'D' && state.warehouse === warehouse;
  const isHere = parcel.warehouse_id === warehouse && (isInside(parcel) || parcel.state === 'missing');
  return startsHere || isHere ? undefined : 'NOT_AT_WAREHOUSE';
}

/**
 * Staff who hold the parcel can override the check with `force` (warehouse R3). `force` has no effect on reports of
 * missing parcels. Throws LOADED, NOT_AT_WAREHOUSE.
 */
function mustBeAt(state: OrderState, parcel: Parcel, command: Handling): void {
  const rejection = rejectionAt(state, parcel, command);
  const isForced = command.force === true && command.what !== 'missing';
  if (rejection !== undefined && !isForced) throw new DomainError(rejection);
}

/**
 * Used by steps that keep the parcel in this warehouse. If the parcel is recorded elsewhere, it is first received here.
 * Throws like `mustBeAt`.
 */
function receiveIfElsewhere(state: OrderState, parcel: Parcel, command: Handling, newEvent: EventFactory): Fact[] {
  mustBeAt(state, parcel, command);
  return rejectionAt(state, parcel, command) === undefined ? [] : scan('received', state, command, newEvent);
}

function mustBeOnRoute(state: OrderState, routeId: number): void {
  if (state.status === 'HOLD') throw new DomainError('ORDER_HELD');
  // An order that was cancelled after the scan is on no route, but its parcel is in the vehicle.
  const route = statusRow(state.status).final ? state.lastRoute : state.route;
  if (route !== routeId) throw new DomainError('ORDER_NOT_ON_ROUTE');
}

const isDuplicateScan = ({ state, warehouse_id, since }: Parcel, { warehouse, instant }: Handling): boolean =>
  state === 'received' &&
  warehouse_id === warehouse &&
  since !== undefined &&
  Math.abs(millisOf(instant) - millisOf(since)) < DUPLICATE_MS;
