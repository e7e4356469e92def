/** Three businesses, a parcel of the first business, and alliances between them. */
import { expect } from 'chai';
import type { Answer, CallOptions } from '../clients/http.js';
import type { TestService } from './service.js';
import { signIns, type UserName } from './users.js';

export type Who = UserName | 'third';

export interface AllianceWorld {
  readonly as: (who: Who, path: string, body?: unknown, options?: CallOptions) => Promise<Answer>;
  readonly keyOf: (who: Who) => Promise<string>;
  /**
   * Ids of the businesses: the demo business grants access, the second business receives access, and the third business
   * is not a member.
   */
  readonly giver: number;
  readonly taker: number;
  readonly third: number;
  /** Creates an alliance of giver and taker. */
  readonly allied: () => Promise<number>;
  /** Creates a grant of the giver, by default to the taker, and returns its id. */
  readonly grant: (alliance: number, what: object) => Promise<number>;
  readonly revoke: (alliance: number, grant: number) => Promise<Answer>;
  /** Creates an order of the giver and returns its id and the number of its package. */
  readonly order: (more?: object) => Promise<{ readonly id: number; readonly number: string }>;
  /**
   * Returns the parcel's timeline among the giver's parcels, as seen by the admin of the taker or of another business.
   */
  readonly timeline: (number: string, who?: Who) => Promise<Answer>;
}

export async function openAllianceWorld(t: TestService): Promise<AllianceWorld> {
  const demoKey = signIns(t);
  const email = 'third@example.com';
  const password = 'long enough password';
  const root = await demoKey('platform_admin');
  const business = await t.api('/businesses', { key: root, body: { code: 'third', name: 'Third Logistics' } });
  expect(business.status, business.text).to.equal(201);
  const third = business.json.business.id as number;
  const made = await t.api('/users', {
    key: root,
    body: { email, password, name: 'Third', role: 'client_admin', business_id: third },
  });
  expect(made.status, made.text).to.be.below(300);
  const thirdKey = (await t.api('/user/login', { body: { email, password } })).json.access_token as string;
  const keyOf = (who: Who) => (who === 'third' ? Promise.resolve(thirdKey) : demoKey(who));
  const as = async (who: Who, path: string, body?: unknown, options: CallOptions = {}) =>
    t.api(path, { key: await keyOf(who), body, ...options });
  const good = async (who: Who, path: string, body?: unknown) => {
    const answer = await as(who, path, body);
    expect(answer.status, `${path}: ${answer.text}`).to.be.below(300);
    return answer;
  };
  const idOf = async (who: Who) => (await good(who, '/me')).json.user.business_id as number;
  const [giver, taker] = [await idOf('client_admin'), await idOf('other_client_admin')];

  return {
    as,
    keyOf,
    giver,
    taker,
    third,
    async allied() {
      const alliance_id = (await good('client_admin', '/alliances', { name: 'North' })).json.alliance.id;
      await good('client_admin', `/alliances/${alliance_id}/invitations`, { business_code: 'other' });
      await good('other_client_admin', `/alliances/${alliance_id}/invitations/answer`, { accept: true });
      return alliance_id as number;
    },
    async grant(alliance, what) {
      const body = { to_business_id: taker, ...what };
      return (await good('client_admin', `/alliances/${alliance}/grants`, body)).json.grant.id as number;
    },
    revoke: (alliance, grant) => good('client_admin', `/alliances/${alliance}/grants/${grant}/revoke`, {}),
    async order(more = {}) {
      const body = {
        type: 'D',
        delivery: {
          name: 'Petra Empfang',
          phone: '+49 170 1234567',
          email: 'petra@example.com',
          street: 'Gartenweg 7',
          city: 'Hamburg',
          postal_code: '20095',
          country: 'DE',
        },
        packages: [{ weight_kg: 2, description: 'a red lamp' }],
        note: 'pays late',
        delivery_instruction: 'gate code 4711',
        order_ref: `REF-${Math.random().toString(36).slice(2)}`,
        ...more,
      };
      const { json } = await good('client_admin', '/client/orderCreate', body);
      const id = (json.order_id ?? json.order?.id) as number;
      const { order } = (await good('client_admin', `/orders/${id}`)).json;
      return { id, number: order.packages[0].tracking_number as string };
    },
    timeline: (number, who = 'other_client_admin') => as(who, `/client/otep/trackings/${number}?business_id=${giver}`),
  };
}
