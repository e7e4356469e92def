/**
 * Riders: time from the acceptance of an offer until the order is on the route, with 50 new searches per second. Also
 * read latency while 2,000 positions per second are reported, against none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seed, signIn } from './assignments.js';
import { ask, createClient, type Client } from './http.js';
import { quantile, startService, type Databases, type Process } from './support.js';
import { ms, type Line } from './table.js';

const RIDERS = 50;
const SEARCHES_PER_SECOND = 50;
const POSITIONS_PER_SECOND = 2_000;
/** Positions per call. */
const POINTS = 1;
const PLACE = { latitude: 52.52, longitude: 13.405 };
const PASSWORD = 'correct horse battery staple';

interface Rider {
  readonly client: Client;
  readonly index: number;
}

export async function measureRiders(databases: Databases, seconds: number): Promise<Line[]> {
  const databaseUrl = await databases.fresh('riders');
  const demo = await seed(databaseUrl);
  const service = await startService(databaseUrl);
  const office = createClient(service.url, 16, await signIn(service.url, demo));
  const riders: Rider[] = [];
  for (let index = 0; index < RIDERS; index++) riders.push(await openRider(service, office, index));
  const accepted = await acceptances(office, riders, Math.min(RIDERS * 4, SEARCHES_PER_SECOND * seconds));
  const idle = await reads(office, seconds);
  let pinged = 0;
  const until = performance.now() + seconds * 1_000;
  const reporting = (async () => {
    for (let began = performance.now(); performance.now() < until;) {
      const due = ((performance.now() - began) / 1_000) * POSITIONS_PER_SECOND;
      const calls: Promise<unknown>[] = [];
      for (; pinged < due; pinged += POINTS) calls.push(reportPosition(riders[pinged % RIDERS]!, pinged));
      await Promise.race([Promise.all(calls), sleep(20)]);
    }
  })();
  const loaded = await reads(office, seconds);
  await reporting;
  for (const { client } of riders) client.close();
  office.close();
  await service.stop();
  const [calm, busy] = [quantile(idle, 0.99), quantile(loaded, 0.99)];
  return [
    {
      name: `Time from a rider's acceptance until the order is on the route, ${SEARCHES_PER_SECOND} searches/s, p95`,
      value: ms(quantile(accepted, 0.95)),
      goal: '150 ms',
    },
    {
      name: `Read of an order while drivers send ${Math.round(pinged / seconds)} positions/s, p99`,
      value: ms(busy),
      ratio: busy / calm,
      reference: `${ms(calm)} without positions`,
      goal: 'at most 2',
    },
  ];
}

/** Each rider has a different position, so that each search has another nearest rider. */
const placeOf = (index: number) => ({ ...PLACE, latitude: PLACE.latitude + index / 50 });

async function openRider({ url }: Process, office: Client, index: number): Promise<Rider> {
  const email = `bench-rider-${index}@example.com`;
  const { user_id } = await ask(office, 'POST', '/users', { email, password: PASSWORD, name: 'R', role: 'driver' });
  await ask(office, 'PUT', `/drivers/${user_id}/rider-grant`, { enabled: true, max_concurrent: 5 });
  const anonymous = createClient(url, 1);
  const { access_token } = await ask(anonymous, 'POST', '/user/login', { email, password: PASSWORD });
  anonymous.close();
  const rider = { client: createClient(url, 4, access_token), index };
  await ask(rider.client, 'POST', '/instant-rider/online', {});
  await reportPosition(rider);
  return rider;
}

const reportPosition = ({ client, index }: Rider, later = 0) =>
  ask(client, 'POST', '/instant-rider/locations', {
    points: [{ at: new Date(Date.now() + (later % 50_000) / 1_000).toISOString(), ...placeOf(index) }],
  });

/** Returns the response times of acceptances in milliseconds. */
async function acceptances(office: Client, riders: readonly Rider[], searches: number): Promise<number[]> {
  const orders: number[] = [];
  for (let n = 0; n < searches; n++) {
    const address = { name: 'P', street: `S ${n}`, city: 'Berlin', postal_code: '10115', country: 'DE' };
    const pickup = { ...address, position: placeOf(n % RIDERS) };
    const order = { type: 'P2P', pickup, delivery: address, packages: [{ weight_kg: 1 }] };
    orders.push((await ask(office, 'POST', '/client/orderCreate', order))['order_id']!);
  }
  await Promise.all(riders.map((rider) => reportPosition(rider)));
  const took: number[] = [];
  const one = async (order: number, rider: Rider) => {
    await ask(office, 'POST', `/orders/${order}/instant-delivery`, { offer_s: 60, radius_m: 500, max_rounds: 1 });
    const { offers } = await ask(rider.client, 'GET', '/instant-rider/offers');
    const offer = (offers as unknown as readonly { id: string; order_id: number }[]).find(
      ({ order_id }) => order_id === order,
    );
    if (!offer) return;
    const began = performance.now();
    await ask(rider.client, 'POST', `/instant-rider/offers/${offer.id}/accept`, {});
    took.push(performance.now() - began);
  };
  const running: Promise<void>[] = [];
  for (const [n, order] of orders.entries()) {
    running.push(one(order, riders[n % RIDERS]!));
    await sleep(1_000 / SEARCHES_PER_SECOND);
  }
  await Promise.all(running);
  if (took.length < searches / 2) throw new Error(`Only ${took.length} of ${searches} searches were accepted.`);
  return took;
}

async function reads(client: Client, seconds: number): Promise<number[]> {
  const took: number[] = [];
  for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
    const began = performance.now();
    await ask(client, 'GET', '/orders/1');
    took.push(performance.now() - began);
  }
  return took;
}
