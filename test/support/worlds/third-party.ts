/** Offers of orders to providers, over HTTP: the office of the demo business, and its two providers. */
import { expect } from 'chai';
import { expectCaughtUp } from '../checks/caught-up.js';
import { event, timelineOf } from '../inputs/pushes.js';
import { createOrderFactory } from './order-factory.js';
import type { TestService } from './service.js';
import { asUsers } from './users.js';

/** The two providers of the demo. */
export type DemoProvider = 'provider' | 'strict_provider';

export type ThirdPartyWorld = ReturnType<typeof openThirdPartyWorld>;

export function openThirdPartyWorld(t: TestService) {
  const as = asUsers(t);
  const orders = createOrderFactory(t);
  const { demo } = t;
  const pathOf = (orderId: number) => `/thirdpartydelivery/orders/${orderId}`;
  /** Sends a request with the key of a provider; with a body, a POST. */
  const by = (provider: DemoProvider, path: string, body?: object, headers: Record<string, string> = {}) =>
    t.api(path, { key: demo[provider].key, headers, ...(body && { body }) });

  return {
    as,
    orders,
    by,
    /** Offers an order to the providers. */
    offer: (orderId: number, terms: object = {}) =>
      as('client_admin', `/orders/${orderId}/third-party/offers`, {
        providers: [demo.provider.id, demo.strict_provider.id],
        respond_within_s: 600,
        ...terms,
      }),
    /** A new order that is offered, with the id of the offer. */
    async offered(terms: object = {}, order: object = {}): Promise<{ readonly id: number; readonly offer_id: string }> {
      const id = await orders.createOne(order);
      const { status, json, text } = await this.offer(id, terms);
      expect(status, text).to.equal(201);
      return { id, offer_id: json.order.third_party_offer.id };
    },
    pull: (provider: DemoProvider, query = '') => by(provider, `/thirdpartydelivery/orders${query}`),
    read: (provider: DemoProvider, orderId: number) => by(provider, pathOf(orderId)),
    accept: (
      provider: DemoProvider,
      { id, offer_id }: { id: number; offer_id: string },
      more: object = {},
      headers: Record<string, string> = {},
    ) => by(provider, `${pathOf(id)}/accept`, { offer_id, ...more }, headers),
    decline: (provider: DemoProvider, { id, offer_id }: { id: number; offer_id: string }, more: object = {}) =>
      by(provider, `${pathOf(id)}/decline`, { offer_id, ...more }),
    release: (provider: DemoProvider, { id }: { id: number }, reason = 'The van broke down') =>
      by(provider, `${pathOf(id)}/release`, { reason }),
    /** The order as its office sees it. */
    async order(orderId: number) {
      await expectCaughtUp(t.service, ['orders', 'third_party_offers']);
      return (await as('client_admin', `/orders/${orderId}`)).json.order;
    },
    /** The outcome of a scan of the order's package, now by the clock of the service. */
    async scan(provider: DemoProvider, orderId: number, code: string, millis = t.now()): Promise<string> {
      const scan = event(code, 0, { occurred_at: new Date(millis).toISOString() });
      const { json } = await t.push(timelineOf(`MADE${orderId}`, [scan]), { key: demo[provider].key });
      const [outcome] = json.events ?? json.outcomes ?? [];
      return outcome?.errors?.[0]?.code ?? outcome?.outcome ?? JSON.stringify(json);
    },
  };
}
