/**
 * Effects with an external system that responds at once, against creations of orders in the same service: an effect
 * with a reservation appends three times, an order once.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRemote } from '../test/support/double/start-remote.js';
import { ask, createClient, inParallel } from './http.js';
import { MASTER_KEY, median, seconds, startProcess, waitUntilIdle, type Databases } from './support.js';
import { count, type Line } from './table.js';

const SCRIPT = 'dist/test/support/processes/serve-double.js';
const WIDTH = 16;

export interface EffectsOptions {
  readonly rounds: number;
  /** Effects and orders per round. */
  readonly requests: number;
}

export async function measureEffects(databases: Databases, { rounds, requests }: EffectsOptions): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'transport-bench-effects-'));
  const remote = await startRemote(join(folder, 'state'));
  const databaseUrl = await databases.fresh('effects');
  const service = await startProcess(
    SCRIPT,
    { DATABASE_URL: databaseUrl, MASTER_KEY, DATA_DIR: folder },
    [],
    [remote.url, folder, 'seed'],
  );
  const { users } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as {
    users: { client_admin: { email: string; password: string } };
  };
  const anonymous = createClient(service.url, 1);
  const { email, password } = users.client_admin;
  const session = await ask(anonymous, 'POST', '/user/login', { email, password });
  anonymous.close();
  const client = createClient(service.url, WIDTH, session['access_token']);
  const items = Array.from({ length: requests }, (_, index) => index);
  const order = {
    type: 'D',
    delivery: { name: 'Ada Lovelace', street: 'Torstraße 1', city: 'Berlin', postal_code: '10119', country: 'DE' },
    packages: [{ weight_kg: 1 }],
  };
  const rateOf = async (work: () => Promise<unknown>): Promise<number> => {
    await waitUntilIdle(databaseUrl);
    return requests / (await seconds(() => inParallel(items, WIDTH, async () => void (await work()))));
  };
  const rates = { orders: [] as number[], keyed: [] as number[], reserved: [] as number[] };
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round++) {
    const orders = await rateOf(() => ask(client, 'POST', '/client/orderCreate', order));
    const purchase = (adapter: string) => () =>
      ask(client, 'POST', `/doubles/${randomUUID()}`, { adapter, note: 'For Ada Lovelace' });
    const reserved = await rateOf(purchase('double_object'));
    const keyed = await rateOf(purchase('double_key'));
    if (round < 0) continue;
    rates.orders.push(orders);
    rates.reserved.push(reserved);
    rates.keyed.push(keyed);
  }
  client.close();
  await Promise.all([service.stop(), remote.stop()]);
  await rm(folder, { recursive: true, force: true });
  const [orders, reserved, keyed] = [median(rates.orders), median(rates.reserved), median(rates.keyed)];
  const reference = `${count(orders)} new orders/s`;
  return [
    {
      name: 'Effects with a reservation (three appends)',
      value: `${count(reserved)}/s`,
      ratio: reserved / orders,
      reference,
      goal: '0.35',
    },
    { name: 'Effects with an idempotency key', value: `${count(keyed)}/s`, ratio: keyed / orders, reference },
  ];
}
