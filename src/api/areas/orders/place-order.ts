/** Creates one order. All operations that create orders use it. */
import type { Cause, Handled } from '../../../commands/core/handle.js';
import type { Commands } from '../../../commands/commands.js';
import type { OrderReply } from '../../../commands/orders/decider.js';
import { accountSubject } from '../../../events/accounts/events.js';
import type { KeyRing } from '../../../events/core/codec.js';
import { orderStream } from '../../../events/orders/events.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import type { OrderRefs } from '../../../engines/postgres/order-refs.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { normalizeNumber } from '../../../events/otep/check/subject.js';
import { isOurNumber, newTrackingNumber } from '../../../events/orders/numbers.js';
import type { Parts } from '../../core/parts.js';
import { pricedStops } from '../pricing/priced-inputs.js';
import type { RateInput } from '../pricing/rate-input.js';
import type { CheckedReturn, ReturnOf, Returns } from '../return-reasons/returns.js';
import { checkDate, checkOrder, toNewOrder, type OrderInput, type OrderWithStops } from './input.js';
import { isRejection, type NewOrderPrices } from './new-order-prices.js';
import type { Placer } from './placer.js';
import type { CopyStops } from './stop-addresses.js';

/**
 * Subjects of the keys of customers who are named in these orders, or who place them. Their erasure also deletes queued
 * orders.
 */
export function subjectsOfOrders(
  orders: readonly { readonly order: unknown }[],
  { userId, isCustomer }: Pick<Placer, 'userId' | 'isCustomer'>,
): string[] {
  const customerIds = orders.flatMap(({ order }) => {
    const id = (order as { readonly customer_id?: unknown } | null)?.customer_id;
    return Number.isSafeInteger(Number(id)) && !isCustomer && id !== undefined ? [Number(id)] : [];
  });
  return [...new Set(isCustomer ? [userId] : customerIds)].map(accountSubject);
}

export interface PlaceOrderOptions extends Parts<'accounts' | 'now'> {
  readonly orders: Commands['orders'];
  readonly keyRing: Pick<KeyRing, 'existing'>;
  readonly queries: Pick<OrderQueries, 'takenNumbers' | 'isRefTaken'>;
  readonly refs: OrderRefs;
  readonly warehouses: Pick<WarehouseQueries, 'isOpen' | 'byDefault'>;
  readonly prices: NewOrderPrices;
  readonly returns: Returns;
  readonly copyStops: CopyStops;
}

/**
 * Creates an order with the given id. Throws ApiError if it is invalid; a retry with the same `commandId` changes
 * nothing.
 */
export type PlaceOrder = (
  input: OrderInput,
  id: number,
  commandId: string,
  placer: Placer,
  cause: Cause,
) => Promise<Handled<OrderReply>>;

export function createPlaceOrder({
  orders,
  accounts,
  keyRing,
  queries,
  refs,
  warehouses,
  prices,
  returns,
  copyStops,
  now,
}: PlaceOrderOptions): PlaceOrder {
  return async (requested, id, commandId, placer, cause) => {
    const { business, userId, isCustomer, today } = placer;
    const isDryRun = cause.dryRun !== undefined;
    checkOrder(requested);
    checkDate(requested.schedule_date, today, requested.allow_past_date);
    const input = await copyStops(requested, { business, customerId: isCustomer ? userId : null });
    const customer = isCustomer ? userId : input.customer_id;
    if (customer !== undefined) await checkCustomer(customer, business);
    await checkNumbers(input, id, business);
    const numbers = input.packages.map((_, index) => newTrackingNumber(commandId, id, index));
    const order = { ...toNewOrder(input, numbers), ...(customer !== undefined && { customer_id: customer }) };
    const warehouse = await warehouseOf(input, business);
    const of = { business, userId, orderId: id };
    const { members: returned } = await checkedReturn(input, of);
    const command = { do: 'create' as const, commandId, orderId: id, business, by: userId };
    const shipment = toShipment({ ...input, warehouse_id: warehouse });
    const priced = { input, shipment, customerId: customer, placer, orderId: id, commandId, cause, time: now() };
    const handled = await prices(priced, (price) =>
      withUniqueRef(input.order_ref, { business, orderId: id, isDryRun }, () =>
        orders(
          orderStream(id),
          { ...command, order: { ...order, ...returned }, ...(warehouse !== undefined && { warehouse }), ...price },
          cause,
        ),
      ),
    );
    if (!isDryRun) await returns.keepPhoto(input, id);
    return handled;
  };

  /** Throws INVALID_INPUT for a return that is no pick-up, and like `Returns.check`. */
  async function checkedReturn(input: OrderInput, of: ReturnOf): Promise<CheckedReturn> {
    const checked = await returns.check(input, of);
    if (checked.members.return_reason && input.type !== 'P')
      throw invalidForm('return_reason', 'absent, unless `type` is P');
    return checked;
  }

  /** Returns the warehouse of the order. Orders of type `P2P` have one only if the request names it. */
  async function warehouseOf({ type, warehouse_id }: OrderWithStops, business: number): Promise<number | undefined> {
    if (warehouse_id === undefined) return type === 'P2P' ? undefined : warehouses.byDefault(business);
    if (!(await warehouses.isOpen(warehouse_id, business))) throw fieldError('WAREHOUSE_NOT_FOUND', 'warehouse_id');
    return warehouse_id;
  }

  /** Ensures a unique reference: the claim detects simultaneous orders, the read model earlier ones. */
  async function withUniqueRef<T>(
    ref: string | undefined,
    { business, orderId, isDryRun }: { business: number; orderId: number; isDryRun: boolean },
    create: () => Promise<T>,
  ): Promise<T> {
    if (ref === undefined || !(await accounts.business(business))?.unique_order_ref) return create();
    if (!isDryRun && !(await refs.claim(business, ref, orderId))) throw fieldError('ORDER_REF_TAKEN', 'order_ref');
    try {
      if (await queries.isRefTaken(ref, { business, orderId })) throw fieldError('ORDER_REF_TAKEN', 'order_ref');
      return await create();
    } catch (error) {
      if (!isDryRun && isRejection(error)) await refs.release(business, ref, orderId);
      throw error;
    }
  }

  /** Rejects numbers of other packages, so that an order cannot take over their scans. */
  async function checkNumbers({ packages }: OrderWithStops, orderId: number, business: number): Promise<void> {
    const given = packages.flatMap(({ external_tracking_number: number }, index) =>
      number === undefined ? [] : [{ number: normalizeNumber(number) ?? number, raw: number, index }],
    );
    if (given.length === 0) return;
    const numbersToCheck = [...new Set(given.flatMap(({ number, raw }) => [number, raw]))];
    const taken = await queries.takenNumbers(numbersToCheck, { business, orderId });
    const errors = given
      .filter(
        ({ number, raw }, at) =>
          isOurNumber(number) ||
          taken.has(number) ||
          taken.has(raw) ||
          given.findIndex((other) => other.number === number) < at,
      )
      .map(({ index }) => ({
        field: 'external_tracking_number',
        path: `/packages/${index}/external_tracking_number`,
        code: 'NUMBER_TAKEN',
      }));
    if (errors.length > 0) throw new ApiError('NUMBER_TAKEN', { errors });
  }

  async function checkCustomer(id: number, business: number): Promise<void> {
    const account = await accounts.byId(id);
    // An erased customer has no key. A new order would create a key that no erasure destroys (jobs R8).
    const exists = (await keyRing.existing([accountSubject(id)])).size > 0;
    if (account?.business !== business || account.role !== 'customer' || !exists)
      throw new ApiError('INVALID_INPUT', {
        errors: [{ field: 'customer_id', path: '/customer_id', code: 'UNKNOWN_CUSTOMER' }],
      });
  }
}

/** The part of an order that its price depends on. */
const toShipment = ({
  type,
  warehouse_id,
  pickup,
  delivery,
  packages,
  ...order
}: Omit<OrderWithStops, 'warehouse_id'> & { readonly warehouse_id: number | undefined }): RateInput => ({
  ...pricedStops({
    type,
    warehouse_id,
    pickup: pickup as RateInput['pickup'],
    delivery: delivery as RateInput['delivery'],
  }),
  packages: packages.map(({ weight_kg, length_cm, width_cm, height_cm }) => ({
    weight_kg,
    length_cm,
    width_cm,
    height_cm,
  })),
  schedule_date: order.schedule_date,
  time_windows: order.time_windows,
  options: [],
});
