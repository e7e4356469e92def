/** Commands to a label order. `commandId`: UUID of the request; a retry sends the same. */
import type { Bill } from '../../events/bill/state.js';
import type { EffectProgress } from '../../events/effects/progress.js';
import type { EffectCommand, EffectReply } from '../../events/effects/records.js';
import type { LabelVoidStatus, StoredLabelFile } from '../../events/labels/effects.js';
import type { NewLabelOrder } from '../../events/labels/events.js';
import type { LabelOrder } from '../../events/labels/order.js';
import type { LabelOrderState } from '../../events/labels/states.js';
import type { Agreed, BillChange } from '../bill/command.js';

/** A payment from the wallet of a customer, for which the purchase waits. */
export interface RequiredPayment {
  readonly paymentId: string;
  readonly accountId: number;
}

/** Creates the order. Its labels are bought at once, or after the payment. */
export interface CreateLabelOrder {
  readonly do: 'create';
  readonly order: Omit<NewLabelOrder, 'order_id' | 'business' | 'created_by'>;
  /** Absent: the order has no price. */
  readonly agreed?: Agreed | undefined;
  readonly payment?: RequiredPayment | undefined;
}

/** Buys the labels that are missing. `payment`: for the amount that is due; absent: the customer pays later. */
export interface PurchaseLabels {
  readonly do: 'purchase';
  readonly payment?: RequiredPayment | undefined;
}

/**
 * Cancels the order: voids its labels. `packageId`: only that of one package. `voids`: keyed digests of the requests, by
 * the subject of the shipment.
 */
export interface CancelLabelOrder {
  readonly do: 'cancel';
  readonly packageId?: string | undefined;
  readonly reason?: string | undefined;
  readonly refundOn: 'refunded' | 'submitted';
  /** False: the carrier cannot void labels. */
  readonly canVoid: boolean;
  readonly digests: Readonly<Record<string, string>>;
}

/** What the carrier reports about a void that it had accepted. */
export interface ReportVoid {
  readonly do: 'report_void';
  readonly shipment: string;
  readonly status: LabelVoidStatus;
}

/** A label was downloaded after its purchase. */
export interface StoreLabel {
  readonly do: 'store_label';
  readonly packageId: string;
  readonly label: StoredLabelFile;
}

export interface JoinManifest {
  readonly do: 'join_manifest';
  readonly manifestId: number;
}
export interface LeaveManifest {
  readonly do: 'leave_manifest';
  readonly manifestId: number;
  readonly why: string;
}
export interface ConfirmManifest {
  readonly do: 'confirm_manifest';
  readonly manifestId: number;
  readonly carrierReference: string;
}
export interface SubmitInformation {
  readonly do: 'submit_information';
}

/** A scan of the carrier on the timeline of a package. */
export interface FollowLabelScan {
  readonly do: 'follow_scan';
  readonly packageId: string;
  readonly statusCode: string;
  readonly instant: string;
  readonly scan: string;
}

export type LabelChange =
  | CreateLabelOrder
  | PurchaseLabels
  | CancelLabelOrder
  | ReportVoid
  | StoreLabel
  | JoinManifest
  | LeaveManifest
  | ConfirmManifest
  | SubmitInformation
  | FollowLabelScan
  | BillChange;

export interface LabelAddress {
  readonly commandId: string;
  readonly orderId: number;
  readonly business: number;
  /** User id; absent if the service acts. */
  readonly by?: number | undefined;
}

export type LabelOrderCommand = LabelChange & LabelAddress;
export type LabelCommand = LabelOrderCommand | EffectCommand;

/** The order after the command. `effect`: of a command that records a step of an effect. */
export interface LabelReply extends EffectReply {
  readonly bill: Bill;
  readonly order: LabelOrder;
  readonly state: LabelOrderState;
  /** Effects that have not ended, oldest first. */
  readonly open: readonly EffectProgress[];
}
