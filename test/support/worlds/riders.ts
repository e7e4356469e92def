/** Signed-in riders with permission for instant delivery, and instant orders. */
import { expect } from 'chai';
import { call, type Answer } from '../clients/http.js';
import type { TestService } from './service.js';
import { asUsers, type AsUsers } from './users.js';

export interface RiderWorld {
  readonly as: AsUsers;
  readonly riders: readonly { readonly id: number; readonly key: string }[];
  /** Makes a call as a rider; without a body it reads. `url`: address of another process. */
  readonly ride: (rider: number, path: string, body?: object, url?: string) => Promise<Answer>;
  /** Reports the rider's position, `metres` north of the pickup; `at`: time of the position. */
  readonly stand: (rider: number, metres: number, at?: number) => Promise<Answer>;
  /** Puts the rider online at that position and returns the rider's route. */
  readonly online: (rider: number, metres: number) => Promise<number>;
  /** Creates a door-to-door order. */
  readonly order: () => Promise<number>;
  readonly request: (order: number, how?: object) => Promise<Answer>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly instant: (order: number) => Promise<any>;
  /** Returns the ids of the open offers of the rider. */
  readonly offers: (rider: number) => Promise<readonly string[]>;
  /** Returns the event types of the search with the rider's index and the reason. */
  readonly eventsOf: (order: number) => Promise<readonly string[]>;
}

const PASSWORD = 'correct horse battery staple';
export const PICKUP = { latitude: 52.52, longitude: 13.405 };
const METRES_A_DEGREE = 111_195;

export async function openRiders(t: TestService, count: number, now: () => number): Promise<RiderWorld> {
  const as = asUsers(t);
  const good = async (answer: Promise<Answer>) => {
    const { status, json, text } = await answer;
    expect(status, text).to.be.below(300);
    return json;
  };
  const riders: { id: number; key: string }[] = [];
  for (let n = 0; n < count; n++) {
    const email = `rider-${n}@example.com`;
    const body = { email, password: PASSWORD, name: `Rider ${n}`, role: 'driver' };
    const { id: user_id } = (await good(as('client_admin', '/users', body))).user;
    const { access_token } = await good(t.api('/user/login', { body: { email, password: PASSWORD } }));
    riders.push({ id: user_id, key: access_token });
    await good(as('client_admin', `/drivers/${user_id}/rider-grant`, { enabled: true, max_concurrent: 1 }, 'PUT'));
  }
  const ride: RiderWorld['ride'] = (rider, path, body, url = t.url) =>
    call(`${url}/api/v1/instant-rider${path}`, { key: riders[rider]!.key, ...(body && { body }) });
  const stand: RiderWorld['stand'] = (rider, metres, at = now()) => {
    const place = { latitude: PICKUP.latitude + metres / METRES_A_DEGREE, longitude: PICKUP.longitude };
    return ride(rider, '/locations', { points: [{ at: new Date(at).toISOString(), ...place }] });
  };
  return {
    as,
    riders,
    ride,
    stand,
    async online(rider, metres) {
      const { rider: shown } = await good(ride(rider, '/online', {}));
      await good(stand(rider, metres));
      return shown.route_id as number;
    },
    async order() {
      const door = (street: string) => ({
        name: 'Person',
        street,
        city: 'Berlin',
        postal_code: '10115',
        country: 'DE',
      });
      const body = {
        type: 'P2P',
        pickup: { ...door('Collect 1'), position: PICKUP },
        delivery: door('Deliver 2'),
        packages: [{ weight_kg: 2 }],
      };
      return (await good(as('client_admin', '/client/orderCreate', body))).order_id as number;
    },
    request: (order, how = {}) => as('client_admin', `/orders/${order}/instant-delivery`, how),
    instant: async (order) => (await good(as('client_admin', `/orders/${order}/instant-delivery`))).instant_delivery,
    async offers(rider) {
      const { offers } = await good(ride(rider, '/offers'));
      return (offers as { id: string }[]).map(({ id }) => id);
    },
    async eventsOf(order) {
      const found: string[] = [];
      for await (const { type, data } of t.service.engines.log.read(`instant-${order}`)) {
        const rider = data['rider_id'] === undefined ? '' : riders.findIndex(({ id }) => id === data['rider_id']);
        found.push([type, rider, data['why'] ?? ''].join(' ').trim());
      }
      return found;
    },
  };
}
