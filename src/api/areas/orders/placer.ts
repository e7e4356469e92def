/** Who places orders, and how. Queued batches and imports store it. */
export interface Placer {
  readonly business: number;
  readonly userId: number;
  /** IANA name of the timezone of the business. */
  readonly timezone: string;
  /** The date of the request, in this timezone. */
  readonly today: string;
  /** Customers can order only for themselves. */
  readonly isCustomer: boolean;
  /** The order is one of many. */
  readonly isBulk?: boolean;
}
