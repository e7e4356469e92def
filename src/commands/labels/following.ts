/**
 * Writes the events in other streams that follow from a label order: the movements of money in wallets, and the
 * timelines of its packages. This happens directly after the append to the order. If a crash prevents it, a follower of
 * the log does it later. Repeating it changes nothing.
 */
import QuickLRU from 'quick-lru';
import { PaymentBegun, RefundBegun } from '../../events/bill/events.js';
import type { Position, StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import { LABEL_PURCHASE, type LabelPurchaseResult } from '../../events/labels/effects.js';
import {
  LabelInformationSubmitted,
  LabelVoided,
  ManifestConfirmed,
  type NewLabelOrder,
} from '../../events/labels/events.js';
import { hasLabel } from '../../events/labels/state.js';
import { ownerOfPackages, trackingOfPackage } from '../../events/orders/events.js';
import type { Code } from '../../events/otep/codes.js';
import { OTEP_VERSION, PROFILE } from '../../events/otep/model.js';
import { instantOf } from '../../events/otep/time.js';
import { trackingStream, writerName } from '../../events/trackings/events.js';
import { walletOwner } from '../bill/refunding.js';
import type { BegunPayment, BegunRefund, Settle } from '../bill/settling.js';
import { DomainError } from '../core/domain-error.js';
import type { Handle } from '../core/handle.js';
import { causedBy } from '../orders/following.js';
import type { Outcome, TrackingCommand } from '../trackings/command.js';
import { LABEL_FAMILY } from './billing.js';
import type { LabelCommand, LabelReply } from './command.js';
import { createLabelReader, type ReadLabelOrder } from './reader.js';

export interface FollowLabelsOptions extends Parts<'log' | 'types'> {
  readonly trackings: Handle<TrackingCommand, readonly Outcome[]>;
  readonly settle: Settle;
}

/** Writes all events that follow from the order. Returns the position of the last write. */
export type FollowLabels = (stream: string) => Promise<Position | undefined>;

/** Statuses of the timelines, by the events that lead to them. */
const CODES: Readonly<Record<string, Code>> = {
  [LABEL_PURCHASE.done.type]: 'information_submitted',
  [LabelInformationSubmitted.type]: 'booking_confirmed',
  [ManifestConfirmed.type]: 'booking_confirmed',
  [LabelVoided.type]: 'cancelled',
};

/** Types of events that lead to events in other streams. */
export const LABEL_FOLLOWED: ReadonlySet<string> = new Set([
  PaymentBegun.type,
  RefundBegun.type,
  ...Object.keys(CODES),
]);

/** Number of events that are known to be followed. A forgotten one is followed again, which changes nothing. */
const KNOWN = 20_000;

/** The provider whose scans of the carrier account are written to the timelines. */
export const carrierProvider = ({ adapter, account_id }: Pick<NewLabelOrder, 'adapter' | 'account_id'>): string =>
  `carrier-${adapter}-${account_id}`;

export function createFollowLabels({ log, types, trackings, settle }: FollowLabelsOptions): FollowLabels {
  const read = createLabelReader({ log, types });
  const known = new QuickLRU<string, true>({ maxSize: KNOWN });

  return async function follow(stream) {
    const order = await read(stream);
    const { created, past } = order;
    if (!created) return undefined;
    let last: Position | undefined;
    for (const event of past) {
      if (!LABEL_FOLLOWED.has(event.type) || known.has(event.id)) continue;
      const position = await unlessRefused(followOne(order, created, event));
      known.set(event.id, true);
      if (position !== undefined && (last === undefined || position > last)) last = position;
    }
    return last;
  };

  async function followOne(order: ReadLabelOrder, created: NewLabelOrder, event: StoredEvent) {
    if (event.type === PaymentBegun.type || event.type === RefundBegun.type) return moveMoney(order, created, event);
    const numbers = numbersOf(order, event);
    const positions = await Promise.all(numbers.map((number) => writeScan(created, number, event)));
    return positions.reduce(
      (last, one) => (one !== undefined && (last === undefined || one > last) ? one : last),
      undefined,
    );
  }

  async function moveMoney({ state: { bill } }: ReadLabelOrder, created: NewLabelOrder, event: StoredEvent) {
    const { order_id: orderId, business, customer_id: customerId } = created;
    const paid = { orderId, business, family: LABEL_FAMILY };
    if (event.type === PaymentBegun.type)
      return (await settle.payment(paid, event.data as unknown as BegunPayment, causedBy(event))).position;
    const refund = event.data as unknown as BegunRefund;
    const payment = bill.payments.find(({ id }) => id === refund.payment_id)!;
    const accountId = walletOwner(payment, { customerId });
    if (refund.to === 'outside' || accountId === undefined) return undefined;
    return settle.refund(paid, refund, { method: payment.method, accountId }, causedBy(event));
  }

  async function writeScan(created: NewLabelOrder, number: string, event: StoredEvent): Promise<Position | undefined> {
    const { business, order_id } = created;
    const owner = ownerOfPackages(business);
    const id = trackingOfPackage(business, number);
    const provider = writerName(owner);
    const occurred_at = event.metadata['recorded_at'] as string;
    const scan = {
      event_id: event.id,
      otep_version: OTEP_VERSION,
      occurred_at,
      instant: instantOf(occurred_at)!,
      status_code: CODES[event.type]!,
      source: { type: 'platform' as const },
      provider,
    };
    const cause = causedBy(event);
    const push = {
      kind: 'push' as const,
      id,
      provider,
      subject: { tracking_number: number, order_id: String(order_id) },
      pushed: [{ scan }],
      opening: { owner, number, generation: 0, profile: PROFILE },
    };
    const { position } = await trackings(trackingStream(id), push, cause);
    if (event.type !== LABEL_PURCHASE.done.type) return position;
    const granted = await trackings(
      trackingStream(id),
      { kind: 'grant', id, provider: carrierProvider(created) },
      cause,
    );
    return granted.position ?? position;
  }
}

/** The tracking numbers that an event concerns. */
function numbersOf({ state: { order } }: ReadLabelOrder, { type, data }: StoredEvent): string[] {
  if (type === LABEL_PURCHASE.done.type)
    return (data['result'] as unknown as LabelPurchaseResult).packages.map(({ tracking_number }) => tracking_number);
  const shipments = order.shipments.filter((one) =>
    type === LabelVoided.type ? one.about === data['shipment'] : hasLabel(one),
  );
  const ids = new Set(shipments.flatMap(({ packages }) => packages));
  return order.packages.flatMap(({ package_id, tracking_number }) =>
    ids.has(package_id) && tracking_number !== undefined ? [tracking_number] : [],
  );
}

/** Ignores a rejection by the state of another stream: it must not prevent the events that follow from later ones. */
const unlessRefused = (done: Promise<Position | undefined>): Promise<Position | undefined> =>
  done.catch((error: unknown) => {
    if (error instanceof DomainError) return undefined;
    throw error;
  });

/** Commands after which nothing follows, or whose callers move the money themselves. */
const ALONE: ReadonlySet<LabelCommand['do']> = new Set([
  'begin_payment',
  'conclude_payment',
  'conclude_refund',
  'record_payment',
  'store_label',
  'join_manifest',
  'leave_manifest',
  'follow_scan',
]);

/** Wraps the handler of label orders: it also writes the events that follow, so that the returned position includes both. */
export function withLabelFollowing(
  handle: Handle<LabelCommand, LabelReply>,
  follow: FollowLabels,
): Handle<LabelCommand, LabelReply> {
  return async (stream, command, cause) => {
    const handled = await handle(stream, command, cause);
    if (cause.dryRun || !handled.changed || ALONE.has(command.do)) return handled;
    // If this fails, the follower of the log does it later.
    const position = await follow(stream).catch(() => undefined);
    const isLater = position !== undefined && (handled.position === undefined || position > handled.position);
    return isLater ? { ...handled, position } : handled;
  };
}
