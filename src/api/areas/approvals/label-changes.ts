/** The label order that a proposal creates, reads or voids, as its reviewer sees it. */
import { NO_ORDER, recipientOf, textOf, type Members, type ProposedChange } from './proposed-change.js';

/** Writes that create a label order. */
const NEW: ReadonlySet<string> = new Set(['labelOrderCreate', 'labelOrderQuoteAndShip']);
/** Writes about a label order, with the members of the order after the write. */
const AFTER: Readonly<Record<string, (order: Members, args: Members) => Members>> = {
  labelOrderCancel: ({ tracking_numbers: numbers }, { package_only: isPart }) =>
    isPart === true ? {} : { status: Array.isArray(numbers) && numbers.length > 0 ? 'VOID_REQUESTED' : 'CANCELLED' },
  labelOrderPurchase: () => ({ status: 'LABEL_PENDING' }),
  labelOrdersSubmitInformation: () => ({ status: 'SUBMITTED' }),
  labelOrderCarrierDetail: () => ({}),
  labelOrderFiles: () => ({}),
};
/** Members by which a reviewer recognizes a new order. */
const SHOWN = ['ship_to', 'packages', 'ship_date', 'rate_id', 'method_id', 'strategy', 'max_price', 'customer_id'];

/** Names a label order, as the tools do. */
export type LabelName = { readonly order_id: number } | { readonly tracking_number: string };

/** The changes of a write about several label orders: at most `limit`. Undefined: the write is not about label orders. */
export async function labelChangesOf(
  name: string,
  { order_ids: ids, ...args }: Members,
  limit: number,
  read: (named: LabelName) => Promise<Members | undefined>,
): Promise<{ readonly count: number; readonly changes: readonly ProposedChange[] } | undefined> {
  if (!(name in AFTER) || !Array.isArray(ids)) {
    const change = await labelChangeOf(name, args, read);
    return change && { count: 1, changes: [change] };
  }
  const named: readonly unknown[] = [...new Set(ids)];
  const changes = await Promise.all(named.slice(0, limit).map((id) => labelChangeOf(name, { order_id: id }, read)));
  return { count: named.length, changes: changes.flatMap((one) => one ?? []) };
}

/** `read`: the named label order, as the caller sees it. Undefined: the write is not about a label order. */
async function labelChangeOf(
  name: string,
  args: Members,
  read: (named: LabelName) => Promise<Members | undefined>,
): Promise<ProposedChange | undefined> {
  if (NEW.has(name))
    return {
      ...NO_ORDER,
      resource: 'label_order',
      order_ref: textOf(args['order_ref']),
      recipient: recipientOf({ delivery: args['ship_to'] }),
      old: null,
      new: Object.fromEntries(SHOWN.flatMap((member) => (args[member] === undefined ? [] : [[member, args[member]]]))),
    };
  const afterOf = AFTER[name];
  if (!afterOf) return undefined;
  const { order_id: given, tracking_number } = args;
  const order = await read(
    typeof given === 'number' ? { order_id: given } : { tracking_number: String(tracking_number) },
  );
  const id = order?.['id'] ?? given;
  const after = order ? afterOf(order, args) : {};
  return {
    ...NO_ORDER,
    resource: 'label_order',
    order_id: typeof id === 'number' ? id : null,
    order_ref: textOf(order?.['order_ref']),
    recipient: order ? recipientOf({ delivery: order['ship_to'] }) : null,
    status: textOf(order?.['status']),
    old: order ? Object.fromEntries(Object.keys(after).map((member) => [member, order[member]])) : null,
    new: { ...after },
  };
}
