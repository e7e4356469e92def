/** A customer who orders and changes deliveries, with a rate card and a wallet, for tests over HTTP. */
import { expect } from 'chai';
import { CHANGE_CARD, MONDAY, NEAR } from '../inputs/changed-orders.js';
import { stopIn } from '../inputs/shipments.js';
import { startTestService } from './service.js';
import { asUsers, type UserName } from './users.js';

export const ORDER = {
  type: 'P2P',
  pickup: stopIn('10115'),
  delivery: NEAR,
  packages: [{ weight_kg: 2 }],
  schedule_date: MONDAY,
};

export type ChangingCustomer = Awaited<ReturnType<typeof openChangingCustomer>>;

export async function openChangingCustomer() {
  const t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
  const as = asUsers(t);
  const customer = t.demo.users.customer.id;
  const made = { family: 'local_delivery', name: 'City', currency: 'EUR' };
  const card = (await as('client_admin', '/rate-cards', made)).json.rate_card.id as number;

  /** Publishes the card, with other members. */
  const publish = async (more: object = {}) => {
    const document = { ...CHANGE_CARD, ...more };
    const { status, text } = await as('client_admin', `/rate-cards/${card}/versions`, { card: document });
    expect(status, text).to.equal(200);
  };
  const terms = async (more: object = {}) => {
    const families = [{ family: 'local_delivery', ...more }];
    const { status, text } = await as('client_admin', `/customers/${customer}/terms`, { families }, 'PUT');
    expect(status, text).to.equal(200);
  };
  const balance = async () =>
    (await as('auditor', `/customers/${customer}/wallets`)).json.wallets[0]?.balance as string;
  const patch = (id: number, body: object, user: UserName = 'customer') => as(user, `/orders/${id}`, body, 'PATCH');
  const reroute = (id: number, delivery: object, user: UserName = 'customer', more: object = {}) =>
    as(user, `/orders/${id}/reroute`, { delivery, ...more });
  await publish();
  await as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: card }, 'PUT');

  return {
    t,
    as,
    customer,
    publish,
    terms,
    prepaid: () => terms({ payment_terms: 'wallet_on_create' }),
    balance,
    /** Brings the balance to the amount. */
    async fill(amount: number) {
      const now = Number((await balance()) ?? 0);
      const [path, body] =
        amount >= now
          ? ['credits', { amount: (amount - now).toFixed(2), currency: 'EUR', source: 'cash' }]
          : ['withdrawals', { amount: (now - amount).toFixed(2), currency: 'EUR', to: 'bank' }];
      if (amount !== now) await as('client_admin', `/customers/${customer}/wallet/${path}`, body);
      expect(Number(await balance())).to.equal(amount);
    },
    /** Returns the id of a new order. */
    async placed(more: object = {}, user: UserName = 'customer') {
      const { status, json, text } = await as(user, '/orders', { ...ORDER, ...more });
      expect(status, text).to.equal(201);
      return json.order.id as number;
    },
    order: async (id: number, user: UserName = 'customer') => (await as(user, `/orders/${id}`)).json.order,
    bill: async (id: number) => (await as('employee', `/orders/${id}/bill`)).json.bill,
    pay: (id: number) => as('customer', `/orders/${id}/pay`, {}),
    patch,
    async changed(id: number, body: object, user: UserName = 'customer') {
      const { status, json, text } = await patch(id, body, user);
      expect(status, text).to.equal(200);
      return json.order;
    },
    reroute,
    async rerouted(id: number, delivery: object, user: UserName = 'customer') {
      const { status, json, text } = await reroute(id, delivery, user);
      expect(status, text).to.equal(201);
      return json.order;
    },
    async setPrice(id: number, amount: string) {
      const lines = [{ code: 'delivery', amount }];
      const { status, text } = await as('employee', `/orders/${id}/charges`, { lines, currency: 'EUR' }, 'PUT');
      expect(status, text).to.equal(200);
    },
    async onRoute(id: number) {
      const { json } = await as('client_admin', '/routes', { name: `Route of ${id}`, schedule_date: MONDAY });
      return as('client_admin', `/routes/${json.route.id}/orders`, { order_ids: [id] });
    },
  };
}

/** Status and error code of a response. */
export const outcomeOf = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];
