/** The part of an order's past that its decider needs. It contains no personal data. */
import {
  AssignmentReleased,
  AssignmentRevoked,
  OrderAssigned,
  BY_PERSON,
  OrderCreated,
  OrderGeocoded,
  OrderHeld,
  OrderPlanningSet,
  OrderPutOnRoute,
  OrderStatusChanged,
  OrderTakenOffRoute,
  OrderWarehouseSet,
  PackageEnded,
  EXPECTED,
  orderPlanningSchema,
  parcelAfter,
  STOP_KINDS,
  PackageScanKept,
  statusAfter,
  ThirdPartyReturnedOrder,
  ThirdPartyTookOrder,
  TimeWindowChanged,
  type HoldCause,
  type OrderPlanning,
  type OrderStatus,
  type Package,
  type Parcel,
  type PositionSource,
  type StopKind,
  type TimeWindow,
} from '../../events/orders/events.js';
import { evolveBill, NO_BILL, type Bill } from '../../events/bill/state.js';
import type { Served } from '../../events/contractors/events.js';
import type { PastEvent } from '../core/decider.js';
import type { ActiveAssignment } from './command.js';
import { evolveThirdParty, type ThirdPartyState } from './third-party-state.js';
import { copyOfScans, evolveScans, noScans, noteParcel, type ScanHistory } from './scan-history.js';

export interface OrderState {
  /** Undefined: the order does not exist. */
  business: number | undefined;
  /** Account of the customer that owns the order. */
  customer: number | undefined;
  status: OrderStatus;
  /** Why the service holds the order. Undefined: it is not on hold, or a user holds it. */
  heldFor: HoldCause | undefined;
  selfDelivery: boolean;
  stops: ReadonlySet<StopKind>;
  /** Stops whose positions a user has set. */
  readonly pinned: Set<StopKind>;
  /** The members that contractors' rules are matched against. */
  served: Served;
  packages: readonly Package[];
  schedule: { time_windows: readonly TimeWindow[]; schedule_date: string | undefined };
  /** Settings for the planning of the order. */
  planning: OrderPlanning;
  route: number | undefined;
  /** The route that the order was on last, also after its end. */
  lastRoute: number | undefined;
  thirdParty: string | undefined;
  /** The latest offer to providers, and the deadlines of the provider that has the order. */
  third: ThirdPartyState;
  /** The order's own warehouse: where it starts or ends. */
  warehouse: number | undefined;
  /** The transfer that changed the warehouse, and the previous warehouse. Undefined: no transfer changed it. */
  movedBy: { readonly transfer: number; readonly before: number | undefined } | undefined;
  assignment: ActiveAssignment | undefined;
  /** Scans, conflicts and their effects. */
  readonly history: ScanHistory;
  /** Location of parcels in warehouses, by tracking number. Absent: unknown. */
  readonly parcels: Map<string, Parcel>;
  /** Event ids, by which a retried command is recognized. */
  readonly done: Set<string>;
  /** Carriers' scans that the order has processed. */
  readonly followed: Set<string>;
  bill: Bill;
}

export const initial = (): OrderState => ({
  business: undefined,
  customer: undefined,
  status: 'NEW_ORDER',
  heldFor: undefined,
  selfDelivery: false,
  stops: new Set(),
  pinned: new Set(),
  served: { type: 'D', pickup_postal_code: null, delivery_postal_code: null },
  packages: [],
  schedule: { time_windows: [], schedule_date: undefined },
  planning: {},
  route: undefined,
  lastRoute: undefined,
  thirdParty: undefined,
  third: {},
  warehouse: undefined,
  movedBy: undefined,
  assignment: undefined,
  history: noScans(),
  parcels: new Map(),
  done: new Set(),
  followed: new Set(),
  bill: NO_BILL,
});

export function evolve(state: OrderState, event: PastEvent): OrderState {
  const { type, id, data } = event;
  state.done.add(id);
  takeIn(state, type, data as Readonly<Record<string, never>>);
  state.third = evolveThirdParty(state.third, event, state.history.course.changes);
  const number = data['tracking_number'] as string | undefined;
  const before = (number !== undefined && state.parcels.get(number)) || EXPECTED;
  const parcel = number !== undefined && parcelAfter(before, type, data);
  if (parcel) {
    noteParcel(state.history, event, before);
    state.parcels.set(number, parcel);
  }
  evolveScans(state.history, event);
  state.bill = evolveBill(state.bill, event);
  state.status = statusAfter(type, data) ?? state.status;
  if (type === OrderHeld.type) state.heldFor = data['why'] as HoldCause | undefined;
  else if (state.status !== 'HOLD') state.heldFor = undefined;
  return state;
}

/** A copy that can be evolved without changing the state, which belongs to the handler. It knows no earlier commands. */
export const copyOf = (state: OrderState): OrderState => ({
  ...state,
  history: copyOfScans(state.history),
  parcels: new Map(state.parcels),
  pinned: new Set(state.pinned),
  done: new Set(),
  followed: new Set(),
});

function takeIn(state: OrderState, type: string, data: Readonly<Record<string, never>>): void {
  switch (type) {
    case OrderCreated.type:
      state.business = data['business'];
      state.customer = data['customer_id'];
      state.selfDelivery = data['self_delivery']!;
      state.stops = new Set(STOP_KINDS.filter((kind) => data[kind] !== undefined));
      state.served = {
        type: data['type']!,
        pickup_postal_code: postalCodeOf(data['pickup']),
        delivery_postal_code: postalCodeOf(data['delivery']),
      };
      state.packages = data['packages']!;
      state.schedule = { time_windows: data['time_windows']!, schedule_date: data['schedule_date'] };
      break;
    case TimeWindowChanged.type:
      state.schedule = {
        time_windows: data['time_windows'] ?? state.schedule.time_windows,
        schedule_date: data['schedule_date'] ?? state.schedule.schedule_date,
      };
      break;
    case OrderPlanningSet.type:
      state.planning = orderPlanningSchema.parse(data);
      break;
    case OrderGeocoded.type:
      if ((data['source']! as PositionSource).geocoder === BY_PERSON) state.pinned.add(data['stop']!);
      break;
    case OrderPutOnRoute.type:
      state.route = state.lastRoute = data['route_id'];
      break;
    case OrderTakenOffRoute.type:
      state.route = undefined;
      break;
    case ThirdPartyTookOrder.type:
      state.thirdParty = data['provider'];
      break;
    case ThirdPartyReturnedOrder.type:
      state.thirdParty = undefined;
      break;
    case OrderWarehouseSet.type:
      state.movedBy = movedBy(state, data);
      state.warehouse = data['warehouse_id'];
      break;
    case OrderAssigned.type:
      state.assignment = { assignment_id: data['assignment_id']!, broker_id: data['broker_id']! };
      break;
    case AssignmentRevoked.type:
    case AssignmentReleased.type:
      state.assignment = undefined;
      break;
    case PackageEnded.type:
    case OrderStatusChanged.type:
      if (data['scan'] !== undefined) state.followed.add(data['scan']);
      break;
    case PackageScanKept.type:
      if (data['timeline_event'] !== undefined) state.followed.add(data['timeline_event']);
      break;
  }
}

/** Only the first parcel of a transfer changes the order's warehouse. */
function movedBy(
  { warehouse, movedBy: last }: OrderState,
  { why, transfer_id }: { readonly why?: string; readonly transfer_id?: number },
): OrderState['movedBy'] {
  if (why !== 'transfer' || transfer_id === undefined) return undefined;
  return last?.transfer === transfer_id ? last : { transfer: transfer_id, before: warehouse };
}

const postalCodeOf = (stop: { readonly postal_code?: string } | undefined): string | null => stop?.postal_code ?? null;
