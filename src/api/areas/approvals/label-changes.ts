/** The label order that a proposal creates, reads or voids, as its reviewer sees it. */
import { NO_ORDER, recipientOf, textOf, type Members, type ProposedChange } from './proposed-change.js';

/** Writes that create a label order. */
const NEW: ReadonlySet<string> = new Set(['labelOrderCreate', 'labelOrderQuoteAndShip']);
/** Writes about a label order, with the members of the order after the write. */
const AFTER: Readonly<Record<string, (order: Members, args: Members) => Members>> = {
  labelOrderCancel: ({ tracking_numbers: numbers }, { package_only: isPart }) =>
    isPart === true ? {} : { status: Array.isArray(numbers) && numbers.length > 0 ? 'VOID_REQUESTED' : 'CANCELLED' },
  labelOrderPurchase: () => ({ status: 'LABEL_PENDING' }),
  labelOrderCarrierDetail: () => ({}),
  labelOrderFiles: () => ({}),
};
/** Members by which a reviewer recognizes a new order. */
const SHOWN = ['ship_to', 'packages', 'ship_date', 'rate_id', 'method_id', 'strategy', 'max_price', 'customer_id'];

/** Names a label order, as the tools do. */
export type LabelName = { readonly order_id: number } | { readonly tracking_number: string };

/** `read`: the named label order, as the caller sees it. Undefined: the write is not about a label order. */
export async function labelChangeOf(
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
