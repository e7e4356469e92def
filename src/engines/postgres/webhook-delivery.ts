/** What is kept of a webhook delivery and its attempts. */
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
  /** UUID; one that is there already stays as it is. */
  readonly id: string;
  readonly business: number;
  readonly kind: WebhookKind;
  /** By which it goes: attempts, failures and pauses are counted for each. */
  readonly endpoint: WebhookEndpoint;
  /** RFC 3339. */
  readonly recordedAt: string;
  /** Why it is not to be sent; absent: it is due at once. */
  readonly skipped?: string;
  /** Attempts in all. */
  readonly most: number;
}

export interface Claimed {
  readonly id: string;
  readonly business: number;
  readonly kind: WebhookKind;
  readonly endpoint: WebhookEndpoint;
  /** Undefined for a test, which has a `target`. */
  readonly event: EventRef | undefined;
  readonly target: string | undefined;
  readonly recordedAt: Date;
  /** With the one that begins now. */
  readonly attempts: number;
  readonly most: number;
}

export interface Attempt {
  readonly at: Date;
  readonly ms: number;
  readonly url: string;
  readonly status?: number;
  readonly error?: string;
  /** The beginning of the answer's text. */
  readonly answer?: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly kind: WebhookKind;
  readonly test: boolean;
  readonly state: DeliveryState;
  readonly recordedAt: Date;
  readonly createdAt: Date;
  /** Of a pending one. */
  readonly dueAt: Date | undefined;
  readonly error: string | undefined;
  readonly attemptsMade: number;
  /** Oldest first; one that was cut off by the end of a process is absent. */
  readonly attempts: readonly (Attempt & { readonly attempt: number })[];
}

export interface DeliveryFilter extends Range {
  readonly kind?: WebhookKind | undefined;
  readonly state?: DeliveryState | undefined;
  readonly id?: string | undefined;
  /** Of creation: from (inclusive), to (exclusive). */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** How many attempts an endpoint may have under way at a time, where it is not the usual number. */
export interface Slots {
  readonly business: number;
  readonly endpoint: WebhookEndpoint;
  readonly slots: number;
}

/** What an attempt led to. `retry`: milliseconds until the next. */
export type Settled =
  | { readonly state: Exclude<DeliveryState, 'pending'>; readonly error?: string }
  | { readonly retry: number; readonly error: string };
