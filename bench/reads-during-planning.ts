/** Duration of an order read while a plan is solved in the same process, against an idle process. */
import { addDays } from '../src/events/core/local-time.js';
import { seed, signIn } from './assignments.js';
import { today } from './dispatch.js';
import { createClient } from './http.js';
import { quantile, startService, type Databases } from './support.js';
import { ms, type Line } from './table.js';

/** Number of orders in the plan. */
const ORDERS = 200;
/** Reads before the measurement. */
const WARM_UP = 500;

export async function measureReadsDuringPlanning(databases: Databases, seconds: number): Promise<Line[]> {
  const databaseUrl = await databases.fresh('planning');
  const demo = await seed(databaseUrl);
  const service = await startService(databaseUrl);
  const client = createClient(service.url, 4, await signIn(service.url, demo));
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await client.send(method, `/api${path}`, {
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    return JSON.parse(answer.body.toString()) as Record<string, never>;
  };
  const date = addDays(today(), 1);
  const order_ids: number[] = [];
  for (let n = 0; n < ORDERS; n += 1) {
    const position = { latitude: 52.4 + (n % 20) / 100, longitude: 13.2 + Math.floor(n / 20) / 50 };
    const delivery = { name: `P ${n}`, street: `S ${n}`, city: 'Berlin', country: 'DE', position };
    const order = { type: 'D', delivery, packages: [{ weight_kg: 1 }], schedule_date: date };
    order_ids.push((await ask('POST', '/v1/client/orderCreate', order))['order_id']!);
  }
  const reads = async (until: () => boolean): Promise<number[]> => {
    const took: number[] = [];
    for (let n = 0; !until(); n += 1) {
      const began = performance.now();
      await ask('GET', `/v1/orders/${order_ids[n % ORDERS]}`);
      took.push(performance.now() - began);
    }
    return took;
  };
  const forSeconds = (): (() => boolean) => {
    const until = performance.now() + seconds * 1_000;
    return () => performance.now() > until;
  };
  let warm = 0;
  await reads(() => (warm += 1) > WARM_UP);
  const idle = await reads(forSeconds());
  const { route_plan } = await ask('POST', '/v3/client/build-route', {
    schedule_date: date,
    order_ids,
    auto_commit: false,
    budget: { time_limit_s: seconds + 2 },
  });
  const { job_id } = route_plan as unknown as { readonly job_id: string };
  for (let job: { step: string | null } | undefined; job?.step !== 'solving';)
    job = (await ask('GET', `/v1/jobs/${job_id}`))['job'];
  const solving = await reads(forSeconds());
  const beyond = await beyondSearch(ask, job_id, seconds + 2);
  client.close();
  await service.stop();
  const [before, duringPlanning] = [quantile(idle, 0.99), quantile(solving, 0.99)];
  return [
    {
      name: `Read of an order while a plan of ${ORDERS} is solved on one thread, p99`,
      value: ms(duringPlanning),
      ratio: duringPlanning / before,
      reference: `${ms(before)} idle`,
      goal: 'at most 2',
    },
    {
      name: `Time from the request of this plan until its end, without the ${seconds + 2} s of the search`,
      value: ms(beyond),
      goal: '11 s',
    },
  ];
}

type Ask = (method: string, path: string) => Promise<Record<string, never>>;

/** Returns the milliseconds of a job outside its search. */
async function beyondSearch(ask: Ask, id: string, seconds: number): Promise<number> {
  for (;;) {
    const job: { created_at: string; finished_at: string | null } = (await ask('GET', `/v1/jobs/${id}?wait_s=25`))[
      'job'
    ]!;
    if (job.finished_at) return Date.parse(job.finished_at) - Date.parse(job.created_at) - seconds * 1_000;
  }
}
