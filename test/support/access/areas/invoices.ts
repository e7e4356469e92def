/** The rows of the access table for invoices and credit notes. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { PROFILE } from '../../inputs/top-ups.js';
import { ALWAYS, LINES, ORDER } from '../../worlds/invoices.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const ADMIN: readonly CallerKind[] = ['client_admin'];
const READERS: readonly CallerKind[] = ['client_admin', 'employee', 'auditor', 'customer'];

/** An order of the demo's customer with charges that are not invoiced. */
async function chargedOrder({ orders, good, demo }: World): Promise<Input> {
  await good('/billing-profile', 'client_admin', { method: 'PUT', body: PROFILE });
  const order_id = await orders.order('customer');
  await good(`/orders/${order_id}/charges`, 'client_admin', { method: 'PUT', body: { currency: 'EUR', lines: LINES } });
  return { customer_id: demo.users.customer.id, currency: 'EUR', ...ALWAYS };
}

const issued =
  (more: Input = {}): MakeInput =>
  async (world) => {
    const { json } = await world.good('/invoices', 'client_admin', { body: await chargedOrder(world) });
    return { invoice_id: json.invoice_id as number, ...more };
  };

/** An invoice of another business. */
const foreign =
  (more: Input = {}): MakeInput =>
  async ({ good, fresh }) => {
    await good('/billing-profile', 'other_client_admin', { method: 'PUT', body: PROFILE });
    const account = {
      email: `${fresh()}@example.com`,
      password: 'long enough password',
      name: 'New',
      role: 'customer',
    };
    const { json } = await good('/users', 'other_client_admin', { body: account });
    const customer_id = json.user.id as number;
    const order = await good('/orders', 'other_client_admin', { body: { ...ORDER, customer_id } });
    const charges = { currency: 'EUR', lines: LINES };
    await good(`/orders/${order.json.order_id}/charges`, 'other_client_admin', { method: 'PUT', body: charges });
    const body = { customer_id, currency: 'EUR', ...ALWAYS };
    const invoice = await good('/invoices', 'other_client_admin', { body });
    return { invoice_id: invoice.json.invoice_id as number, ...more };
  };

const ofInvoice = (roles: readonly CallerKind[], scope: string, more: Input = {}): AccessRow => ({
  roles,
  scopes: [scope],
  own: issued(more),
  foreign: { input: foreign(more), status: 404 },
  varies: ['*'],
});

export const ROWS: Readonly<Record<string, AccessRow>> = {
  invoices: {
    roles: READERS,
    scopes: ['billing:read'],
    own: async (world, role) => (await issued()(world, role)) && {},
    foreign: { input: ({ demo }) => ({ customer_id: demo.users.other_client_admin.id }), status: 404 },
    varies: ['*'],
  },
  invoice: ofInvoice(READERS, 'billing:read'),
  invoicePdf: ofInvoice(READERS, 'billing:read'),
  invoiceIssue: {
    roles: ADMIN,
    scopes: ['billing:write'],
    own: chargedOrder,
    foreign: {
      input: ({ demo }) => ({ customer_id: demo.users.other_client_admin.id, currency: 'EUR', ...ALWAYS }),
      status: 404,
    },
    varies: ['*'],
  },
  creditNoteIssue: ofInvoice(ADMIN, 'billing:write'),
};
