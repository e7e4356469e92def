/**
 * The orders and other resources that a proposal changes, with their old and new values. They are read with the
 * permissions of the caller whenever a proposal is shown, and are not stored with it.
 */
import { z } from 'zod';
import type { Context, Operation } from '../../core/operation.js';
import { readAsCaller } from '../../core/read-as-caller.js';

export const changeSchema = z
  .object({
    resource: z.string().describe('Kind of the resource, such as `order`.'),
    order_id: z.int().nullable().describe('Null for a new order, and for resources that are not orders.'),
    order_ref: z.string().nullable().describe('Reference of the order.'),
    recipient: z.string().nullable().describe('Name and city of the recipient. Null if the caller may not read them.'),
    status: z.string().nullable().describe('Current status.'),
    old: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Current values. Null for a new resource, and for callers that may not read the resource.'),
    new: z.record(z.string(), z.unknown()).describe('Values after the write, under the same names.'),
  })
  .meta({ id: 'ProposedChange' });
export type ProposedChange = z.infer<typeof changeSchema>;

export interface ProposedChanges {
  /** Number of resources that the arguments name. */
  readonly count: number;
  /** The first changes. */
  readonly changes: readonly ProposedChange[];
}

type Members = Readonly<Record<string, unknown>>;

/** Members of the order or the plan after writes whose arguments do not name them. */
const AFTER: Readonly<Record<string, Members>> = {
  orderHold: { status: 'HOLD' },
  orderRelease: { status: 'NEW_ORDER' },
  orderCancel: { status: 'CANCELLED' },
  routeRemoveOrders: { route_id: null },
  routePlanCommit: { status: 'committed' },
  routePlanDiscard: { status: 'discarded' },
};
/** Writes that create each order in `orders`. Other writes have a member of that name with another meaning. */
const BATCHES: ReadonlySet<string> = new Set(['ordersBatch', 'ordersBatchAsync']);
/** Writes whose arguments replace members of an order with the same names. */
const ORDER_UPDATES: ReadonlySet<string> = new Set(['orderUpdate', 'ordersTimeWindows', 'orderReroute']);
/** Members of a new order by which a reviewer recognizes it. */
const NEW_ORDER = ['type', 'schedule_date', 'pickup', 'delivery', 'time_windows', 'delivery_instruction', 'note'];
/** Members of an address that an order can be given. */
const ADDRESS = 'name company phone email street street_2 postal_code city region country position'.split(' ');

export interface ChangesOptions {
  readonly operation: (name: string) => Operation | undefined;
}

/** Lists at most `limit` changes of a call of the operation with these arguments. */
export type ReadChanges = (name: string, args: Members, limit: number, context: Context) => Promise<ProposedChanges>;

export function createReadChanges({ operation }: ChangesOptions): ReadChanges {
  const read = async (name: string, input: Members, context: Context): Promise<Members | undefined> => {
    const found = operation(name);
    return found?.input.safeParse(input).success ? readAsCaller(found, input, context) : undefined;
  };
  const orderById = async (id: unknown, context: Context) =>
    ((await read('order', { order_id: id }, context))?.['order'] ?? { id }) as Members;
  const ordersByRef = async (ref: unknown, context: Context) => {
    const { orders = [] } = ((await read('orders', { order_ref: ref }, context)) ?? {}) as { orders?: Members[] };
    return orders.length > 0 ? orders : [{ order_ref: ref }];
  };

  return async (name, args, limit, context) => {
    if (name === 'orderCreate') return { count: 1, changes: [newOrder(args)] };
    const { orders, order_refs: refs, order_ids: ids, order_id: id } = args;
    if (BATCHES.has(name) && Array.isArray(orders))
      return {
        count: orders.length,
        changes: orders.slice(0, limit).map((order) => newOrder(isMembers(order) ? order : {})),
      };
    const named = Array.isArray(refs) ? [...new Set(refs)] : Array.isArray(ids) ? [...new Set(ids)] : undefined;
    if (named === undefined && id === undefined) return changeOfOther(name, args, context);
    const found = await Promise.all(
      (named ?? [id])
        .slice(0, limit)
        .map(async (one) => (Array.isArray(refs) ? ordersByRef(one, context) : [await orderById(one, context)])),
    );
    const changes = found.flat().map((order) => orderChange(name, args, order));
    return { count: Math.max(named?.length ?? 1, changes.length), changes: changes.slice(0, limit) };
  };

  /** A write whose resource can be read: settings, a route, a plan. */
  async function changeOfOther(name: string, args: Members, context: Context): Promise<ProposedChanges> {
    const { returns } = operation(name) ?? {};
    // `webhookSettingsUpdate` changes what `webhookSettings` reads (docs/api-style.md).
    const reading = returns?.input
      ? undefined
      : operation(returns?.read ?? name.replace(/(?:Update|Set|Commit|Discard)$/, ''));
    if (reading?.writes === true) return { count: 0, changes: [] };
    const inputs = Object.keys(reading?.input.shape ?? {});
    const response = reading && (await read(reading.name, pick(args, inputs), context));
    const [resource, value] = Object.entries(response ?? {}).find(([member]) => member !== 'result') ?? [];
    if (resource === undefined || typeof value !== 'object' || value === null) return { count: 0, changes: [] };
    const after = AFTER[name] ?? {};
    const members = Object.keys(args).filter((member) => member in value && !inputs.includes(member));
    const change = {
      ...NO_ORDER,
      resource,
      status: textOf((value as Members)['status']),
      old: pick(value as Members, [...members, ...Object.keys(after)]),
      new: { ...pick(args, members), ...after },
    };
    return { count: 1, changes: [change] };
  }
}

const NO_ORDER = { order_id: null, order_ref: null, recipient: null, status: null } as const;

const newOrder = (order: Members): ProposedChange => ({
  ...NO_ORDER,
  resource: 'order',
  order_ref: textOf(order['order_ref']),
  recipient: recipientOf(order),
  old: null,
  new: pick(order, NEW_ORDER),
});

function orderChange(name: string, args: Members, order: Members): ProposedChange {
  const { id, order_ref, status } = order;
  const isRead = status !== undefined;
  const after = AFTER[name] ?? {};
  const members = ORDER_UPDATES.has(name) ? Object.keys(args).filter((member) => !isRead || member in order) : [];
  return {
    resource: 'order',
    order_id: typeof id === 'number' ? id : null,
    order_ref: textOf(order_ref),
    recipient: recipientOf(order),
    status: textOf(status),
    old: isRead ? { ...pick(order, members, args), ...pick(order, Object.keys(after)) } : null,
    new: {
      ...pick(
        args,
        members.filter((member) => !IDENTIFYING.has(member)),
      ),
      ...after,
    },
  };
}

const IDENTIFYING: ReadonlySet<string> = new Set(['order_id', 'order_refs', 'allow_past_date']);

/** `like`: the new values. Of an object, only the members that the write can replace are compared. */
const pick = (from: Members, names: readonly string[], like: Members = {}): Record<string, unknown> =>
  Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, comparable(name, from[name], like[name])]),
  );

function comparable(name: string, value: unknown, other: unknown): unknown {
  if (!isMembers(value) || !isMembers(other)) return value;
  const names = name === 'delivery' || name === 'pickup' ? ADDRESS : Object.keys(other);
  return Object.fromEntries(names.filter((member) => value[member] != null).map((member) => [member, value[member]]));
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Name and city of the delivery, or of the pickup of an order without delivery. */
function recipientOf({ delivery, pickup }: Members): string | null {
  const stop = isMembers(delivery) ? delivery : pickup;
  if (!isMembers(stop) || typeof stop['name'] !== 'string') return null;
  return [stop['name'], stop['city']].filter((part) => typeof part === 'string' && part !== '').join(', ');
}
