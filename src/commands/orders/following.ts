/**
 * Writes the events in other streams that follow from an order's events:
 *
 * - the timelines of its packages, and their planned delivery,
 * - the permission of third parties to write to these timelines,
 * - the replacement of a rerouted order,
 * - the movements of money in wallets.
 *
 * This happens directly after the order's append. If a crash prevents it, a follower of the log does it later. Event
 * ids are derived from the order's event, so repeating it changes nothing.
 */
import { PaymentBegun, RefundBegun } from '../../events/bill/events.js';
import { evolveBill, NO_BILL } from '../../events/bill/state.js';
import { decoded } from '../../events/core/codec.js';
import type { Position, StoredEvent } from '../../events/core/log.js';
import {
  OrderCancelled,
  OrderCreated,
  orderStream,
  ownerOfPackages,
  ThirdPartyReturnedOrder,
  ThirdPartyTookOrder,
  trackingOfPackage,
  type NewOrderData,
} from '../../events/orders/events.js';
import { businessStream } from '../../events/businesses/events.js';
import type { Parts } from '../../events/core/parts.js';
import { PROFILE } from '../../events/otep/model.js';
import { trackingStream, writerName, type PlannedDelivery } from '../../events/trackings/events.js';
import { MAX_PAYMENTS } from '../bill/decide.js';
import { walletOwner } from '../bill/refunding.js';
import type { BegunPayment, BegunRefund, Settle } from '../bill/settling.js';
import { DomainError } from '../core/domain-error.js';
import type { Cause, Handle } from '../core/handle.js';
import { ORDER_FAMILY } from './billing.js';
import type { OrderCommand, OrderReply } from './decider.js';
import { deliveryPlan, PLANNING } from './delivery-plan.js';
import { endedBefore, scansOf, SCANNED_EVENT_TYPES, type PackageScan } from './timeline-scans.js';
import { toReplacement } from './rerouting.js';
import { factId } from './rules.js';
import type { Outcome, TrackingCommand } from '../trackings/command.js';

export interface FollowOrdersOptions extends Parts<'log' | 'types' | 'keyRing'> {
  readonly trackings: Handle<TrackingCommand, readonly Outcome[]>;
  readonly orders: Handle<OrderCommand, OrderReply>;
  readonly settle: Settle;
}

/** Writes the events that follow from the order's events with these ids. Returns the position of the last write. */
export type FollowOrder = (stream: string, ids: ReadonlySet<string>) => Promise<Position | undefined>;

/** Types of events that lead to events in other streams. */
export const FOLLOWED: ReadonlySet<string> = new Set([
  ...SCANNED_EVENT_TYPES,
  ...PLANNING,
  OrderCancelled.type,
  ThirdPartyTookOrder.type,
  ThirdPartyReturnedOrder.type,
  PaymentBegun.type,
  RefundBegun.type,
]);

export function createFollowOrder({
  log,
  types,
  keyRing,
  trackings,
  orders,
  settle,
}: FollowOrdersOptions): FollowOrder {
  const timezones = new Map<number, string>();

  return async function follow(stream, ids) {
    const past: StoredEvent[] = [];
    for await (const event of log.read(stream)) past.push(decoded(event, types));
    const first = past[0];
    if (!first || first.type !== OrderCreated.type) return undefined;
    const order = first.data as unknown as NewOrderData;
    const newEvents = past.filter(({ id, type }) => ids.has(id) && FOLLOWED.has(type));
    const positions: (Position | undefined)[] = [];
    for (const event of newEvents) positions.push(await unlessRefused(followOne(order, event, past)));
    return latest(positions);
  };

  async function followOne(order: NewOrderData, event: StoredEvent, past: readonly StoredEvent[]) {
    const positions: (Position | undefined)[] = [];
    const planned = PLANNING.has(event.type) ? deliveryPlan(event, past, await timezoneOf(order.business)) : undefined;
    const scans = scansOf(event, past);
    positions.push(...(await Promise.all(scans.map((scan) => writeScan(order, event, scan, planned)))));
    if (planned && scans.length === 0) {
      const ended = endedBefore(past);
      const open = order.packages.filter(({ tracking_number }) => !ended.has(tracking_number));
      positions.push(
        ...(await Promise.all(open.map(({ tracking_number }) => plan(order, tracking_number, event, planned)))),
      );
    }
    if (event.type === ThirdPartyTookOrder.type || event.type === ThirdPartyReturnedOrder.type)
      positions.push(
        ...(await Promise.all(
          order.packages.map(({ tracking_number }) => letWrite(order, tracking_number, event, past)),
        )),
      );
    if (event.type === OrderCancelled.type && event.data['replacement'] !== undefined)
      positions.push(await replace(order, event, past));
    if (event.type === PaymentBegun.type || event.type === RefundBegun.type)
      positions.push(await moveMoney(order, event, past));
    return latest(positions);
  }

  async function moveMoney(order: NewOrderData, event: StoredEvent, past: readonly StoredEvent[]) {
    const { order_id: orderId, business, customer_id: customerId } = order;
    const paid = { orderId, business, family: ORDER_FAMILY };
    if (event.type === PaymentBegun.type)
      return (await settle.payment(paid, event.data as unknown as BegunPayment, causedBy(event))).position;
    const refund = event.data as unknown as BegunRefund;
    const payment = past.reduce(evolveBill, NO_BILL).payments.find(({ id }) => id === refund.payment_id)!;
    const accountId = walletOwner(payment, { customerId });
    if (refund.to !== 'wallet' || accountId === undefined) return undefined;
    return settle.refund(paid, refund, { method: payment.method, accountId }, causedBy(event));
  }

  async function replace(order: NewOrderData, event: StoredEvent, past: readonly StoredEvent[]) {
    const cause = causedBy(event);
    const command = await toReplacement(order, event, past, { keyRing, cause });
    return (await orders(orderStream(command.orderId), command, cause)).position;
  }

  async function writeScan(
    { business, order_id }: NewOrderData,
    event: StoredEvent,
    { parcel, ...pushed }: PackageScan,
    planned?: PlannedDelivery,
  ): Promise<Position | undefined> {
    const { tracking_number, external_tracking_number } = parcel;
    const owner = ownerOfPackages(business);
    const id = trackingOfPackage(business, tracking_number);
    const subject = {
      tracking_number,
      order_id: String(order_id),
      ...(external_tracking_number !== undefined && { external_tracking_number }),
    };
    const provider = writerName(owner);
    const { position } = await trackings(
      trackingStream(id),
      {
        kind: 'push',
        id,
        provider,
        subject,
        pushed: [
          'scan' in pushed
            ? { scan: { ...pushed.scan, provider } }
            : { retraction: { ...pushed.retraction, provider } },
        ],
        planned,
        opening: { owner, number: tracking_number, generation: 0, profile: PROFILE },
      },
      causedBy(event),
    );
    return position;
  }

  async function plan(
    { business }: NewOrderData,
    number: string,
    event: StoredEvent,
    planned: PlannedDelivery,
  ): Promise<Position | undefined> {
    const id = trackingOfPackage(business, number);
    return (await trackings(trackingStream(id), { kind: 'plan', id, planned }, causedBy(event))).position;
  }

  /** Cached, because the time zone of a business never changes. */
  async function timezoneOf(business: number): Promise<string> {
    const known = timezones.get(business);
    if (known !== undefined) return known;
    for await (const event of log.read(businessStream(business))) {
      const { timezone } = decoded(event, types).data as { readonly timezone: string };
      timezones.set(business, timezone);
      return timezone;
    }
    return 'UTC';
  }

  /** Uses the whole past of the order, so that a repeated older event does not undo a later one. */
  async function letWrite(
    { business }: NewOrderData,
    number: string,
    event: StoredEvent,
    past: readonly StoredEvent[],
  ): Promise<Position | undefined> {
    const id = trackingOfPackage(business, number);
    const last = past.findLast(
      ({ type }) => type === ThirdPartyTookOrder.type || type === ThirdPartyReturnedOrder.type,
    )!;
    const provider = event.data['provider'] as string;
    const holds = last.type === ThirdPartyTookOrder.type && last.data['provider'] === provider;
    // A provider that returned the order has not picked it up, so none of its scans can be late.
    const returned = past.findLast(
      ({ type, data }) => type === ThirdPartyReturnedOrder.type && data['provider'] === provider,
    );
    const isReleased = returned?.data['why'] === 'released';
    const { position } = await trackings(
      trackingStream(id),
      holds ? { kind: 'grant', id, provider } : { kind: 'revoke', id, provider, refusesAll: isReleased },
      causedBy(event),
    );
    return position;
  }
}

/** Ignores a rejection by the state of another stream: it must not prevent the events that follow from later ones. */
const unlessRefused = (done: Promise<Position | undefined>): Promise<Position | undefined> =>
  done.catch((error: unknown) => {
    if (error instanceof DomainError) return undefined;
    throw error;
  });

const latest = (positions: readonly (Position | undefined)[]): Position | undefined =>
  positions.reduce((last, one) => (one !== undefined && (last === undefined || one > last) ? one : last), undefined);

/** The cause of a command that follows from an event. The actor is that of the event. */
export function causedBy({ id, metadata }: Pick<StoredEvent, 'id' | 'metadata'>): Cause {
  const { channel, ...actor } = metadata['actor'] as unknown as Cause['actor'] & { channel: Cause['channel'] };
  return {
    correlationId: metadata['$correlationId'] as string,
    causationId: id,
    actor,
    channel,
    ...(metadata['business'] !== undefined && { business: metadata['business'] as string }),
  };
}

/** Commands whose events lead to events in other streams. */
const LEADING: ReadonlySet<OrderCommand['do']> = new Set([
  'set_charges',
  'begin_refund',
  'create',
  'cancel',
  'reroute',
  'update',
  'reschedule',
  'put_on_route',
  'take_off_route',
  'give_to_third_party',
  'take_from_third_party',
  'accept_offer',
  'release_by_third_party',
  'scan',
  'settle_scan',
  'supersede_scan',
  'handle',
  'transfer',
]);
/** Maximum number of events of one command that change no bill. */
const MAX_FACTS = 5;
/** A command that changes the charges may refund each payment, with two events. */
const REFUNDING: ReadonlySet<OrderCommand['do']> = new Set(['cancel', 'reroute', 'set_charges', 'begin_refund']);
/** Maximum number of events of a changed price, without refunds: the charges, a payment, a hold. */
const PRICE_FACTS = 3;
function maxFacts(command: OrderCommand): number {
  if (REFUNDING.has(command.do)) return MAX_FACTS + 2 * MAX_PAYMENTS;
  if (command.do === 'create' && command.carried) return MAX_FACTS + 3 * MAX_PAYMENTS;
  if (command.do === 'update') return MAX_FACTS + 1 + (command.price ? PRICE_FACTS + 2 * MAX_PAYMENTS : 0);
  return MAX_FACTS;
}

/** Adds the current time to each command. Deciders compare deadlines with it. */
export const withTime =
  (handle: Handle<OrderCommand, OrderReply>, now: () => number): Handle<OrderCommand, OrderReply> =>
  (stream, command, cause) =>
    handle(stream, { ...command, now: now() }, cause);

/**
 * Wraps the handler of orders: it also writes the events that follow in other streams, so that the returned position
 * includes both. If that fails, the follower of the log does it later.
 */
export function withFollowing(
  handle: Handle<OrderCommand, OrderReply>,
  follow: FollowOrder,
): Handle<OrderCommand, OrderReply> {
  return async (stream, command, cause) => {
    const handled = await handle(stream, command, cause);
    if (cause.dryRun || !LEADING.has(command.do)) return handled;
    const ids = new Set(Array.from({ length: maxFacts(command) }, (_, n) => factId(command, n)));
    const position = await follow(stream, ids).catch(() => undefined);
    return { ...handled, position: latest([handled.position, position]) };
  };
}
