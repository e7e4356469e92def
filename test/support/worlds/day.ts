/** A day with all data for planning: a warehouse, drivers, and orders around it with coordinates. */
import { expect } from 'chai';
import { dayIn, TIMEZONE } from './days.js';
import { asUsers, type AsUsers, type UserName } from './users.js';
import type { TestService } from './service.js';
import { eventually } from '../eventually.js';

export interface Day {
  readonly as: AsUsers;
  readonly date: string;
  readonly drivers: readonly number[];
  /** Creates orders around the warehouse and returns their ids. */
  orders(count: number, members?: (index: number) => object): Promise<number[]>;
  /** Returns a finished plan as the API shows it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  plan(request: object, user?: UserName): Promise<any>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  order(id: number): Promise<any>;
}

const HUB = { latitude: 52.52, longitude: 13.405 };
/** Golden angle: distributes points without clusters and lines. */
const ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Within about eight kilometres around the warehouse. */
const positionOf = (index: number) => ({
  latitude: HUB.latitude + 0.07 * Math.sqrt((index % 97) / 97) * Math.cos(index * ANGLE),
  longitude: HUB.longitude + 0.11 * Math.sqrt((index % 97) / 97) * Math.sin(index * ANGLE),
});

export async function openDay(
  t: Pick<TestService, 'api' | 'demo' | 'now'>,
  { drivers: wanted = 2 } = {},
): Promise<Day> {
  const as = asUsers(t);
  const good = async (...call: Parameters<Day['as']>) => {
    const answer = await as(...call);
    expect(answer.status, answer.text).to.be.below(300);
    return answer.json;
  };
  // Tomorrow, at any hour of the day.
  const date = dayIn(1);
  const address = { street: 'Hubstraße 1', city: 'Berlin', postal_code: '10115', country: 'DE', position: HUB };
  const site = { code: 'HUB', name: 'Hub', address, timezone: TIMEZONE };
  const { warehouse } = await good('client_admin', '/wms/warehouses', site);
  await good('client_admin', '/planning-settings', { default_start_warehouse_id: warehouse.id }, 'PATCH');
  const drivers = [t.demo.users.driver.id];
  for (let n = 1; n < wanted; n++)
    drivers.push(
      (
        await good('client_admin', '/users', {
          email: `driver-${n}@example.com`,
          password: 'correct horse battery staple',
          name: `Driver ${n}`,
          role: 'driver',
        })
      ).user.id as number,
    );
  let made = 0;
  return {
    as,
    date,
    drivers,
    async orders(count, members = () => ({})) {
      const ids: number[] = [];
      for (let n = 0; n < count; n++) {
        const position = positionOf((made += 1));
        const order = {
          type: 'D',
          delivery: {
            name: `Person ${made}`,
            street: `Street ${made}`,
            city: 'Berlin',
            postal_code: '10115',
            country: 'DE',
            position,
          },
          packages: [{ weight_kg: 2 }],
          schedule_date: date,
          ...members(n),
        };
        ids.push((await good('client_admin', '/client/orderCreate', order)).order_id as number);
      }
      return ids;
    },
    async plan(request, user = 'client_admin') {
      const driverInput = (request as { mode?: string }).mode ? {} : { driver_ids: drivers };
      const body = {
        schedule_date: date,
        budget: { iterations: 2_000, seed: 7 },
        ...driverInput,
        wait_s: 25,
        ...request,
      };
      const { status, json, text } = await as(user, '/../v3/client/build-route', body);
      expect(status, text).to.equal(202);
      // On a slow machine, the plan takes longer than a request may wait.
      const isOver = async () =>
        (await as(user, `/jobs/${json.route_plan.job_id}?wait_s=25`)).json.job.finished_at !== null;
      await eventually(isOver, () => `the end of the plan ${text}`);
      const { route_plan: plan } = (await as(user, `/route-plans/${json.route_plan.id}`)).json;
      expect(plan, text).to.be.an('object');
      return plan;
    },
    order: async (id) => (await as('client_admin', `/orders/${id}`)).json.order,
  };
}
