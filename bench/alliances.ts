/**
 * Reads of a partner's parcels. Measures the additional cost of a grant over the owner's own read, and whether the
 * response time distinguishes existing from unknown numbers. Each figure is a median over different parcels; pairs of
 * reads alternate.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { seed, signIn } from './assignments.js';
import { timelineOf } from './documents.js';
import { ask, createClient, inParallel, type Client } from './http.js';
import { median, startService, waitUntilIdle, type Databases } from './support.js';
import { count, ms, type Line } from './table.js';

const CONNECTIONS = 8;
/** Unrelated parcels, as a business has them after some time of deliveries. */
const OTHERS = 100_000;
/** Rounds over all pairs. The warm-up rounds before them are not counted. */
const ROUNDS = 6;
const WARM_UP = 2;
/** Time for which a decryption key stays cached. */
const KEY_CACHE_MS = 5_000;

/** `parcels`: number of parcels, each of which is read once in every round. */
export async function measureAlliances(databases: Databases, parcels: number): Promise<Line[]> {
  const databaseUrl = await databases.fresh('alliances');
  const demo = await seed(databaseUrl);
  const service = await startService(databaseUrl);
  const grantor = createClient(service.url, CONNECTIONS, await signIn(service.url, demo));
  const grantee = createClient(service.url, 1, await signIn(service.url, demo, 'other_client_admin'));
  const provider = createClient(service.url, 1, demo.strict_provider.key);
  const [partner, self] = [await businessOf(grantor), await businessOf(grantee)];
  const numbers = await openParcels(grantor, provider, demo.strict_provider.id, parcels);
  await waitUntilIdle(databaseUrl);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await cloneTrackings(db, numbers[0]!);

  const { alliance } = await ask(grantor, 'POST', '/alliances', { name: 'Bench' });
  const { id: alliance_id } = alliance as unknown as { readonly id: number };
  await ask(grantor, 'POST', `/alliances/${alliance_id}/invitations`, { business_code: 'other' });
  await ask(grantee, 'POST', `/alliances/${alliance_id}/invitations/answer`, { accept: true });
  const grant = (kind: string, filter = {}) =>
    ask(grantor, 'POST', `/alliances/${alliance_id}/grants`, { kind, filter, to_business_id: self });
  const read =
    (client: Client, status: number, query = '') =>
    (number: string) =>
      timed(client, `/client/otep/trackings/${number}${query}`, status);
  const asGrantee = (status: number) => read(grantee, status, `?business_id=${partner}`);

  // First without a grant, then with a grant that does not include the parcels. The service must read the parcel's
  // order to decide the latter.
  const hidden = {
    measured: asGrantee(404),
    reference: asGrantee(404),
    pairs: () => [numbers, numbers.map(unknownNumber)] as const,
  };
  const none = await measureAlternately(hidden);
  await grant('tracking', { postal_prefixes: ['99'] });
  const outside = await measureAlternately(hidden);
  // Every read must be the first one of its parcel: a cached key, or a read through the grant that was recorded in the
  // last minute, would make it faster.
  const half = numbers.length / 2;
  const halves = [numbers.slice(0, half), numbers.slice(half)] as const;
  const shown = {
    measured: asGrantee(200),
    reference: read(grantor, 200),
    pairs: async (round: number) => {
      await db.query('truncate access.alliance_uses');
      await sleep(KEY_CACHE_MS);
      return round % 2 === 0 ? halves : ([halves[1], halves[0]] as const);
    },
  };
  await grant('tracking');
  const basic = await measureAlternately(shown);
  await grant('tracking_full');
  const full = await measureAlternately(shown);
  await db.end();
  for (const client of [grantor, grantee, provider]) client.close();
  await service.stop();
  const line = (name: string, { measured, reference }: Medians, of: string, reach: string): Line => ({
    name,
    value: ms(measured),
    ratio: measured / reference,
    reference: `${ms(reference)} ${of}`,
    goal: reach,
  });
  return [
    line("Read of a partner's tracking number without a grant", none, 'for an unknown number', '0.95 to 1.05'),
    line("Read of a partner's tracking number outside of the grant", outside, 'for an unknown number', '0.95 to 1.05'),
    line(`Timeline through a grant (tracking), ${count(OTHERS)} parcels`, basic, 'for the owner', 'at most 1.3'),
    line('Timeline through a grant (tracking_full)', full, 'for the owner', 'at most 1.3'),
  ];
}

const businessOf = async (client: Client): Promise<number> =>
  ((await ask(client, 'GET', '/me')) as unknown as { user: { business_id: number } }).user.business_id;

/** Milliseconds. */
async function timed(client: Client, path: string, status: number): Promise<number> {
  const began = performance.now();
  const answer = await client.send('GET', `/api/v1${path}`);
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
  return performance.now() - began;
}

interface Medians {
  readonly measured: number;
  readonly reference: number;
}

type Read = (number: string) => Promise<number>;

type Pair = readonly [readonly string[], readonly string[]];

interface ReadPlan {
  readonly measured: Read;
  readonly reference: Read;
  /** Returns the numbers that each side reads in a round. */
  readonly pairs: (round: number) => Promise<Pair> | Pair;
}

/**
 * Runs both reads of each pair, alternating which comes first, so that other load on the machine affects both equally.
 */
async function measureAlternately({ measured: ours, reference: theirs, pairs }: ReadPlan): Promise<Medians> {
  const took = { ours: [] as number[], theirs: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [our, their] = await pairs(round);
    for (const [index, number] of our.entries()) {
      const one = async () => void took.ours.push(await ours(number));
      const other = async () => void took.theirs.push(await theirs(their[index]!));
      for (const next of (index + round) % 2 === 0 ? [one, other] : [other, one]) await next();
    }
    if (round < 0) took.ours.length = took.theirs.length = 0;
  }
  return { measured: median(took.ours), reference: median(took.theirs) };
}

/** Returns an unknown number of the same form and length. */
const unknownNumber = (number: string): string => number.slice(0, 2) + [...number.slice(2)].reverse().join('');

/** Creates orders of the giver with scans of a carrier: 10 to 20 events each. */
async function openParcels(grantor: Client, provider: Client, carrier: string, many: number): Promise<string[]> {
  const numbers: string[] = [];
  await inParallel([...Array(many).keys()], CONNECTIONS, async (n) => {
    const delivery = {
      name: `P ${n}`,
      phone: '+49 170 1234567',
      street: `Gartenweg ${n}`,
      city: 'Hamburg',
      postal_code: '20095',
      country: 'DE',
    };
    const order = { type: 'D', delivery, packages: [{ weight_kg: 1 }], note: 'bell' };
    const { order_id } = await ask(grantor, 'POST', '/client/orderCreate', order);
    await ask(grantor, 'POST', `/orders/${order_id}/third-party`, { provider: carrier });
    const { order: made } = await ask(grantor, 'GET', `/orders/${order_id}`);
    numbers.push((made as unknown as { packages: { tracking_number: string }[] }).packages[0]!.tracking_number);
  });
  const timelines = numbers.map((number, index) => timelineOf(number, 10 + (index % 11)));
  for (let at = 0; at < many; at += 10) {
    const { rejected } = await ask(provider, 'POST', '/otep/ingest', { timelines: timelines.slice(at, at + 10) });
    if (rejected) throw new Error(`${String(rejected)} events were not taken.`);
  }
  return numbers;
}

/** Inserts copies of a parcel under other ids. */
async function cloneTrackings(db: pg.Client, like: string): Promise<void> {
  await db.query(
    `insert into timeline.trackings select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', 'BENCH' || n))).*
       from timeline.trackings t cross join generate_series(1, $2::int) n where t.number = $1`,
    [like, OTHERS],
  );
  // Same state of the tables as after autovacuum in a service that has run for a while.
  await db.query('vacuum analyze');
}
