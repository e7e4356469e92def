/** Orders with charges, and invoices of the demo's customer. */
import { expect } from 'chai';
import { PROFILE } from '../inputs/top-ups.js';
import type { TestService } from './service.js';
import { asUsers, type UserName } from './users.js';

const STOP = { name: 'Ada', street: 'Weg 1', city: 'Berlin', country: 'DE', postal_code: '10115' };
export const ORDER = { type: 'D', delivery: STOP, packages: [{ weight_kg: 1 }] };
/** Net 10.00, tax 1.90. */
export const LINES = [
  { code: 'delivery', name: 'Delivery', amount: '10.00' },
  { code: 'vat', amount: '1.90', is_tax: true },
];
/** A period with all charges of a test. */
export const ALWAYS = { date_from: '2020-01-01', date_to: '2099-12-31' };

export type Invoicing = Awaited<ReturnType<typeof openInvoicing>>;

/** Sets the billing profile, and returns what tests of invoices need. */
export async function openInvoicing(t: TestService) {
  const as = asUsers(t);
  const customer = t.demo.users.customer.id;
  await as('client_admin', '/billing-profile', PROFILE, 'PUT');

  const issue = (more: object = {}, user: UserName = 'client_admin') =>
    as(user, '/invoices', { customer_id: customer, ...ALWAYS, ...more });
  const priced = async (lines: readonly object[] = LINES, currency = 'EUR', user: UserName = 'customer') => {
    const made = await as(user, '/orders', ORDER);
    expect(made.status, made.text).to.equal(201);
    const { order_id } = made.json;
    const { status, text } = await as('employee', `/orders/${order_id}/charges`, { lines, currency }, 'PUT');
    expect(status, text).to.equal(200);
    return order_id as number;
  };
  return {
    as,
    customer,
    priced,
    issue,
    /** Prices orders and invoices them. */
    async issued(count = 1, more: object = {}) {
      for (let n = 0; n < count; n++) await priced();
      const { status, json, text } = await issue(more);
      expect(status, text).to.equal(201);
      return json.invoice;
    },
    credit: (id: number, body: object = {}, user: UserName = 'client_admin') =>
      as(user, `/invoices/${id}/credit-notes`, body),
    invoice: async (id: number, user: UserName = 'auditor') => (await as(user, `/invoices/${id}`)).json.invoice,
    pdf: (id: number, user: UserName = 'auditor') => as(user, `/invoices/${id}/pdf`),
    bill: async (id: number, user: UserName = 'employee') => (await as(user, `/orders/${id}/bill`)).json.bill,
  };
}
