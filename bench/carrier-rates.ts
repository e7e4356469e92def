/** Comparing the rates of ten carrier accounts over HTTP, against one account. Both alternate in each round. */
import { seed, signIn } from './assignments.js';
import { createClient, inParallel, type Client } from './http.js';
import { median, seconds, startService, waitUntilIdle, type Databases } from './support.js';
import { count, type Line } from './table.js';

const CONNECTIONS = 8;
const ACCOUNTS = 10;

export interface CarrierRatesOptions {
  readonly rounds: number;
  /** Requests of one measurement. */
  readonly requests: number;
}

const SHIPMENT = {
  ship_from: { country: 'DE', postal_code: '10115' },
  ship_to: { country: 'DE', postal_code: '80331' },
  packages: [{ weight_kg: 1.4, length_cm: 30, width_cm: 20, height_cm: 10 }],
};
const RETURN_ADDRESS = { name: 'Depot', street: 'Ring 1', city: 'Berlin', country: 'DE', postal_code: '10115' };

export async function measureCarrierRates(
  databases: Databases,
  { rounds, requests }: CarrierRatesOptions,
): Promise<Line[]> {
  const databaseUrl = await databases.fresh('labels');
  const demo = await seed(databaseUrl);
  const service = await startService(databaseUrl);
  await waitUntilIdle(databaseUrl);
  const admin = createClient(service.url, 1, await signIn(service.url, demo, 'client_admin'));
  const ids = await createAccounts(admin);
  const client = createClient(service.url, CONNECTIONS, await signIn(service.url, demo, 'client_admin'));
  const rates: { readonly one: number; readonly ten: number }[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const pair = { one: await rate(client, ids.slice(0, 1), requests), ten: await rate(client, ids, requests) };
    if (round >= 0) rates.push(pair);
  }
  [admin, client].forEach((one) => one.close());
  await service.stop();
  return [
    {
      name: `rates of ${ACCOUNTS} carrier accounts (sheet)`,
      value: `${count(median(rates.map(({ ten }) => ten)))}/s`,
      ratio: median(rates.map(({ one, ten }) => ten / one)),
      reference: `${count(median(rates.map(({ one }) => one)))}/s with one account`,
      goal: '0.15',
    },
  ];
}

interface Reply {
  readonly carrier_accounts: readonly { readonly id: number; readonly name: string }[];
  readonly rate_cards: readonly { readonly id: number; readonly family: string }[];
  readonly rates: readonly unknown[];
}

async function call(client: Client, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Reply> {
  const sent = body === undefined ? undefined : { body: Buffer.from(JSON.stringify(body)) };
  const answer = await client.send(method, `/api/v1${path}`, sent);
  const text = answer.body.toString();
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Reply;
}

async function createAccounts(admin: Client): Promise<readonly number[]> {
  const cards = (await call(admin, 'GET', '/rate-cards?per_page=200')).rate_cards;
  const rate_card_id = cards.find(({ family }) => family === 'shipping_service')!.id;
  for (let index = 0; index < ACCOUNTS; index += 1)
    await call(admin, 'POST', '/carrier-accounts', {
      adapter: 'sheet',
      name: `Bench ${index}`,
      settings: { rate_card_id, carrier_name: `Bench ${index}`, company_prefix: String(4_050_000 + index) },
      return_address: RETURN_ADDRESS,
    });
  const listed = await call(admin, 'GET', '/carrier-accounts?per_page=200');
  return listed.carrier_accounts.filter(({ name }) => name.startsWith('Bench ')).map(({ id }) => id);
}

async function rate(client: Client, carrier_account_ids: readonly number[], requests: number): Promise<number> {
  const took = await seconds(() =>
    inParallel([...Array(requests).keys()], CONNECTIONS, async (index) => {
      // A different weight each time, so that each request stores its quotes.
      const packages = [{ ...SHIPMENT.packages[0], weight_kg: 1 + index / 1_000 }];
      const { rates } = await call(client, 'POST', '/labelservice/rate', {
        ...SHIPMENT,
        packages,
        carrier_account_ids,
      });
      if (rates.length < carrier_account_ids.length) throw new Error(`${rates.length} rates`);
    }),
  );
  return requests / took;
}
