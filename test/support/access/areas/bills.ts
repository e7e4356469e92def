/** The rows of the access table for bills of orders. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { AccessRow, Input, MakeInput } from '../table.js';

const ADMIN: readonly CallerKind[] = ['client_admin'];
const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const READERS: readonly CallerKind[] = [...OFFICE, 'auditor', 'customer'];
const LINES: Input = { currency: 'EUR', lines: [{ code: 'delivery', amount: '7.00' }] };

/** An order of the caller with a price. */
const pricedOrder =
  (more: Input = {}): MakeInput =>
  async ({ orders, good, demo }, role) => {
    const order_id = await orders.order(role);
    await good(`/orders/${order_id}/charges`, 'client_admin', { method: 'PUT', body: LINES });
    await good(`/customers/${demo.users.customer.id}/wallet/credits`, 'client_admin', {
      body: { amount: '7.00', currency: 'EUR', source: 'cash' },
    });
    return { order_id, ...more };
  };
const others =
  (more: Input = {}): MakeInput =>
  ({ orders }) => ({ order_id: orders.otherOrder, ...more });
const neighbours =
  (more: Input = {}): MakeInput =>
  ({ orders }) => ({ order_id: orders.neighbourOrder, ...more });

const ofBill = (
  roles: readonly CallerKind[],
  scope: string,
  more: Input = {},
  own: MakeInput = pricedOrder(more),
): AccessRow => ({
  roles,
  scopes: [scope],
  own,
  foreign: [
    { input: others(more), status: 404 },
    ...(roles.includes('customer') ? [{ input: neighbours(more), as: ['customer'] as const, status: 404 }] : []),
  ],
  varies: ['*'],
});

/** A payment that can be refunded. */
const paidOrder: MakeInput = async (world, role) => {
  const { order_id } = await pricedOrder()(world, role);
  const body = { amount: '7.00', method: 'cash' };
  const { json } = await world.good(`/orders/${String(order_id)}/payments`, 'client_admin', { body });
  return { order_id, payment_id: json.payment_id, to: 'outside', reason: 'The parcel was late' };
};
const REFUND = { payment_id: '00000000-0000-4000-8000-000000000000', reason: 'The parcel was late' };

export const ROWS: Readonly<Record<string, AccessRow>> = {
  bill: ofBill(READERS, 'billing:read'),
  bills: {
    roles: READERS,
    scopes: ['billing:read'],
    own: async (world, role) => (await pricedOrder()(world, role)) && { per_page: 200 },
    foreign: {
      input: async ({ orders, good }) => {
        await good(`/orders/${orders.otherOrder}/charges`, 'other_client_admin', {
          method: 'PUT',
          body: { currency: 'EUR', lines: [{ code: 'foreign-line-8', amount: '7.00' }] },
        });
        return { per_page: 200 };
      },
      excludes: () => 'foreign-line-8',
    },
    varies: ['*'],
  },
  orderPay: ofBill(['customer'], 'orders:write'),
  billPaymentRecord: ofBill(OFFICE, 'billing:write', { amount: '1.00', method: 'cash' }),
  billRefund: ofBill(ADMIN, 'billing:write', REFUND, paidOrder),
  orderChargesSet: ofBill(OFFICE, 'billing:write', LINES),
};
