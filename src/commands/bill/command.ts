/** Commands to the bill of an order. They are commands of the order, because its stream contains the bill. */
import type { Family } from '../../events/pricing/families.js';
import type {
  Charge,
  ChargeSource,
  PaymentFailure,
  PaymentMethod,
  REQUESTED_REFUND_TARGETS,
  Settlement,
} from '../../events/bill/events.js';

/** The charges of an order. Amounts have the digits of the currency, and the total is not negative. */
export interface Charges {
  readonly currency: string;
  readonly lines: readonly Charge[];
  /** Texts of the office for its lines, by code. */
  readonly lineNames?: Readonly<Record<string, string>>;
  readonly subtotal: string;
  readonly surchargeAmount: string;
  readonly taxAmount: string;
  readonly total: string;
  readonly source?: ChargeSource;
}

/** The price of a new order. */
export interface Agreed {
  readonly charges: Charges;
  readonly settlement: Settlement;
}

/** A payment that a rerouted order received, and that its replacement has now. It keeps its id. */
export interface CarriedPayment {
  readonly paymentId: string;
  /** The part that was not refunded. */
  readonly amount: string;
  readonly method: PaymentMethod;
  /** Owner of the wallet that paid. */
  readonly accountId?: number | undefined;
  readonly reference?: string | undefined;
  readonly receivedAt?: string | undefined;
  readonly receivedBy?: number | undefined;
  /** The rerouted order. */
  readonly from: number;
}

/** Replaces the charges. If more was paid than is due then, the difference is refunded. */
export interface SetCharges {
  readonly do: 'set_charges';
  readonly charges: Charges;
  /** Absent: unchanged; for the first charges `firstSettlement`. */
  readonly settlement?: Settlement | undefined;
  /** Absent: `online`. */
  readonly firstSettlement?: Settlement;
}

/**
 * Begins the payment of the remaining amount from the wallet of an account. `expectedAmount`: the amount that the payer
 * has seen. `billVersion`: the charges whose payment the wallet was asked about; absent: any.
 */
export interface BeginPayment {
  readonly do: 'begin_payment';
  readonly paymentId: string;
  readonly accountId: number;
  readonly expectedAmount?: string | undefined;
  readonly billVersion?: number;
}

/** Records the decision of the wallet. `failure`: absent if the wallet paid. */
export interface ConcludePayment {
  readonly do: 'conclude_payment';
  readonly paymentId: string;
  readonly failure?: PaymentFailure;
}

/** Records a payment outside of the service. `receivedAt`: RFC 3339. */
export interface RecordPayment {
  readonly do: 'record_payment';
  readonly paymentId: string;
  readonly amount: string;
  readonly method: Exclude<PaymentMethod, 'wallet'>;
  readonly reference?: string | undefined;
  readonly receivedAt?: string | undefined;
}

/** Refunds a payment. `amount`: absent for everything that is not refunded. */
export interface BeginRefund {
  readonly do: 'begin_refund';
  readonly refundId: string;
  readonly paymentId: string;
  readonly amount?: string | undefined;
  readonly to: (typeof REQUESTED_REFUND_TARGETS)[number];
  readonly reason: string;
}

/** The money of the refund has arrived in the wallet. */
export interface ConcludeRefund {
  readonly do: 'conclude_refund';
  readonly refundId: string;
}

export type BillChange = SetCharges | BeginPayment | ConcludePayment | RecordPayment | BeginRefund | ConcludeRefund;

/** The order of a bill. `commandId` and `by`: of the command that is decided. */
export interface BillOf {
  readonly orderId: number;
  readonly business: number;
  readonly customerId: number | undefined;
  readonly family: Family;
  readonly commandId: string;
  readonly by: number | undefined;
}
