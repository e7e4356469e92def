/** Orders for tests, created without the interfaces. */
import { randomUUID } from 'node:crypto';
import type { OrderCommand, NewOrder } from '../../../src/commands/orders/decider.js';
import type { Handled } from '../../../src/commands/core/handle.js';
import { orderStream } from '../../../src/events/orders/events.js';
import { createIds } from '../../../src/engines/postgres/ids.js';
import { expectCaughtUp } from '../checks/caught-up.js';
import type { TestService } from './service.js';

type OrderCommandBody = OrderCommand extends infer C
  ? C extends OrderCommand
    ? Omit<C, 'commandId' | 'orderId' | 'business'>
    : never
  : never;

export interface OrderFactory {
  /** Creates orders of the demo business or of another one, and waits until read models and the search contain them. */
  create(count: number, order?: Partial<NewOrder>, business?: number): Promise<number[]>;
  createOne(order?: Partial<NewOrder>): Promise<number>;
  /** Sends a command to an order without the interfaces, and waits until read models contain the result. */
  sendCommand(orderId: number, command: OrderCommandBody, business?: number): Promise<Handled<unknown>>;
  /** Returns the id of a demo business by its code. */
  businessOf(code: 'demo' | 'other'): Promise<number>;
  caughtUp(): Promise<void>;
}

export function createOrderFactory({ service }: TestService): OrderFactory {
  const { commands, engines } = service;
  const ids = createIds(engines.pool);
  const cause = { correlationId: randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' } as const;
  const businessOf = async (code: string) =>
    (await engines.pool.query<{ id: number }>('select id from businesses.businesses where code = $1', [code])).rows[0]!
      .id;

  const caughtUp = () =>
    expectCaughtUp(service, ['orders', 'assignments', 'order_search', 'accounts', 'businesses'], 15_000);

  async function sendCommand(orderId: number, command: OrderCommandBody, business?: number): Promise<Handled<unknown>> {
    const own = business ?? (await businessOf('demo'));
    const handled = await commands.orders(
      orderStream(orderId),
      { ...command, commandId: randomUUID(), orderId, business: own } as OrderCommand,
      { ...cause, business: String(own) },
    );
    await caughtUp();
    return handled;
  }

  async function create(count: number, order: Partial<NewOrder> = {}, business?: number): Promise<number[]> {
    const own = business ?? (await businessOf('demo'));
    const made = [...(await ids.reserve('orders', count, randomUUID(), false))];
    await Promise.all(
      made.map((orderId) =>
        commands.orders(
          orderStream(orderId),
          {
            do: 'create',
            commandId: randomUUID(),
            orderId,
            business: own,
            order: {
              type: 'D',
              self_delivery: true,
              order_ref: `REF-${orderId}`,
              schedule_date: '2026-11-23',
              delivery: {
                name: 'Ada Example',
                street: 'Musterweg 1',
                city: 'Berlin',
                postal_code: '10115',
                country: 'DE',
              },
              packages: [{ tracking_number: `MADE${orderId}` }],
              time_windows: [],
              ...order,
            },
          },
          { ...cause, business: String(own) },
        ),
      ),
    );
    await caughtUp();
    return made;
  }

  return { create, createOne: async (order) => (await create(1, order))[0]!, sendCommand, businessOf, caughtUp };
}
