/** Commands on an order. They carry the time, ids and the caller's permissions; the decider reads no clock. */
import type {
  Geocoding,
  NewOrderData,
  OrderPlanning,
  OrderStatus,
  Package,
  Parcel,
  QuarantineReason,
  ReturnMembers,
  ScanDecision,
  SiteOfScan,
  Stop,
  TimeWindow,
} from '../../events/orders/events.js';
import type { ContractorRule } from '../../events/contractors/events.js';
import type { Bill } from '../../events/bill/state.js';
import type { TransferStep } from '../../events/transfers/state.js';
import type { Instant } from '../../events/otep/time.js';
import type { Agreed, BillChange, CarriedPayment } from '../bill/command.js';
import type { OfferChange } from './offer-command.js';
import type { KnownScans } from './scan-history.js';

/** The members that the client sends. */
export type NewOrder = Omit<NewOrderData, 'order_id' | 'business' | 'created_by'>;

export type PlanningChange = { readonly [M in keyof OrderPlanning]?: NonNullable<OrderPlanning[M]> | null };

export interface ScanOfPackage {
  readonly tracking_number: string;
  /** OTEP code. */
  readonly status_code: string;
  readonly occurred_at: string;
  readonly instant: Instant;
  /** OTEP incident reason. */
  readonly reason_code?: string | undefined;
}

/** The members of a scan that may be personal data. */
export interface ScanContent {
  readonly gps?: { readonly latitude: number; readonly longitude: number };
  readonly photos?: readonly string[];
  readonly note?: string;
  readonly return_note?: string | undefined;
}

export interface ScanByUser extends ScanOfPackage, ScanContent, Omit<ReturnMembers, 'return_note'> {
  readonly driverId?: number;
  readonly reason_code?: string;
}

/**
 * When a driver had the order: `now`; at the time of the scan (`then`), but another driver has it now, or none; only
 * before or after the scan (`earlier`).
 */
export type Custody = 'now' | 'then' | 'earlier';

/** The handling of a parcel by warehouse staff. */
export type ParcelChange =
  /** `return`: a driver brings the parcel back. */
  | { readonly what: 'receive' | 'unload' | 'return'; readonly location?: string }
  | { readonly what: 'stock_out' | 'missing' }
  | { readonly what: 'put_away' | 'move'; readonly location: string }
  | { readonly what: 'quarantine'; readonly location: string; readonly reason: QuarantineReason }
  | { readonly what: 'sort'; readonly routeId: number; readonly bay: string }
  | { readonly what: 'load'; readonly routeId: number };

export type HandleParcel = ParcelChange & {
  readonly tracking_number: string;
  readonly occurred_at: string;
  readonly instant: Instant;
  readonly warehouse: number;
  readonly site: SiteOfScan;
  /** Codes of the warehouses by id: of this warehouse and of the order's own, if known. */
  readonly codes?: Readonly<Record<number, string>>;
  readonly scanner?: { readonly op_id: string; readonly device_id: string };
  readonly driverId?: number;
  /** Handles the parcel even if it belongs to a different warehouse. */
  readonly force?: boolean;
  /**
   * Ids of the commands that the device sent after this one. If one of them is done, this command counts as done, even
   * without an event. Executing it now would record it after them.
   */
  readonly later?: readonly string[];
};

/** A step of a transfer, with the names of its warehouses at that time. */
export interface TransferParcel {
  readonly step: TransferStep;
  readonly transferId: number;
  readonly tracking_number: string;
  readonly from: { readonly warehouse: number; readonly site: SiteOfScan };
  readonly to: { readonly warehouse: number; readonly site: SiteOfScan };
  readonly occurred_at: string;
  readonly instant: Instant;
}

/** Changes of an order that do not affect its status or route. They are independent of each other. */
export type OrderUpdate =
  | { readonly do: 'instruct'; readonly delivery_instruction: string | undefined }
  | { readonly do: 'annotate'; readonly note: string | undefined }
  | { readonly do: 'set_warehouse'; readonly warehouse: number }
  /** Null members are removed; absent members stay. */
  | { readonly do: 'set_planning'; readonly planning: PlanningChange }
  | { readonly do: 'reschedule'; readonly time_windows?: readonly TimeWindow[]; readonly schedule_date?: string };

/**
 * How a new order is paid. `wallet`: at once, from the wallet of the account. `awaited`: the order is held until it is
 * paid.
 */
export type PaymentOnCreation =
  { readonly from: 'wallet'; readonly paymentId: string; readonly accountId: number } | { readonly from: 'awaited' };

/** The members of an order that its price depends on and that can change, and the number of its charges. */
export interface PricedParts {
  readonly schedule: { readonly time_windows: readonly TimeWindow[]; readonly schedule_date: string | undefined };
  readonly warehouse: number | undefined;
  readonly billVersion: number;
}

/** The price of an order after a change by its customer. */
export interface ChangedPrice {
  /**
   * The changed order that the price is for, and the charges that it replaces. If the order differs, another request has
   * changed it since, and the command is rejected with CONFLICT.
   */
  readonly of: PricedParts;
  /** Absent: the price stays. */
  readonly agreed?: Agreed;
  /** How an amount that is due is paid. Absent: later. */
  readonly payment?: PaymentOnCreation;
  /** The order is held until the office sets its price. */
  readonly awaitsPrice?: boolean;
}

/** The hold of a rerouted order, which its replacement keeps. `why`: absent if a user holds it. */
export interface KeptHold {
  readonly by?: number | undefined;
  readonly reason?: string | undefined;
  readonly why?: 'price';
}

type OrderChange =
  | BillChange
  /**
   * `warehouse`: where the order starts or ends. `agreed`: its price. A payment by the wallet needs a price. `carried`:
   * the payments of the rerouted order that it replaces; they need a price, too.
   */
  | {
      readonly do: 'create';
      readonly order: NewOrder;
      readonly warehouse?: number;
      readonly agreed?: Agreed;
      readonly payment?: PaymentOnCreation;
      readonly carried?: readonly CarriedPayment[];
      readonly held?: KeptHold;
    }
  /** `byCustomer`: a late cancellation costs the fee of the rate card. */
  | { readonly do: 'cancel'; readonly reason?: string; readonly byCustomer?: boolean }
  /**
   * Cancels the order and continues it as another order to a different address. Allowed only before pick-up.
   * `tracking_numbers`: one per package. `price`: absent if the replacement keeps the price.
   */
  | {
      readonly do: 'reroute';
      readonly replacement: {
        readonly order_id: number;
        readonly delivery: Stop;
        readonly tracking_numbers: readonly string[];
      };
      readonly reason?: string;
      readonly byCustomer?: boolean;
      readonly price?: ChangedPrice;
    }
  | { readonly do: 'hold' | 'release'; readonly reason?: string }
  | OrderUpdate
  /** All updates in one append, or none. `price`: absent if the price stays. */
  | {
      readonly do: 'update';
      readonly updates: readonly OrderUpdate[];
      readonly byCustomer?: boolean;
      readonly price?: ChangedPrice;
    }
  /** The position comes from a geocoder or from a user. */
  | ({ readonly do: 'locate' } & Required<Pick<Geocoding, 'stop' | 'position' | 'precision' | 'confidence' | 'source'>>)
  | ({ readonly do: 'handle' } & HandleParcel)
  | ({ readonly do: 'transfer' } & TransferParcel)
  /**
   * `brokerId`: the contractor that plans, with its rules. Absent: the business itself plans. An assigned order can be
   * planned only by its contractor.
   */
  | {
      readonly do: 'put_on_route' | 'take_off_route';
      readonly routeId: number;
      readonly brokerId?: number;
      readonly rules?: readonly ContractorRule[];
      /** The plan that is committed. */
      readonly planId?: number;
    }
  /** Moves the order between two routes in one append. Allowed only if its work has not started. */
  | {
      readonly do: 'move_to_route';
      readonly from: number;
      readonly routeId: number;
      readonly brokerId?: number;
      readonly rules?: readonly ContractorRule[];
      readonly planId: number;
    }
  | { readonly do: 'give_to_third_party' | 'take_from_third_party'; readonly provider: string }
  | OfferChange
  /** Assigns the order. If another contractor has it, the same append moves it. */
  | { readonly do: 'assign'; readonly assignmentId: number; readonly brokerId: number; readonly note?: string }
  | { readonly do: 'revoke_assignment'; readonly reason?: string }
  | { readonly do: 'release_assignment'; readonly brokerId: number; readonly reason?: string }
  /** `custody`: when the driver had the order. Absent: the scan is not of a driver. */
  | ({ readonly do: 'scan'; readonly custody?: Custody } & ScanByUser)
  /** Applies or discards a scan that is kept as a conflict. `content`: the personal members of the scan. */
  | {
      readonly do: 'settle_scan';
      /** Absent: any conflict of the order, to test whether there is one. */
      readonly conflictId?: string;
      readonly decision: ScanDecision;
      readonly reason?: string;
      readonly content?: ScanContent;
    }
  /** `own`: only a scan of this user. */
  | {
      readonly do: 'supersede_scan';
      readonly scanId: string;
      readonly own?: boolean;
      readonly reason?: string;
      readonly replacement?: Omit<ScanByUser, 'tracking_number'> & { readonly custody?: Custody };
    }
  /**
   * A scan from a carrier's timeline, with its event id. Never rejected: a scan that does not change the order records
   * nothing.
   */
  | ({ readonly do: 'follow_scan'; readonly scan: string; readonly provider: string } & ScanOfPackage)
  /** The carrier retracted a scan. `scans`: the ids that its event in the timeline may have. */
  | { readonly do: 'unfollow_scan'; readonly scans: readonly string[] }
  /** The carrier withdrew the retraction: the scan counts again. */
  | { readonly do: 'follow_scan_again'; readonly scans: readonly string[]; readonly provider: string };

/**
 * `commandId`: UUID of the request; a retry sends the same UUID and changes nothing. `by`: user id; absent: the service
 * itself.
 */
export type OrderCommand = {
  readonly commandId: string;
  readonly orderId: number;
  readonly business: number;
  readonly by?: number;
  /** Time of the command, in milliseconds since 1970. The handler of orders sets it. */
  readonly now?: number;
} & OrderChange;
export type CommandTo<Do extends OrderCommand['do']> = Extract<OrderCommand, { readonly do: Do }>;

export interface ActiveAssignment {
  readonly assignment_id: number;
  readonly broker_id: number;
}

/** The order after the command, even if the command changed nothing. */
export interface OrderReply {
  readonly status: OrderStatus;
  readonly route_id: number | undefined;
  readonly assignment: ActiveAssignment | undefined;
  readonly packages: readonly Package[];
  readonly schedule: PricedParts['schedule'];
  /** The order's own warehouse. */
  readonly warehouse: number | undefined;
  readonly planning: OrderPlanning;
  /** Handled parcels by tracking number. */
  readonly parcels: ReadonlyMap<string, Parcel>;
  /** Scans that count, and conflicts. */
  readonly history: KnownScans;
  readonly bill: Bill;
}
