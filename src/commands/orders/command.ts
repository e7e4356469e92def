/**
 * What may be asked of an order. Time, ids and the caller's rights come with the command; the decider reads no clock.
 */
import type {
  Geocoding,
  NewOrderData,
  OrderPlanning,
  OrderStatus,
  Package,
  Parcel,
  QuarantineReason,
  SiteOfScan,
  Stop,
  TimeWindow,
} from '../../events/orders/events.js';
import type { ContractorRule } from '../../events/contractors/events.js';
import type { TransferStep } from '../../events/transfers/state.js';
import type { Instant } from '../../events/otep/time.js';

/** What the client gives. */
export type NewOrder = Omit<NewOrderData, 'order_id' | 'business' | 'created_by'>;

export type PlanningChange = { readonly [M in keyof OrderPlanning]?: NonNullable<OrderPlanning[M]> | null };

export interface ScanOfPackage {
  readonly tracking_number: string;
  /** OTEP code. */
  readonly status_code: string;
  readonly occurred_at: string;
  readonly instant: Instant;
}

/** What a person at a warehouse did to a parcel. */
export type ParcelWish =
  /** `return`: a driver brings it back. */
  | { readonly what: 'receive' | 'unload' | 'return'; readonly location?: string }
  | { readonly what: 'stock_out' | 'missing' }
  | { readonly what: 'put_away' | 'move'; readonly location: string }
  | { readonly what: 'quarantine'; readonly location: string; readonly reason: QuarantineReason }
  | { readonly what: 'sort'; readonly routeId: number; readonly bay: string }
  | { readonly what: 'load'; readonly routeId: number };

export type HandleParcel = ParcelWish & {
  readonly tracking_number: string;
  readonly occurred_at: string;
  readonly instant: Instant;
  readonly warehouse: number;
  readonly site: SiteOfScan;
  /** How people call warehouses, by id: this one and the order's own, where they are known. */
  readonly codes?: Readonly<Record<number, string>>;
  readonly scanner?: { readonly op_id: string; readonly device_id: string };
  readonly driverId?: number;
  /** Although it belongs to another warehouse. */
  readonly force?: boolean;
  /**
   * Ids of commands that the device sent behind it. Once one of them is done it had its turn, though it left no fact:
   * done again it would count behind them.
   */
  readonly later?: readonly string[];
};

/** A step of a transfer; what its warehouses are called then. */
export interface TransferParcel {
  readonly step: TransferStep;
  readonly transferId: number;
  readonly tracking_number: string;
  readonly from: { readonly warehouse: number; readonly site: SiteOfScan };
  readonly to: { readonly warehouse: number; readonly site: SiteOfScan };
  readonly occurred_at: string;
  readonly instant: Instant;
}

/** What is changed of an order without moving it. None of them depends on another one. */
export type OrderUpdate =
  | { readonly do: 'instruct'; readonly delivery_instruction: string | undefined }
  | { readonly do: 'annotate'; readonly note: string | undefined }
  | { readonly do: 'set_warehouse'; readonly warehouse: number }
  /** Null members are removed, absent ones stay. */
  | { readonly do: 'set_planning'; readonly planning: PlanningChange }
  | { readonly do: 'reschedule'; readonly time_windows?: readonly TimeWindow[]; readonly schedule_date?: string };

type Asked =
  /** `warehouse`: where it starts or ends. */
  | { readonly do: 'create'; readonly order: NewOrder; readonly warehouse?: number }
  | { readonly do: 'cancel'; readonly reason?: string }
  /**
   * Cancel and continue as another order to another address; only before pick-up. `tracking_numbers`: one for each
   * package.
   */
  | {
      readonly do: 'reroute';
      readonly replacement: {
        readonly order_id: number;
        readonly delivery: Stop;
        readonly tracking_numbers: readonly string[];
      };
      readonly reason?: string;
    }
  | { readonly do: 'hold' | 'release'; readonly reason?: string }
  | OrderUpdate
  /** All of them in one append, or none. */
  | { readonly do: 'update'; readonly updates: readonly OrderUpdate[] }
  /** Found by a geocoder, or said by a person. */
  | ({ readonly do: 'locate' } & Required<Pick<Geocoding, 'stop' | 'position' | 'precision' | 'confidence' | 'source'>>)
  | ({ readonly do: 'handle' } & HandleParcel)
  | ({ readonly do: 'transfer' } & TransferParcel)
  /**
   * `brokerId`: the contractor that plans, with its rules; absent: the business itself. An assigned order is plannable
   * only by its contractor.
   */
  | {
      readonly do: 'put_on_route' | 'take_off_route';
      readonly routeId: number;
      readonly brokerId?: number;
      readonly rules?: readonly ContractorRule[];
      /** The plan that is committed. */
      readonly planId?: number;
    }
  /** From one route to another in one append; only what has not begun. */
  | {
      readonly do: 'move_to_route';
      readonly from: number;
      readonly routeId: number;
      readonly brokerId?: number;
      readonly rules?: readonly ContractorRule[];
      readonly planId: number;
    }
  | { readonly do: 'give_to_third_party' | 'take_from_third_party'; readonly provider: string }
  /** Held by another contractor: moved in one step. */
  | { readonly do: 'assign'; readonly assignmentId: number; readonly brokerId: number; readonly note?: string }
  | { readonly do: 'revoke_assignment'; readonly reason?: string }
  | { readonly do: 'release_assignment'; readonly brokerId: number; readonly reason?: string }
  | ({
      readonly do: 'scan';
      readonly driverId?: number;
      readonly reason_code?: string;
      readonly gps?: { readonly latitude: number; readonly longitude: number };
      readonly photos?: readonly string[];
      readonly note?: string;
    } & ScanOfPackage)
  /** A scan of a carrier's timeline, by its event id. Never refused: what does not move the order is no news. */
  | ({ readonly do: 'follow_scan'; readonly scan: string } & Omit<ScanOfPackage, 'occurred_at'>);

/**
 * `commandId`: UUID of the request; a retry has the same, and changes nothing. `by`: user id; absent: the service
 * itself.
 */
export type OrderCommand = {
  readonly commandId: string;
  readonly orderId: number;
  readonly business: number;
  readonly by?: number;
} & Asked;
export type CommandTo<Do extends OrderCommand['do']> = Extract<OrderCommand, { readonly do: Do }>;

export interface ActiveAssignment {
  readonly assignment_id: number;
  readonly broker_id: number;
}

/** The order after the command, also where it changed nothing. */
export interface OrderReply {
  readonly status: OrderStatus;
  readonly route_id: number | undefined;
  readonly assignment: ActiveAssignment | undefined;
  readonly packages: readonly Package[];
  /** Its own. */
  readonly warehouse: number | undefined;
  readonly planning: OrderPlanning;
  /** By tracking number, those that were handled. */
  readonly parcels: ReadonlyMap<string, Parcel>;
}
