/** Payments from wallets, compared with the creation of as many orders, through the same command handler. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { EVENT_TYPES } from '../src/areas/index.js';
import { createHandler } from '../src/commands/core/handler.js';
import { orders } from '../src/commands/orders/decider.js';
import type { WalletChange } from '../src/commands/wallet/command.js';
import { wallet } from '../src/commands/wallet/decider.js';
import { openEngines } from '../src/engines/open.js';
import { orderStream } from '../src/events/orders/events.js';
import { walletStream } from '../src/events/wallet/events.js';
import { inParallel } from './http.js';
import { MASTER_KEY, median, seconds, type Databases } from './support.js';
import { count, type Line } from './table.js';

const BUSINESS = 1;
const CURRENCY = 'EUR';
const AT_ONCE = 32;
const MANY_WALLETS = 1_000;

export interface WalletsOptions {
  readonly rounds: number;
  /** Commands of one measurement. */
  readonly requests: number;
}

export async function measureWallets(databases: Databases, { rounds, requests }: WalletsOptions): Promise<Line[]> {
  const engines = await openEngines({
    databaseUrl: await databases.fresh('wallets'),
    eventStoreUrl: undefined,
    dataDir: tmpdir(),
    masterKey: Buffer.from(MASTER_KEY, 'hex'),
  });
  const common = { log: engines.log, types: EVENT_TYPES, keyRing: engines.keyRing, now: Date.now };
  const wallets = createHandler({ decider: wallet, ...common });
  const handleOrders = createHandler({ decider: orders, ...common });
  const cause = () => ({
    correlationId: randomUUID(),
    actor: { kind: 'user', id: '1' } as const,
    channel: 'rest' as const,
  });
  const send = (accountId: number, change: WalletChange) =>
    wallets(
      walletStream({ accountId, currency: CURRENCY }),
      { ...change, business: BUSINESS, accountId, currency: CURRENCY, at: Date.now() },
      cause(),
    );
  const accounts = Array.from({ length: MANY_WALLETS }, (_, index) => index + 1);
  await inParallel(accounts, AT_ONCE, async (accountId) => {
    await send(accountId, { do: 'credit', entryId: randomUUID(), amount: '1000000.00', source: 'bank' });
  });
  let next = 0;
  const capture = async (accountId: number): Promise<void> => {
    next += 1;
    const order = { family: 'local_delivery', orderId: next } as const;
    const { reply } = await send(accountId, { do: 'capture', entryId: randomUUID(), amount: '0.01', ...order });
    if (reply.refusal) throw new Error(reply.refusal.code);
  };
  const create = async (): Promise<void> => {
    next += 1;
    await handleOrders(
      orderStream(next),
      {
        do: 'create',
        commandId: randomUUID(),
        orderId: next,
        business: BUSINESS,
        by: 1,
        order: {
          type: 'D',
          self_delivery: true,
          delivery: { name: 'Ada', street: 'Weg 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
          packages: [{ tracking_number: `BENCH${next}` }],
          time_windows: [],
        },
      },
      cause(),
    );
  };
  const works = {
    orders: () => create(),
    one: () => capture(1),
    many: (index: number) => capture(accounts[index % MANY_WALLETS]!),
  };
  const rates: Record<keyof typeof works, number[]> = { orders: [], one: [], many: [] };
  for (let round = -1; round < rounds; round += 1)
    for (const [name, work] of Object.entries(works)) {
      const indexes = Array.from({ length: requests }, (_, index) => index);
      const took = await seconds(() => inParallel(indexes, AT_ONCE, work));
      if (round >= 0) rates[name as keyof typeof works].push(requests / took);
    }
  await engines.close();
  const line = (name: string, kind: 'one' | 'many', goal: string): Line => ({
    name,
    value: `${count(median(rates[kind]))}/s`,
    ratio: median(rates[kind]) / median(rates.orders),
    reference: `${count(median(rates.orders))} new orders/s`,
    goal,
  });
  return [
    line('payments from one wallet', 'one', '0.5'),
    line(`payments from ${count(MANY_WALLETS)} wallets`, 'many', '0.8'),
  ];
}
