/** Orders for API tests, created as a user with only the members that a test needs. */
import { expect } from 'chai';
import type { Answer, CallOptions } from '../clients/http.js';
import type { TestService } from './service.js';
import { signIns, type UserName } from './users.js';

export const STOP = {
  name: 'Ada Lovelace',
  phone: '+1 (416) 555-0142',
  email: 'ada@example.com',
  street: '12 Analytical Road',
  city: 'Toronto',
  region: 'ON',
  postal_code: 'M5V 2T6',
  country: 'CA',
};
export const ORDER = {
  type: 'D',
  delivery: STOP,
  packages: [{ weight_kg: 1.5, description: 'Books' }],
  schedule_date: '2046-03-02',
};

export interface OrderFixture {
  /** Makes a call as a user of the demo. */
  readonly as: (user: UserName, path: string, options?: CallOptions) => Promise<Answer>;
  /** Creates an order of the client and returns the response. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly order: (members?: object, user?: UserName) => Promise<any>;
  /** Returns an order as the client reads it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly read: (id: number) => Promise<any>;
}

export function openOrderFixture(service: TestService): OrderFixture {
  const tokenOf = signIns(service);
  const as: OrderFixture['as'] = async (user, path, options = {}) =>
    service.api(path, { key: await tokenOf(user), ...options });
  return {
    as,
    async order(members = {}, user = 'client_admin') {
      const { status, json, text } = await as(user, '/client/orderCreate', { body: { ...ORDER, ...members } });
      expect(status, text).to.equal(201);
      return json;
    },
    read: async (id) => (await as('client_admin', `/orders/${id}`)).json.order,
  };
}
