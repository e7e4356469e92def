/** Scanners in a warehouse: single scans at 100 per second, and one request with 200 scans against 200 requests. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { preloadOrders, seed, signIn } from './assignments.js';
import { createClient } from './http.js';
import { median, quantile, seconds, startService, waitUntilIdle, type Databases } from './support.js';
import { count, ms, type Line } from './table.js';

const SCANS_PER_SECOND = 100;
const BATCH = 200;
const DEVICES = 20;
const WARM_UP = 200;

export async function measureWarehouse(
  databases: Databases,
  { rounds, requests }: { readonly rounds: number; readonly requests: number },
): Promise<Line[]> {
  const databaseUrl = await databases.fresh('warehouse');
  const demo = await seed(databaseUrl);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const parcels = (await preloadOrders(db, demo, WARM_UP + requests + rounds * 2 * BATCH)).map((id) => `BENCH${id}`);
  const service = await startService(databaseUrl);
  const client = createClient(service.url, DEVICES, await signIn(service.url, demo));
  const ask = async (path: string, body: object) => {
    const answer = await client.send('POST', `/api/v1${path}`, { body: Buffer.from(JSON.stringify(body)) });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    return JSON.parse(answer.body.toString()) as { warehouse: { id: number }; results: { outcome: string }[] };
  };
  const address = { street: 'Kai 1', city: 'Hamburg', country: 'DE' };
  const site = { code: 'BENCH', name: 'Bench', address, timezone: 'UTC' };
  const warehouse_id = (await ask('/wms/warehouses', site)).warehouse.id;
  await waitUntilIdle(databaseUrl);
  await db.query('analyze');
  await db.end();
  const counts = new Map<string, number>();
  /** Receives the next parcels. */
  const receive = async (device_id: string, many: number) => {
    const ops = parcels.splice(0, many).map((code) => {
      const seq = (counts.get(device_id) ?? 0) + 1;
      counts.set(device_id, seq);
      return { op_id: randomUUID(), seq, at: new Date().toISOString(), do: 'receive', code, warehouse_id };
    });
    const { results } = await ask('/wms/mobile/ops', { device_id, ops });
    if (results.some(({ outcome }) => outcome !== 'applied')) throw new Error(JSON.stringify(results).slice(0, 300));
  };
  const took: number[] = [];
  const running: Promise<void>[] = [];
  for (let n = -WARM_UP; n < requests; n++) {
    const began = performance.now();
    const one = receive(`single-${(n + WARM_UP) % DEVICES}`, 1).then(() => {
      if (n >= 0) took.push(performance.now() - began);
    });
    if (n < 0) await one;
    else running.push(one);
    if (n >= 0) await sleep(1_000 / SCANS_PER_SECOND);
  }
  await Promise.all(running);
  const figures = { batch: [] as number[], singles: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    figures.batch.push(await seconds(() => receive('batch', BATCH)));
    figures.singles.push(
      await seconds(async () => {
        for (let n = 0; n < BATCH; n++) await receive('one', 1);
      }),
    );
  }
  client.close();
  await service.stop();
  const [batch, singles] = [median(figures.batch), median(figures.singles)];
  return [
    {
      name: `Response time of a warehouse scan at ${SCANS_PER_SECOND} scans/s, p95`,
      value: ms(quantile(took, 0.95)),
      goal: '40 ms',
    },
    {
      name: `${count(BATCH)} warehouse scans in one request (scans)`,
      value: `${count(BATCH / batch)}/s`,
      ratio: singles / batch,
      reference: `${count(BATCH / singles)}/s in ${BATCH} requests`,
      goal: '5',
    },
  ];
}
