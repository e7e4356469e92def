/** A dispatch board with a separate clock, at ten in the morning in Berlin. */
import { expect } from 'chai';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import type { Answer, CallOptions } from '../clients/http.js';
import { createOrderFactory } from './order-factory.js';
import { startTestService } from './service.js';
import { signIns, type UserName } from './users.js';

export const TODAY = '2026-11-24';
export const YESTERDAY = '2026-11-23';
const TEN = Date.parse(`${TODAY}T09:00:00Z`);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export type DispatchBoardFixture = Awaited<ReturnType<typeof openDispatchBoard>>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Item = any;

export async function openDispatchBoard(env: Readonly<Record<string, string>> = {}) {
  let clock = TEN;
  const service = await startTestService({ now: () => clock, env });
  const tokenOf = signIns(service);
  const orders = createOrderFactory(service);
  const as = async (user: UserName, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> =>
    service.api(path, { key: await tokenOf(user), body, ...options });
  const board = async (user: UserName = 'employee', query = 'per_page=200') => {
    const { status, json, text } = await as(user, `/dispatch/board?${query}`);
    expect(status, text).to.equal(200);
    return json;
  };
  return {
    service,
    as,
    board,
    orders,
    tokenOf,
    id: (name: UserName) => service.demo.users[name].id,
    stop: () => service.stop(),
    advance: (milliseconds: number) => void (clock += milliseconds),
    /** Returns the time `milliseconds` from now, RFC 3339. */
    at: (milliseconds = 0) => new Date(clock + milliseconds).toISOString(),
    async items(user?: UserName, query?: string): Promise<string[]> {
      return ((await board(user, query)).items as Item[]).map(({ id }) => id as string);
    },
    async item(item: string, user: UserName = 'employee'): Promise<Item> {
      return (await as(user, `/dispatch/items/${item}`)).json.item;
    },
    /** Decides an item with the version that the caller currently sees. */
    async decide(
      item: string,
      decision: string,
      more: object = {},
      user: UserName = 'employee',
      options?: CallOptions,
    ) {
      const { json } = await as(user, `/dispatch/items/${item}`);
      return as(user, `/dispatch/items/${item}/decisions`, { version: json.item?.version, decision, ...more }, options);
    },
    async scan(order: number, status_code: string, driver?: number): Promise<void> {
      await orders.sendCommand(order, {
        do: 'scan',
        tracking_number: `MADE${order}`,
        status_code,
        occurred_at: new Date(clock).toISOString(),
        instant: new Date(clock).toISOString().replace('Z', '000000Z'),
        ...(driver !== undefined && { driverId: driver, by: driver }),
      } as Extract<OrderCommand, { do: 'scan' }>);
    },
    async route(members: object = {}, on: readonly number[] = []): Promise<number> {
      const { json, text } = await as('client_admin', '/routes', { name: 'Tour', schedule_date: TODAY, ...members });
      expect(json.result, text).to.equal(true);
      if (on.length > 0) await as('client_admin', `/routes/${json.route.id}/orders`, { order_ids: on });
      return json.route.id as number;
    },
  };
}
