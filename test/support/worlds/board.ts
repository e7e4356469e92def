/** A route board with a fleet of signed-in drivers. */
import { expect } from 'chai';
import type { Answer } from '../clients/http.js';
import { call } from '../clients/http.js';
import type { TestService } from './service.js';
import { asUsers, signIns, type AsUsers } from './users.js';

export interface BoardWorld {
  readonly as: AsUsers;
  readonly fleet: number;
  readonly drivers: readonly { readonly id: number; readonly key: string }[];
  /** Makes a call as a driver; `url`: address of another process. */
  readonly drive: (driver: number, path: string, body?: object, url?: string) => Promise<Answer>;
  /** Posts a route to the fleet; `day`: day of March 2083, `from` and `to`: hours of it. */
  readonly post: (day: number, from: number, to: number, more?: object) => Promise<number>;
  /** Returns the route as the driver's board shows it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly shown: (route: number, driver?: number) => Promise<any>;
}

const PASSWORD = 'correct horse battery staple';

export async function openBoard(t: TestService, count: number): Promise<BoardWorld> {
  const keyOf = signIns(t);
  const as = asUsers(t);
  const good = async (answer: Promise<Answer>) => {
    const { status, json, text } = await answer;
    expect(status, text).to.be.below(300);
    return json;
  };
  const drivers: { id: number; key: string }[] = [];
  for (let n = 0; n < count; n++) {
    const email = `board-${n}@example.com`;
    const { user } = await good(
      as('client_admin', '/users', { email, password: PASSWORD, name: `Driver ${n}`, role: 'driver' }),
    );
    const { access_token } = await good(t.api('/user/login', { body: { email, password: PASSWORD } }));
    drivers.push({ id: user.id, key: access_token });
  }
  const { fleet: made } = await good(as('client_admin', '/fleets', { name: 'Board' }));
  const fleet = made.id as number;
  const driver_ids = drivers.map(({ id }) => id);
  await good(as('client_admin', `/fleets/${fleet}/drivers`, { driver_ids }, 'PUT'));
  const at = (day: number, hour: number) => new Date(Date.UTC(2083, 2, day, hour)).toISOString();
  return {
    as,
    fleet,
    drivers,
    drive: (driver, path, body = {}, url = t.url) => call(`${url}/api/v1${path}`, { key: drivers[driver]!.key, body }),
    async post(day, from, to, more = {}) {
      const schedule_date = at(day, 0).slice(0, 10);
      const { id: route_id } = (await good(as('client_admin', '/routes', { name: `Route ${day}`, schedule_date })))
        .route;
      const body = { fleet_ids: [fleet], start_at: at(day, from), end_at: at(day, to), ...more };
      await good(as('client_admin', `/route-board/${route_id}`, body, 'PUT'));
      return route_id as number;
    },
    async shown(route, driver) {
      const key = driver === undefined ? await keyOf('client_admin') : drivers[driver]!.key;
      const { json } = await t.api('/route-board?per_page=200', { key });
      return json.board_routes.find(({ id }: { id: number }) => id === route);
    },
  };
}
