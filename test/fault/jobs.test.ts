/** Workers that are killed in the middle of a search or a commit: nothing is lost, nothing is done twice. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { listed } from '../contract/log/contract/opened.js';
import { eventually } from '../support/eventually.js';
import { BRIEF_LEASES, endServiceProcesses, startServiceProcess } from '../support/processes/service-process.js';
import { openDay, type Day } from '../support/worlds/day.js';
import { laterDays } from '../support/worlds/days.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { atDepth } from '../support/depth.js';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const ORDERS = atDepth(60, 20);
const LINES = atDepth(2_000, 600);
const JOBS = atDepth(200, 60);

describe('a worker that is killed', () => {
  let t: TestService;
  let day: Day;
  let dataDir: string;
  /** Each case has its own day, so that no route of another case takes the drivers' time. */
  const nextDay = laterDays();
  before(async () => {
    t = await startTestService({ env: { ROLES: 'api,projector' } });
    day = await openDay(t, { drivers: 4 });
    dataDir = await mkdtemp(join(tmpdir(), 'transport-worker-'));
  });
  afterEach(endServiceProcesses);
  after(async () => {
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const worker = (env = {}) =>
    startServiceProcess({ dataDir, databaseUrl: t.databaseUrl, env: { ROLES: 'worker', ...env } });
  /** Its leases are short, so its jobs are free a few seconds after it is killed. */
  const mortal = () => worker(BRIEF_LEASES);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const jobOf = async (id: string, wait = 0): Promise<any> =>
    (await day.as('client_admin', `/jobs/${id}?wait_s=${wait}`)).json.job;
  /** The job once it has ended, however long a slow machine takes. */
  const ended = async (id: string) => {
    for (;;) {
      const job = await jobOf(id, 25);
      if (!['queued', 'running'].includes(job.status)) return job;
    }
  };
  interface StartedJob {
    readonly id: number;
    readonly job_id: string;
    readonly date: string;
    readonly ids: readonly number[];
  }
  /** Plans new orders on a new day. */
  const begin = async (orders: number, seconds: number): Promise<StartedJob> => {
    const date = nextDay();
    const ids = await day.orders(orders, () => ({ schedule_date: date }));
    const body = { schedule_date: date, order_ids: ids, driver_ids: day.drivers, budget: { time_limit_s: seconds } };
    const { json, text } = await day.as('client_admin', '/../v3/client/build-route', body);
    expect(json.route_plan, text).to.be.an('object');
    return { ...json.route_plan, date, ids } as StartedJob;
  };
  const until = async (id: string, holds: (job: { step: string | null; status: string }) => boolean) => {
    for (let job = await jobOf(id); !holds(job); job = await jobOf(id)) await sleep(5);
  };
  const putOn = async (id: number) =>
    (await listed(t.service.engines.log.read(`order-${id}`))).filter(({ type }) => type === 'OrderPutOnRoute').length;

  /** Resolves when the log shows that the commit has started. */
  async function committing(plan: number): Promise<void> {
    const isStarted = async () =>
      (await listed(t.service.engines.log.read(`plan-${plan}`))).some(({ type }) => type === 'PlanCommitStarted');
    while (!(await isStarted())) await sleep(1);
  }

  async function expectWhole({ id, job_id, date, ids }: StartedJob) {
    const job = await ended(job_id);
    expect(job, JSON.stringify(job)).to.include({ status: 'succeeded' });
    // Not the first attempt. On a slow machine a short lease may be lost again.
    expect(job.attempt).to.be.at.least(2);
    const { route_plan: plan } = (await day.as('client_admin', `/route-plans/${id}`)).json;
    expect(plan.status).to.equal('committed');
    expect(plan.commit).to.include({ placed: ids.length, skipped: 0 });
    expect(await Promise.all(ids.map(putOn))).to.deep.equal(ids.map(() => 1));
    const { routes } = (await day.as('client_admin', `/routes?schedule_date=${date}&per_page=200`)).json;
    const named = routes.filter(({ name }: { name: string }) => name.startsWith(`Plan ${id},`));
    expect(named).to.have.length(plan.routes.length);
    const { rows } = await t.service.engines.pool.query('select state from access.jobs where id = $1', [job_id]);
    expect(rows).to.deep.equal([{ state: 'succeeded' }]);
  }

  for (let round = 1; round <= ROUNDS; round++) {
    it(`in the middle of a search leaves the plan to another one (${round})`, async () => {
      const first = await mortal();
      const plan = await begin(ORDERS, 3);
      await until(plan.job_id, ({ step }) => step === 'solving');
      await sleep(Math.random() * 1_500);
      await first.end('SIGKILL');
      const second = await worker();
      await expectWhole(plan);
      await second.end('SIGTERM');
    });

    it(`routes 3: in the middle of a commit leaves the rest to another one (${round})`, async () => {
      const first = await mortal();
      const plan = await begin(ORDERS, 1);
      await committing(plan.id);
      await sleep(Math.random() * 20);
      await first.end('SIGKILL');
      const second = await worker();
      await expectWhole(plan);
      await second.end('SIGTERM');
    });
  }

  it(`jobs 2: in the middle of an import of ${LINES} lines leaves the rest to another one, and no line is imported twice`, async () => {
    const name = randomUUID();
    const lines = Array.from({ length: LINES }, (_, n) => `${name}-${n},Ada ${n},Weg ${n},Berlin,DE`);
    const csv = ['order_ref,delivery.name,delivery.street,delivery.city,delivery.country', ...lines].join('\n');
    const first = await mortal();
    const { json, text } = await day.as('client_admin', '/orders/import', { csv });
    expect(json.job_id, text).to.be.a('string');
    const made = async () => {
      const { rows } = await t.service.engines.pool.query<{ refs: number; orders: number }>(
        `select count(distinct order_ref)::int as refs, count(*)::int as orders from orders.orders where order_ref like $1`,
        [`${name}-%`],
      );
      return rows[0]!;
    };
    while ((await made()).orders === 0) await sleep(5);
    await first.end('SIGKILL');
    expect((await made()).orders).to.be.below(LINES);
    const second = await worker();
    const job = await ended(json.job_id);
    expect(job, JSON.stringify(job)).to.include({ status: 'succeeded' });
    // Not the first attempt. On a slow machine a short lease may be lost again.
    expect(job.attempt).to.be.at.least(2);
    expect(job.result).to.deep.include({ total: LINES, created: LINES, failed: 0 });
    expect(await made()).to.deep.equal({ refs: LINES, orders: LINES });
    await second.end('SIGTERM');
  });

  it('routes 2: leaves a plan that another process reproduces to the same bytes', async () => {
    const first = await mortal();
    const plan = await begin(20, 2);
    await until(plan.job_id, ({ status }) => status === 'succeeded');
    await first.end('SIGKILL');
    const second = await worker();
    const { json } = await day.as('auditor', `/route-plans/${plan.id}/replay`, {});
    const job = await ended(json.job.id);
    expect(job.result, JSON.stringify(job)).to.include({ equal: true });
    await second.end('SIGTERM');
  });

  it('that stops in order returns its jobs, which counts as no attempt', async () => {
    const first = await worker();
    const plan = await begin(10, 5);
    await until(plan.job_id, ({ step }) => step === 'solving');
    await first.end('SIGTERM');
    expect(await jobOf(plan.job_id)).to.include({ status: 'queued', attempt: 0 });
    const second = await worker();
    expect(await ended(plan.job_id)).to.include({ status: 'succeeded', attempt: 1 });
    await second.end('SIGTERM');
  });

  it('jobs 3: that gets the cancellation of a plan ends it, and the threads of its search', async () => {
    const first = await worker();
    const threads = async () => (await readdir(`/proc/${first.child.pid}/task`)).length;
    const idle = await threads();
    const plan = await begin(30, 60);
    await until(plan.job_id, ({ step }) => step === 'solving');
    await eventually(async () => (await threads()) > idle, 'threads that search');
    await day.as('client_admin', `/jobs/${plan.job_id}/cancel`, {});
    // The plan would succeed if its search were not cancelled.
    await until(plan.job_id, ({ status }) => status !== 'running' && status !== 'queued');
    expect(await jobOf(plan.job_id)).to.include({ status: 'cancelled' });
    await eventually(async () => (await threads()) <= idle, 'the end of the threads');
    await first.end('SIGTERM');
  });

  it(`jobs 4: ${JOBS} jobs of two workers, one of them paused beyond its leases: each ran once`, async () => {
    const name = randomUUID();
    const still = await mortal();
    still.child.kill('SIGSTOP');
    const ids: string[] = [];
    for (let n = 0; n < JOBS; n++) {
      const lines = [0, 1, 2].map((line) => `${name}-${n}-${line},Ada,Weg ${line},Berlin,DE`);
      const csv = ['order_ref,delivery.name,delivery.street,delivery.city,delivery.country', ...lines].join('\n');
      const { json, text } = await day.as('client_admin', '/orders/import', { csv, known: 'create' });
      expect(json.job_id, text).to.be.a('string');
      ids.push(json.job_id as string);
    }
    const running = async () =>
      (await t.service.engines.pool.query(`select id from access.jobs where state = 'running'`)).rows.length;
    for (let held = 0; held === 0; held = await running()) {
      still.child.kill('SIGCONT');
      await sleep(20);
      still.child.kill('SIGSTOP');
      await sleep(200);
    }
    const other = await worker();
    await Promise.all(ids.map(ended));
    // The process continues with jobs that others have finished in the meantime.
    still.child.kill('SIGCONT');
    await sleep(2_000);
    const jobs = await Promise.all(ids.map((id) => jobOf(id)));
    expect(jobs.map(({ status }) => status)).to.deep.equal(ids.map(() => 'succeeded'));
    expect(jobs.filter(({ attempt }) => attempt === 2).length, 'in its hands').to.be.within(1, 4);
    const { rows } = await t.service.engines.pool.query<{ refs: number; orders: number }>(
      `select count(distinct order_ref)::int as refs, count(*)::int as orders from orders.orders where order_ref like $1`,
      [`${name}-%`],
    );
    expect(rows).to.deep.equal([{ refs: 3 * JOBS, orders: 3 * JOBS }]);
    const { rows: ends } = await t.service.engines.pool.query<{ ends: number }>(
      `select count(*)::int as ends from log.events where type = 'JobFinished' and data ->> 'job_id' = any ($1)`,
      [ids],
    );
    expect(ends).to.deep.equal([{ ends: JOBS }]);
    await Promise.all([still.end('SIGTERM'), other.end('SIGTERM')]);
  });
});
