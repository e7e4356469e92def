/**
 * Two api processes against one on the same cores. Pushes alternate between both, and each event must be in the log
 * exactly once.
 */
import pg from 'pg';
import { push } from './documents.js';
import { createClient, inParallel } from './http.js';
import { CONNECTIONS } from './ingest.js';
import { addProvider } from './main-path.js';
import { median, seconds, startService, waitUntilIdle, type Databases, type Process } from './support.js';
import { count, type Line } from './table.js';

export interface ProcessesOptions {
  readonly rounds: number;
  /** Requests of 100 events in one measurement. */
  readonly requests: number;
}

const WARM_UP = 100;

export async function measureProcesses(databases: Databases, { rounds, requests }: ProcessesOptions): Promise<Line[]> {
  const databaseUrl = await databases.fresh('processes');
  const first = await startService(databaseUrl, { ROLES: 'api,projector' });
  const second = await startService(databaseUrl, { ROLES: 'api' });
  const key = await addProvider(databaseUrl);
  const rates: { one: number[]; two: number[] } = { one: [], two: [] };
  let pushed = 0;
  const measure = async (services: readonly Process[], many: number): Promise<number> => {
    const took = await pushTo(services, key, many);
    pushed += many * 100;
    await waitUntilIdle(databaseUrl);
    return (many * 100) / took;
  };
  for (const service of [first, second]) await measure([service], WARM_UP);
  for (let round = 0; round < rounds; round++) {
    rates.one.push(await measure([first], requests));
    rates.two.push(await measure([first, second], requests));
  }
  await Promise.all([first.stop(), second.stop()]);
  const lost = pushed - (await scansOf(databaseUrl));
  if (lost !== 0) throw new Error(`${lost} of ${pushed} acknowledged events are not in the log once.`);
  const [one, two] = [median(rates.one), median(rates.two)];
  return [
    {
      name: 'Ingest by two api processes (events)',
      value: `${count(two)}/s`,
      ratio: two / one,
      reference: `${count(one)}/s one process`,
      goal: '0.9',
    },
  ];
}

/** Returns the seconds until every push was accepted. */
async function pushTo(services: readonly Process[], key: string, many: number): Promise<number> {
  const clients = services.map(({ url }) => createClient(url, CONNECTIONS / services.length, key));
  const bodies = Array.from({ length: many }, (_, index) => ({
    body: push().body,
    client: clients[index % clients.length]!,
  }));
  const took = await seconds(() =>
    inParallel(bodies, CONNECTIONS, async ({ body, client }) => {
      const { status, body: answer } = await client.send('POST', '/api/v1/otep/ingest', { body });
      if (status !== 200) throw new Error(`${status} ${answer.toString().slice(0, 300)}`);
      const { accepted } = JSON.parse(answer.toString()) as { accepted: number };
      if (accepted !== 100) throw new Error(`${accepted} of 100 were accepted.`);
    }),
  );
  for (const client of clients) client.close();
  return took;
}

async function scansOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ scans: number }>(
    "select count(*)::int as scans from log.events where type = 'TrackingEventRecorded'",
  );
  await client.end();
  return rows[0]!.scans;
}
