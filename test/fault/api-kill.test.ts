/**
 * The API process is killed in the middle of a commit and of an import: alone, and together with the worker and the
 * projections. A client that retries with the same key gets one plan, one commit and one import. Nothing is lost or
 * done twice.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { listed } from '../contract/log/contract/opened.js';
import { call, type Answer } from '../support/clients/http.js';
import {
  BRIEF_LEASES,
  endServiceProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { openDay, type Day } from '../support/worlds/day.js';
import { laterDays } from '../support/worlds/days.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { signIns } from '../support/worlds/users.js';
import { waitForJob } from '../support/eventually.js';
import { atDepth } from '../support/depth.js';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const ORDERS = atDepth(60, 20);
const LINES = atDepth(600, 200);
const BUILD = '/api/v3/client/build-route';
/** The job of a plan, or of an import. */
const jobIn = ({ json }: Answer): string => json.route_plan?.job_id ?? json.job_id;

/** When it dies: during the request, as soon as the work is queued, or in the middle of the commit. */
const MOMENTS = ['while it takes the request', 'when the work is queued', 'in the middle of the commit'] as const;

interface Deployment {
  readonly name: string;
  /** Roles of the process that is killed, and of the one that lives. */
  readonly killed: string;
  readonly living: string;
  readonly rounds: number;
}
/** If the projections die, too, their successors wait for the leases, so one round is enough. */
const DEPLOYMENTS: readonly Deployment[] = [
  { name: 'an api process', killed: 'api', living: 'api,projector,worker', rounds: ROUNDS },
  { name: 'the only process', killed: 'api,projector,worker', living: 'api', rounds: 1 },
];

for (const { name, killed: KILLED, living, rounds } of DEPLOYMENTS)
  describe(`${name} that is killed`, function () {
    let t: TestService;
    let day: Day;
    let dataDir: string;
    let keyOf: ReturnType<typeof signIns>;
    /** The only process with its roles, until another one takes over. */
    let only: ServiceProcess | undefined;
    const start = () =>
      startServiceProcess({ dataDir, databaseUrl: t.databaseUrl, env: { ...BRIEF_LEASES, ROLES: KILLED } });
    const isOnly = !living.includes('worker');
    /** Each case has its own day, so that no route of another case takes the drivers' time. */
    const nextDay = laterDays();
    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'transport-api-kill-'));
      t = await startTestService({ env: { ROLES: living } });
      if (isOnly) only = await start();
      day = await openDay(t, { drivers: 4 });
      keyOf = signIns(t);
    });
    after(async () => {
      await endServiceProcesses();
      await t.stop();
      await rm(dataDir, { recursive: true, force: true });
    });

    const rows = async <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
      (await t.service.engines.pool.query<Row>(sql, [...values])).rows;
    const jobsOf = async (kind: string): Promise<string[]> =>
      (await rows<{ id: string }>('select id from access.jobs where kind = $1', [kind])).map(({ id }) => id);
    const typesOf = async (stream: string): Promise<string[]> =>
      (await listed(t.service.engines.log.read(stream))).map(({ type }) => type);
    const until = async (holds: () => Promise<boolean>): Promise<void> => {
      while (!(await holds())) await sleep(3);
    };

    /** Repeats a request until the read model has caught up and the claim of the killed process has expired. */
    async function background(asking: () => Promise<Answer>): Promise<Answer> {
      for (let answer = await asking(); ; answer = await asking()) {
        if (answer.status !== 503 && answer.json?.code !== 'IDEMPOTENCY_IN_FLIGHT') return answer;
        await sleep(200);
      }
    }
    const read = (path: string) => background(() => day.as('client_admin', path));

    /** Sends a request to a process that is killed at the moment, and repeats it with the same key on a living one. */
    async function requestTwice(path: string, body: object, moment: () => Promise<unknown>): Promise<Answer> {
      const request = { key: await keyOf('client_admin'), body, headers: { 'idempotency-key': randomUUID() } };
      const killed = only ?? (await start());
      const first = call(`${killed.url}${path}`, request).then(
        (answer) => answer,
        () => undefined,
      );
      await moment();
      await killed.end('SIGKILL');
      const firstResponse = await first;
      if (isOnly) only = await start();
      const second = await background(() => call(`${t.url}${path}`, request));
      expect(second.status, second.text).to.equal(202);
      if (firstResponse?.status === 202) expect(jobIn(second)).to.equal(jobIn(firstResponse));
      return second;
    }

    async function expectCommitted(planId: number, date: string, ids: readonly number[]): Promise<void> {
      const { route_plan: plan } = (await read(`/route-plans/${planId}`)).json;
      expect(plan.status).to.equal('committed');
      expect(plan.commit).to.include({ placed: ids.length, skipped: 0 });
      const puts = await Promise.all(
        ids.map(async (id) => (await typesOf(`order-${id}`)).filter((type) => type === 'OrderPutOnRoute').length),
      );
      expect(puts).to.deep.equal(ids.map(() => 1));
      const { routes } = (await read(`/routes?schedule_date=${date}&per_page=200`)).json;
      const named = routes.filter(({ name }: { name: string }) => name.startsWith(`Plan ${planId},`));
      expect(named).to.have.length(plan.routes.length);
      const eventTypes = await typesOf(`plan-${planId}`);
      for (const once of ['PlanRequested', 'PlanSolved', 'PlanCommitStarted', 'PlanCommitted'])
        expect(
          eventTypes.filter((type) => type === once),
          once,
        ).to.have.length(1);
    }

    for (const [at, moment] of MOMENTS.entries())
      for (let round = 1; round <= rounds; round++)
        it(`leaves one plan and one commit: killed ${moment} (${round})`, async () => {
          const date = nextDay();
          const ids = await day.orders(ORDERS, () => ({ schedule_date: date }));
          const before = new Set(await jobsOf('route_plan'));
          const isNew = async () => (await jobsOf('route_plan')).find((id) => !before.has(id));
          const planOf = async (job: string | undefined) =>
            (await rows<{ id: number }>('select id from plans.plans where job_id = $1', [job]))[0]?.id;
          const body = {
            schedule_date: date,
            order_ids: ids,
            driver_ids: day.drivers,
            budget: { time_limit_s: 1 },
            wait_s: 25,
          };
          const { json } = await requestTwice(BUILD, body, async () => {
            if (at === 0) return sleep(Math.random() * 30);
            await until(async () => (await isNew()) !== undefined);
            if (at === 1) return;
            await until(async () => (await planOf(await isNew())) !== undefined);
            const plan = (await planOf(await isNew()))!;
            return until(async () => (await typesOf(`plan-${plan}`)).includes('PlanCommitStarted'));
          });
          const { job_id } = json.route_plan;
          const job = await waitForJob(() => read(`/jobs/${job_id}?wait_s=25`));
          expect(job, JSON.stringify(job)).to.include({ status: 'succeeded' });
          expect((await jobsOf('route_plan')).filter((id) => !before.has(id))).to.deep.equal([job_id]);
          await expectCommitted(json.route_plan.id, date, ids);
        });

    for (let round = 1; round <= rounds; round++)
      it(`leaves one commit of a plan that waited for it (${round})`, async () => {
        const date = nextDay();
        const ids = await day.orders(ORDERS, () => ({ schedule_date: date }));
        const plan = await day.plan({ schedule_date: date, order_ids: ids, auto_commit: false });
        const path = `/api/v1/route-plans/${plan.id}/commit`;
        await requestTwice(path, { wait_s: 25 }, () =>
          round % 2 === 1
            ? until(async () => (await typesOf(`plan-${plan.id}`)).includes('PlanCommitStarted'))
            : sleep(Math.random() * 60),
        );
        await until(async () => (await typesOf(`plan-${plan.id}`)).includes('PlanCommitted'));
        const again = await day.as('client_admin', `/route-plans/${plan.id}/commit`, { wait_s: 25 });
        expect(again.json.route_plan.commit, again.text).to.include({ placed: ORDERS });
        await expectCommitted(plan.id, date, ids);
      });

    for (let round = 1; round <= 2 * rounds; round++)
      it(`leaves one import, and each line of it once (${round})`, async () => {
        const mark = `API-${round}-`;
        const lines = Array.from({ length: LINES }, (_, n) => `${mark}${n},Ada ${n},Weg ${n},Berlin,DE`);
        const csv = ['order_ref,delivery.name,delivery.street,delivery.city,delivery.country', ...lines].join('\n');
        const before = new Set(await jobsOf('orders_import'));
        const queued = async () => (await jobsOf('orders_import')).some((id) => !before.has(id));
        const made = async () => {
          const [counted] = await rows<{ refs: number; orders: number }>(
            'select count(distinct order_ref)::int as refs, count(*)::int as orders from orders.orders where order_ref like $1',
            [`${mark}%`],
          );
          return counted!;
        };
        const { json } = await requestTwice('/api/v1/orders/import', { csv }, async () => {
          if (round % 2 === 0) return sleep(Math.random() * 120);
          await until(queued);
          return until(async () => (await made()).orders > 0);
        });
        const job = await waitForJob(() => read(`/jobs/${json.job_id}?wait_s=25`));
        expect(job, JSON.stringify(job)).to.include({ status: 'succeeded' });
        expect(job.result).to.deep.include({ total: LINES, created: LINES, failed: 0 });
        expect((await jobsOf('orders_import')).filter((id) => !before.has(id))).to.deep.equal([json.job_id]);
        expect(await made()).to.deep.equal({ refs: LINES, orders: LINES });
      });
  });
