/** Jobs and the persons in their data: the erasure of a person ends such jobs, whichever worker runs them (jobs R8). */
import { expect } from 'chai';
import { jobKind, type JobHandle } from '../../../src/api/areas/jobs/kind.js';
import { startJobWorker, type JobWorker } from '../../../src/api/areas/jobs/worker.js';
import { jobs as decider } from '../../../src/commands/jobs/decider.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createJobArtifacts } from '../../../src/engines/postgres/job-artifacts.js';
import { createJobStore } from '../../../src/engines/postgres/jobs.js';
import { accountSubject } from '../../../src/events/accounts/events.js';
import { jobStream } from '../../../src/events/jobs/events.js';
import { openTables } from '../../support/worlds/tables.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const HEADER = 'order_ref,customer_id,delivery.name,delivery.street,delivery.city,delivery.country';

describe('jobs and erasure', () => {
  let t: TestService;
  let d: ReturnType<typeof openTables>;
  let worker: JobWorker | undefined;
  before(async () => {
    // No worker runs until a test starts one.
    t = await startTestService({ env: { ROLES: 'api,projector', RATE_LIMIT_WRITE: '100000' } });
    d = openTables(t);
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });
  after(() => t.stop());

  const rows = async (text: string, values: unknown[] = []) =>
    (await t.service.engines.pool.query(text, values)).rows as Record<string, unknown>[];
  const stores = () => {
    const { pool, jobVault, limits } = t.service.engines;
    return { store: createJobStore(pool, jobVault, limits), artifacts: createJobArtifacts(pool, jobVault) };
  };
  /** A worker of this test, with a kind of job that runs the given function. */
  function work(name: string, run: (job: JobHandle) => Promise<unknown>): void {
    const { log, keyRing } = t.service.engines;
    const read = 'datasets:read' as const;
    worker = startJobWorker({
      ...stores(),
      handle: createHandler({ decider, log, keyRing, types: EVENT_TYPES, now: t.now }),
      jobMetrics: { ended: () => {}, leaseLost: () => {} },
      kinds: [
        jobKind<unknown>({
          name,
          scopes: { read, write: read },
          stoppable: false,
          run: async (_work, job) => (await run(job), {}),
        }),
      ],
      slots: 1,
      onError: () => {},
    });
  }
  async function erase(subject: string): Promise<void> {
    const { status, text } = await d.as('client_admin', `/privacy/subjects/${subject}/erase`, {}, 'POST');
    expect(status, text).to.equal(200);
  }
  async function customer(name: string): Promise<number> {
    const body = { email: `${name}@example.org`, name, password: 'correct horse battery', role: 'customer' };
    const { json, text } = await d.as('client_admin', '/users', body);
    expect(json.user.id, text).to.be.a('number');
    return json.user.id as number;
  }
  const finished = async (id: string) =>
    ((await t.service.engines.log.readMany([jobStream(id)])).get(jobStream(id)) ?? []).map(({ data }) => data);

  /** An export of one person's record that is requested and not started. */
  async function startExport(): Promise<{ job: string; person: string }> {
    const dataset = await d.make([{ code: 'name', name: 'Name', type: 'text', personal: true }]);
    const put = await d.as(
      'employee',
      `/datasets/${dataset}/records/batch`,
      { records: [{ values: { name: 'SECRET-row' } }] },
      'POST',
    );
    expect(put.status, put.text).to.equal(200);
    const exported = await d.as('employee', `/datasets/${dataset}/export`, {});
    expect(exported.status, exported.text).to.equal(202);
    const [record] = await rows('select uuid from records.records where dataset_id = $1', [dataset]);
    return { job: exported.json.job.id as string, person: `record-${record!['uuid'] as string}` };
  }

  it('a file with an erased person is never stored, and its job ends', async () => {
    const { job, person } = await startExport();
    let [signalStart, resume] = [(): void => {}, (): void => {}];
    const running = new Promise<void>((resolve) => (signalStart = resolve));
    const erased = new Promise<void>((resolve) => (resume = resolve));
    work('export', async ({ artifacts }) => {
      signalStart();
      await erased;
      await artifacts.put('records.csv', 'text/csv', Buffer.from('SECRET-row'), [person]);
    });
    await running;
    await erase(person);
    resume();
    const ended = await d.ended(job);
    expect(ended.status, JSON.stringify(ended)).to.equal('cancelled');
    expect(ended.error.code).to.equal('SUBJECT_ERASED');
    expect((await d.artifact(job, 'records.csv')).status).to.equal(404);
    expect(await rows('select from access.job_artifacts where job = $1', [job])).to.deep.equal([]);
    expect((await finished(job)).map(({ state, code }) => [state, code])).to.deep.equal([
      ['cancelled', 'SUBJECT_ERASED'],
    ]);
  });

  it('a stored file is gone with the key, and its running job is stopped', async () => {
    const { job, person } = await startExport();
    let put = (): void => {};
    const there = new Promise<void>((resolve) => (put = resolve));
    work('export', async ({ artifacts, cancelled }) => {
      await artifacts.put('mark.json', 'application/json', Buffer.from('SECRET-row'), [person]);
      put();
      await new Promise((_, reject) => cancelled.addEventListener('abort', () => reject(cancelled.reason as Error)));
    });
    await there;
    await erase(person);
    const ended = await d.ended(job);
    expect([ended.status, ended.error?.code]).to.deep.equal(['cancelled', 'SUBJECT_ERASED']);
    expect(await rows('select from access.job_artifacts where job = $1', [job])).to.deep.equal([]);
  });

  it('an export does not include earlier erased persons', async () => {
    const { job, person } = await startExport();
    await erase(person);
    const service = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env: { ROLES: 'worker' } });
    try {
      expect(await d.ended(job)).to.deep.include({ status: 'succeeded', result: { rows: 1 } });
      expect((await d.artifact(job, 'records.csv')).text).to.not.contain('SECRET');
    } finally {
      await service.stop();
    }
  });

  it('a waiting import with an erased customer is cancelled without a worker', async () => {
    const id = await customer('queued');
    const csv = `${HEADER}\nERASED-1,${id},SECRET-line,Weg 1,Berlin,DE`;
    const { json, text } = await d.as('client_admin', '/orders/import', { csv });
    expect(json.job_id, text).to.be.a('string');
    await erase(accountSubject(id));
    const { job } = (await d.as('client_admin', `/jobs/${json.job_id}`)).json;
    expect([job.status, job.error?.code, job.attempt]).to.deep.equal(['cancelled', 'SUBJECT_ERASED', 0]);
    expect(await rows('select work from access.jobs where id = $1', [json.job_id])).to.deep.equal([{ work: null }]);
    expect((await d.as('client_admin', '/orders?order_ref=ERASED-1')).json.total).to.equal(0);
  });

  it('a waiting batch with an erased customer is not placed', async () => {
    const id = await customer('batched');
    const order = {
      type: 'D',
      order_ref: 'ERASED-2',
      customer_id: id,
      delivery: { name: 'SECRET-batch', city: 'Berlin' },
    };
    const { json, text } = await d.as('client_admin', '/client/batchOrderCreateAsync', { orders: [{}] });
    expect(json.async_id, text).to.be.a('string');
    const batch = json.async_id as string;
    await untilDone(batch);
    // The state while another worker has the batch and is about to die.
    const { batchVault } = t.service.engines;
    const demo = t.demo.users.client_admin.id;
    const [{ business } = {}] = await rows('select business from access.order_batches where id = $1', [batch]);
    const cause = {
      correlationId: batch,
      actor: { kind: 'user', id: String(demo) },
      channel: 'rest',
      business: String(business),
    };
    const placer = { business, userId: demo, today: '2030-01-01', isCustomer: false };
    const queued = { placer, cause, stopOnError: false, orders: [{ id: 900_001, order }] };
    await rows(
      `update access.order_batches set work = $2, results = '[]', total = 1, finished_at = null, subjects = $3, worker = $1, busy_until = now() + interval '1 hour' where id = $1`,
      [batch, batchVault.seal(Buffer.from(JSON.stringify(queued)), batch), [accountSubject(id)]],
    );
    await erase(accountSubject(id));
    expect(await rows('select work from access.order_batches where id = $1', [batch])).to.deep.equal([{ work: null }]);
    await rows('update access.order_batches set busy_until = now() where id = $1', [batch]);
    const done = await untilDone(batch);
    expect(done.results.map(({ code }: { code: string }) => code)).to.deep.equal(['SUBJECT_ERASED']);
    expect((await d.as('client_admin', '/orders?order_ref=ERASED-2')).json.total).to.equal(0);
  });

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function untilDone(batch: string): Promise<any> {
    for (;;) {
      const { json } = await d.as('client_admin', `/client/async/${batch}`);
      if (json.status === 'done') return json;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('orders for an erased customer are rejected', async () => {
    const id = await customer('gone');
    await erase(accountSubject(id));
    const body = {
      type: 'D',
      customer_id: id,
      delivery: { name: 'SECRET', street: 'Weg 1', city: 'Berlin', country: 'DE' },
      packages: [{ weight_kg: 1 }],
    };
    const { status, json } = await d.as('client_admin', '/client/orderCreate', body);
    expect([status, json.errors?.[0]?.code]).to.deep.equal([400, 'UNKNOWN_CUSTOMER']);
  });

  it('a worker without its lease stores no file and records no end', async () => {
    const { job } = await startExport();
    const { store, artifacts } = stores();
    const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    for (let claimed; claimed?.id !== job;) claimed = await store.claim(first);
    await rows('update access.jobs set lease_until = now() where id = $1', [job]);
    for (let claimed; claimed?.id !== job;) claimed = await store.claim(second);
    const file = { name: 'problem.json', mediaType: 'application/json', content: Buffer.from('{}'), subjects: [] };
    expect(await artifacts.put({ job, worker: first }, file)).to.equal('lost');
    expect(await store.decide(job, first, { state: 'succeeded', result: {} })).to.equal(false);
    expect(await store.end(job, first)).to.equal(false);
    expect(await artifacts.put({ job, worker: second }, file)).to.equal('kept');
    // After the decision, no other end can be recorded.
    expect(await store.decide(job, second, { state: 'succeeded', result: {} })).to.equal(true);
    expect(await store.decide(job, second, { state: 'cancelled' })).to.equal(false);
    expect(await artifacts.put({ job, worker: second }, file)).to.equal('lost');
    expect(await store.end(job, second)).to.equal(true);
    expect((await store.byId(job))!.state).to.equal('succeeded');
  });
});
