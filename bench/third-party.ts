/** The list of offers of a provider with 100,000 open offers, against the list of orders of the business. */
import pg from 'pg';
import type { Demo } from '../src/compose/demo/demo.js';
import { passOver, preloadOrders, seed, signIn } from './assignments.js';
import { createClient, type Client } from './http.js';
import { quantile, seconds, startService, waitUntilIdle, type Databases } from './support.js';
import { count, ms, type Line } from './table.js';

const OFFERS = 100_000;
const FIRST_ORDER = 3_000_000;
const LIMIT = 50;
const WARM_UP = 20;

export interface ThirdPartyOptions {
  /** Requests of each list. */
  readonly requests: number;
}

export async function measureThirdParty(databases: Databases, { requests }: ThirdPartyOptions): Promise<Line[]> {
  const databaseUrl = await databases.fresh('third_party');
  const demo = await seed(databaseUrl);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await preloadOffers(db, demo);
  const service = await startService(databaseUrl);
  await waitUntilIdle(databaseUrl);
  // Same statistics as after autovacuum in a service that has run for a while; query plans depend on them.
  await db.query('analyze');
  const office = createClient(service.url, 1, await signIn(service.url, demo));
  const provider = createClient(service.url, 1, demo.provider.key);
  const took = { orders: [] as number[], offers: [] as number[] };
  for (let round = -WARM_UP; round < requests; round += 1) {
    const orders = await read(office, `/api/v1/orders?per_page=${LIMIT}`);
    const offers = await read(provider, `/api/v1/thirdpartydelivery/orders?limit=${LIMIT}`);
    if (round < 0) continue;
    took.orders.push(orders);
    took.offers.push(offers);
  }
  for (const client of [office, provider]) client.close();
  await Promise.all([db.end(), service.stop()]);
  const [offers, orders] = [quantile(took.offers, 0.99), quantile(took.orders, 0.99)];
  return [
    {
      name: `List of a provider's offers, ${count(OFFERS)} open offers, p99`,
      value: ms(offers),
      ratio: offers / orders,
      reference: `${ms(orders)} list of orders, p99`,
      goal: 'at most 2',
    },
  ];
}

/** Inserts orders that are offered to the provider of the demo. */
async function preloadOffers(db: pg.Client, demo: Demo): Promise<void> {
  await preloadOrders(db, demo, OFFERS, FIRST_ORDER);
  await db.query(
    `insert into log.events (stream, revision, id, type, version, data, metadata)
     select 'order-' || n, 1, gen_random_uuid(), 'ThirdPartyOffered', 1,
            json_build_object('offer_id', gen_random_uuid(), 'round', 1, 'providers', json_build_array($4::text),
              'respond_by', '2999-01-01T00:00:00.000Z', 'mode', 'first_accept', 'next_rounds', '[]'::json, 'offered_by', $5::int),
            s.metadata
       from (select * from log.events where stream = $1 and revision = 0) s cross join generate_series($2::int, $2::int + $3::int - 1) n order by n`,
    [`order-${demo.orders.assignable[0]}`, FIRST_ORDER, OFFERS, demo.provider.id, demo.users.client_admin.id],
  );
  await passOver(db);
  await db.query('vacuum analyze log.events');
}

/** Returns the duration in milliseconds. */
async function read(client: Client, path: string): Promise<number> {
  let length = 0;
  const took = await seconds(async () => {
    const { status, body } = await client.send('GET', path);
    if (status !== 200) throw new Error(`${path}: ${status} ${body.toString().slice(0, 300)}`);
    length = (JSON.parse(body.toString()) as { orders: unknown[] }).orders.length;
  });
  if (length !== LIMIT) throw new Error(`${path}: ${length} orders`);
  return took * 1_000;
}
