/**
 * Label orders of a business that prints its own labels, over HTTP: the number is drawn, the PDF is printed and stored,
 * and the timeline is opened before the response. The reference is the creation of a delivery order. Both alternate in
 * each round.
 */
import { seed, signIn } from './assignments.js';
import { call, createSheetAccounts, type CarrierRatesOptions } from './carrier-rates.js';
import { createClient, inParallel } from './http.js';
import { median, seconds, startService, waitUntilIdle, type Databases } from './support.js';
import { count, type Line } from './table.js';

const CONNECTIONS = 8;
const STOP = { name: 'Ada', street: 'Weg 1', city: 'Berlin', country: 'DE', postal_code: '10115' };
const PACKAGES = [{ weight_kg: 1.4, length_cm: 30, width_cm: 20, height_cm: 10 }];

export async function measureLabelOrders(
  databases: Databases,
  { rounds, requests }: CarrierRatesOptions,
): Promise<Line[]> {
  const databaseUrl = await databases.fresh('label_orders');
  const demo = await seed(databaseUrl);
  const service = await startService(databaseUrl);
  await waitUntilIdle(databaseUrl);
  const admin = createClient(service.url, 1, await signIn(service.url, demo, 'client_admin'));
  const [account] = await createSheetAccounts(admin, 1);
  const { shipping_methods: methods } = await call(admin, 'GET', `/shipping-methods?carrier_account_ids=${account}`);
  const client = createClient(service.url, CONNECTIONS, await signIn(service.url, demo, 'client_admin'));
  const label = { ship_from: STOP, ship_to: { ...STOP, name: 'Grace' }, packages: PACKAGES, method_id: methods[0]!.id };
  const delivery = { type: 'D', delivery: STOP, packages: PACKAGES };
  const rate = async (path: string, body: object): Promise<number> => {
    const took = await seconds(() =>
      inParallel([...Array(requests).keys()], CONNECTIONS, async () => {
        const { result } = await call(client, 'POST', path, body);
        if (!result) throw new Error(`${path}: no result`);
      }),
    );
    return requests / took;
  };
  const rates: { readonly labels: number; readonly orders: number }[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const pair = { orders: await rate('/orders', delivery), labels: await rate('/label-orders', label) };
    if (round >= 0) rates.push(pair);
  }
  [admin, client].forEach((one) => one.close());
  await service.stop();
  return [
    {
      name: 'label orders with a printed PDF (sheet)',
      value: `${count(median(rates.map(({ labels }) => labels)))}/s`,
      ratio: median(rates.map(({ labels, orders }) => labels / orders)),
      reference: `${count(median(rates.map(({ orders }) => orders)))}/s delivery orders`,
      goal: '0.3',
    },
  ];
}
