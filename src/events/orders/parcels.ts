/**
 * The state of an order's parcel in the warehouses, folded from the order's events. Deciders and projections share it.
 */
import { isEnd } from './status.js';
import {
  ParcelLoaded,
  ParcelMisplaced,
  ParcelPutAway,
  ParcelSorted,
  ParcelTakenOut,
  ParcelTransferred,
} from './warehousing.js';

export const PARCEL_STATES = [
  /** Not scanned at a warehouse yet. */
  'expected',
  'received',
  'put_away',
  'quarantine',
  'sorted',
  'loaded',
  /** On the way from one warehouse to another. */
  'in_transfer',
  'missing',
  /** Has left the warehouses. */
  'gone',
] as const;
export type ParcelState = (typeof PARCEL_STATES)[number];

export interface Parcel {
  readonly state: ParcelState;
  /** The warehouse where it is or was loaded; absent: in no warehouse. */
  readonly warehouse_id?: number;
  readonly location?: string;
  readonly route_id?: number;
  readonly bay?: string;
  /**
   * The last transfer of the parcel. Later handling removes it, except a move to another location in the same
   * warehouse.
   */
  readonly transfer?: {
    readonly id: number;
    readonly step: 'booked' | 'marked' | 'shipped' | 'arrived' | 'missing';
    readonly was: { readonly warehouse_id?: number; readonly own_warehouse_id?: number };
  };
  /** Time of the last handling: UTC with nine fraction digits. */
  readonly since?: string;
}

export const EXPECTED: Parcel = { state: 'expected' };

/** Whether the parcel is in a warehouse and can be moved to a location. */
export const isInside = ({ state }: Parcel): boolean =>
  state === 'received' || state === 'put_away' || state === 'quarantine' || state === 'sorted';

/** Codes that remove a parcel from its warehouse when it is scanned elsewhere. */
const LEAVING: ReadonlySet<string> = new Set(['out_for_delivery', 'picked_up', 'in_transit', 'package_outbound']);

/** The parcel after an event; undefined if the event does not concern parcels. */
export function parcelAfter(before: Parcel, type: string, data: Readonly<Record<string, unknown>>): Parcel | undefined {
  const { warehouse_id, instant, location, route_id, bay, quarantine } = data as {
    readonly warehouse_id: number;
    readonly instant: string;
    readonly location: string;
    readonly route_id: number;
    readonly bay: string;
    readonly quarantine?: string;
  };
  const placed = { warehouse_id, since: instant };
  const retained = retainedTransfer(before, warehouse_id);
  switch (type) {
    case ParcelPutAway.type:
      return { ...placed, ...retained, state: quarantine === undefined ? 'put_away' : 'quarantine', location };
    case ParcelSorted.type:
      return { ...placed, state: 'sorted', route_id, bay };
    case ParcelLoaded.type:
      return { ...placed, state: 'loaded', route_id };
    case ParcelMisplaced.type:
      // A parcel that was received at the wrong warehouse is not missing.
      return data['found'] === undefined ? { ...placed, state: 'missing' } : undefined;
    case ParcelTransferred.type:
      return transferred(before, data as never);
    case ParcelTakenOut.type:
      return { state: 'gone', since: instant };
    case 'PackageScanned':
    case 'PackageEnded':
    case 'OrderStatusChanged':
      return scanned(before, data);
    case 'PackageScanSuperseded':
      return data['parcel'] as Parcel | undefined;
    default:
      return undefined;
  }
}

/** Keeps the transfer while the parcel only moves within the same warehouse. */
const retainedTransfer = ({ transfer, warehouse_id, state }: Parcel, warehouse: number) =>
  transfer && (warehouse_id === warehouse || state === 'in_transfer') ? { transfer } : {};

function transferred(
  before: Parcel,
  data: {
    readonly transfer_id: number;
    readonly step: NonNullable<Parcel['transfer']>['step'] | 'returned';
    readonly to: number;
    readonly instant: string;
    readonly was?: NonNullable<Parcel['transfer']>['was'];
  },
): Parcel {
  const { transfer_id: id, step, to, instant: since } = data;
  const { transfer: last, ...rest } = before;
  if (step === 'returned') {
    if (last?.step === 'marked') return rest;
    const from = last?.was.warehouse_id;
    return from === undefined ? { ...EXPECTED, since } : { state: 'received', warehouse_id: from, since };
  }
  const transfer = { id, step, was: data.was ?? last?.was ?? {} };
  switch (step) {
    case 'marked':
      return { ...before, transfer };
    case 'booked':
      return before.state === 'expected'
        ? { ...EXPECTED, transfer, since }
        : { state: 'received', warehouse_id: to, transfer, since };
    case 'arrived':
      return { state: 'received', warehouse_id: to, transfer, since };
    case 'shipped':
      return { state: 'in_transfer', transfer, since };
    case 'missing':
      return { state: 'missing', transfer, since };
  }
}

function scanned(before: Parcel, data: Readonly<Record<string, unknown>>): Parcel {
  const {
    status_code: code,
    warehouse_id,
    location,
    instant,
  } = data as Readonly<Record<string, string>> & { readonly warehouse_id?: number };
  if (warehouse_id !== undefined && (code === 'received' || code === 'arrival_scan'))
    return {
      state: 'received',
      warehouse_id,
      since: instant!,
      // A parcel in transfer that is received manually leaves the transfer. The transfer finds this out when it checks
      // the parcel.
      ...(before.state === 'in_transfer' && code === 'received' ? {} : retainedTransfer(before, warehouse_id)),
      ...(location !== undefined && { location }),
    };
  // The scan that begins a transfer has fewer details than the transfer step, which follows it.
  if (before.transfer?.step === 'marked' && code === 'package_outbound') return before;
  const gone: Parcel = { state: 'gone', since: instant! };
  if (isEnd(code!)) return gone;
  if (before.state === 'in_transfer' && code !== 'out_for_delivery') return before;
  if (before.state === 'loaded' && code === 'out_for_delivery') return before;
  if (!LEAVING.has(code!)) return before;
  // An expected parcel may be on its way to the warehouse; only a scan `out_for_delivery` excludes that.
  return before.state === 'expected' && code !== 'out_for_delivery' ? before : gone;
}
