/**
 * Requests of customers about money over HTTP: the balance against a bare Express route with the same bytes, and a quote
 * against a bare Express route with the same bytes and one insert. Both alternate in each round.
 */
import { PRICING_EXAMPLES } from '../src/api/areas/pricing/examples.js';
import { seed, signIn } from './assignments.js';
import { createClient, inParallel, type Client } from './http.js';
import { startBare } from './reading.js';
import { median, seconds, startService, waitUntilIdle, type Databases } from './support.js';
import { count, type Line } from './table.js';

const CONNECTIONS = 16;

export interface MoneyRequestsOptions {
  readonly rounds: number;
  /** Requests of one measurement. */
  readonly requests: number;
}

/** A request, and the ratio that the design asks for. */
interface Kind {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Buffer;
  readonly goal: string;
}

const KINDS: readonly Kind[] = [
  { name: 'balance of a customer (accountCredits)', method: 'GET', path: '/api/v1/customer/credits', goal: '0.6' },
  {
    name: 'quote of a customer (ordersRate)',
    method: 'POST',
    path: '/api/v1/orders/rate',
    body: Buffer.from(JSON.stringify(PRICING_EXAMPLES['ordersRate']!.body)),
    goal: '0.5',
  },
];

export async function measureMoneyRequests(
  databases: Databases,
  { rounds, requests }: MoneyRequestsOptions,
): Promise<Line[]> {
  const databaseUrl = await databases.fresh('money');
  const demo = await seed(databaseUrl);
  const service = await startService(databaseUrl);
  await waitUntilIdle(databaseUrl);
  const ours = createClient(service.url, CONNECTIONS, await signIn(service.url, demo, 'customer'));
  const lines: Line[] = [];
  for (const kind of KINDS) {
    const { body } = await send(ours, kind);
    const bare = await startBare('express', body.toString(), await databases.fresh('money_bare'));
    const peer = createClient(bare.url, CONNECTIONS, 'a token of the same length as that of the service');
    const rates: { readonly ours: number; readonly peer: number }[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const pair = { peer: await rate(peer, kind, requests), ours: await rate(ours, kind, requests) };
      if (round >= 0) rates.push(pair);
    }
    peer.close();
    await bare.stop();
    lines.push({
      name: kind.name,
      value: `${count(median(rates.map((pair) => pair.ours)))}/s`,
      ratio: median(rates.map((pair) => pair.ours / pair.peer)),
      reference: `${count(median(rates.map((pair) => pair.peer)))}/s bare Express${kind.body ? ' with one insert' : ''}`,
      goal: kind.goal,
    });
  }
  ours.close();
  await service.stop();
  return lines;
}

async function send(client: Client, { method, path, body }: Kind) {
  const answer = await client.send(method, path, body && { body });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
  return answer;
}

async function rate(client: Client, kind: Kind, requests: number): Promise<number> {
  const took = await seconds(() =>
    inParallel(Array.from({ length: requests }), CONNECTIONS, async () => void (await send(client, kind))),
  );
  return requests / took;
}
