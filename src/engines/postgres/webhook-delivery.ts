/** Types of stored webhook deliveries and their attempts. */
import type { WebhookEndpoint, WebhookKind } from '../../events/webhooks/events.js';
import type { Range } from '../../sql/page-key.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The position of an event in the log. */
export interface EventRef {
  readonly stream: string;
  readonly revision: number;
}

export interface NewDelivery extends EventRef {
  /** UUID; an existing delivery with it is not changed. */
  readonly id: string;
  readonly business: number;
  readonly kind: WebhookKind;
  /** Endpoint of the delivery: attempts, failures and pauses are counted per endpoint. */
  readonly endpoint: WebhookEndpoint;
  /** RFC 3339. */
  readonly recordedAt: string;
  /** Reason why the delivery is skipped; absent: it is due immediately. */
  readonly skipped?: string;
  /** Maximum number of attempts. */
  readonly most: number;
}

export interface Claimed {
  readonly id: string;
  readonly business: number;
  readonly kind: WebhookKind;
  readonly endpoint: WebhookEndpoint;
  /** Undefined for a test, which has a `target` instead. */
  readonly event: EventRef | undefined;
  readonly target: string | undefined;
  readonly recordedAt: Date;
  /** Including the attempt that begins now. */
  readonly attempts: number;
  readonly most: number;
}

export interface Attempt {
  readonly at: Date;
  readonly ms: number;
  readonly url: string;
  readonly status?: number;
  readonly error?: string;
  /** The beginning of the response body. */
  readonly answer?: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly kind: WebhookKind;
  readonly test: boolean;
  readonly state: DeliveryState;
  readonly recordedAt: Date;
  readonly createdAt: Date;
  /** Only for a pending delivery. */
  readonly dueAt: Date | undefined;
  readonly error: string | undefined;
  readonly attemptsMade: number;
  /** Oldest first; attempts that the end of a process interrupted are absent. */
  readonly attempts: readonly (Attempt & { readonly attempt: number })[];
}

export interface DeliveryFilter extends Range {
  readonly kind?: WebhookKind | undefined;
  readonly state?: DeliveryState | undefined;
  readonly id?: string | undefined;
  /** Creation time: from (inclusive), to (exclusive). */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Maximum number of concurrent attempts of an endpoint, if it differs from the default. */
export interface Slots {
  readonly business: number;
  readonly endpoint: WebhookEndpoint;
  readonly slots: number;
}

/** The result of an attempt. `retry`: milliseconds until the next attempt. */
export type Settled =
  | { readonly state: Exclude<DeliveryState, 'pending'>; readonly error?: string }
  | { readonly retry: number; readonly error: string };
