/** The read model of top-ups. Personal data stays encrypted. */
import {
  BankTransferConfirmed,
  TOP_UP_PREFIX,
  TopUpBegun,
  TopUpExpired,
  type TopUpMethod,
} from '../../events/wallet/top-ups.js';
import { code, decimal, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

export const TOP_UP_IDS = sequence('topups', { readModel: 'topups', table: 'topups.topups' });

export const TOP_UP_STATUSES = ['pending', 'succeeded', 'expired'] as const;
export type TopUpStatus = (typeof TOP_UP_STATUSES)[number];

const columns = {
  id: integer(),
  business: integer(),
  account_id: integer(),
  /** The recorded status. Reads treat a pending top-up as expired from `expires_at` on. */
  status: text<TopUpStatus>(),
  method: text<TopUpMethod>(),
  amount: decimal(),
  received_amount: optional(decimal()),
  currency: code(),
  reference: code(),
  order_id: optional(integer()),
  /** RFC 3339 in UTC. */
  created_at: code(),
  expires_at: code(),
  confirmed_at: optional(code()),
  sealed: json<SealedMembers[]>(),
  revision: integer(),
};
export type TopUpRow = RowOf<typeof columns>;

export const topUps = table({
  name: 'topups',
  version: 1,
  prefixes: [TOP_UP_PREFIX],
  columns,
  indexes: ['(account_id, id desc)', '(business, id desc)'],
  fold: startsWith(
    TopUpBegun,
    (
      { topup_id, business, account_id, amount, currency, method, reference, order_id, expires_at },
      event,
    ): TopUpRow => ({
      id: topup_id,
      business,
      account_id,
      status: 'pending',
      method,
      amount,
      received_amount: null,
      currency,
      reference,
      order_id: order_id ?? null,
      created_at: recordedAt(event),
      expires_at,
      confirmed_at: null,
      sealed: [],
      revision: event.revision,
    }),
  )
    .on(BankTransferConfirmed, ({ amount }, _row, event) => ({
      status: 'succeeded',
      received_amount: amount,
      confirmed_at: recordedAt(event),
      sealed: [sealedMembersOf(event)],
    }))
    .on(TopUpExpired, () => ({ status: 'expired' })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'topups', { 'topups.topups': TopUpRow }> {}
}
