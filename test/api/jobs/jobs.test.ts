/** Jobs as their requesters see them: progress, order in the queue, and ownership. */
import { expect } from 'chai';
import { asUsers, type AsUsers, type UserName } from '../../support/worlds/users.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { atDepth } from '../../support/depth.js';

const HEADER = 'order_ref,delivery.name,delivery.street,delivery.city,delivery.country';
/** Many times more than a worker starts at a time. */
const MANY = atDepth(150, 40);

describe('jobs', () => {
  let t: TestService;
  let as: AsUsers;
  let worker: TestService | undefined;
  /** An import skips orders that exist, so each attempt has different references. */
  let tries = 0;
  beforeEach(() => void (tries += 1));
  before(async () => {
    // No worker runs until a test starts one.
    t = await startTestService({
      env: { ROLES: 'api,projector', RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' },
    });
    as = asUsers(t);
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });
  after(() => t.stop());

  const work = async (slots: number) => {
    const env = { ROLES: 'worker', WORKER_SLOTS: String(slots) };
    worker = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env });
  };
  async function imported(ref: string, lines: number, user: UserName = 'client_admin'): Promise<string> {
    const rows = Array.from({ length: lines }, (_, n) => `${ref}-${n},Ada,Weg ${n},Berlin,DE`);
    const { json, text } = await as(user, '/orders/import', { csv: [HEADER, ...rows].join('\n') });
    expect(json.job_id, text).to.be.a('string');
    return json.job_id as string;
  }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const read = async (id: string, wait = 0, user: UserName = 'client_admin'): Promise<any> =>
    (await as(user, `/jobs/${id}?wait_s=${wait}`)).json.job;

  /** Waits for its end, however slow the machine is. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function ended(id: string, user?: UserName): Promise<any> {
    for (;;) {
      const job = await read(id, 25, user);
      if (job.finished_at !== null) return job;
    }
  }

  it('jobs 1: are queued, run and end; progress never decreases, and waiting callers get the end', async () => {
    const id = await imported(`SEEN-${tries}`, 1_000);
    expect(await read(id)).to.include({ status: 'queued', progress: 0, attempt: 0 });
    await work(1);
    const waits = ended(id);
    const seen: { status: string; progress: number }[] = [];
    while (seen.at(-1)?.status !== 'succeeded') seen.push(await read(id));
    const progress = seen.map((job) => job.progress);
    expect(progress).to.deep.equal([...progress].sort((a, b) => a - b));
    expect(new Set(seen.map(({ status }) => status))).to.include('running');
    expect(new Set(progress).size, 'it is told on the way').to.be.at.least(3);
    expect(await waits).to.deep.include({ status: 'succeeded', progress: 1, attempt: 1 });
  });

  it(`jobs 5: one job of a business runs before the fifth of ${MANY} that another one queued earlier`, async () => {
    const many: string[] = [];
    for (let n = 0; n < MANY; n++) many.push(await imported(`MANY-${tries}-${n}`, 1));
    const one = await imported(`ONE-${tries}`, 1, 'other_client_admin');
    await work(1);
    const { finished_at } = await ended(one, 'other_client_admin');
    const ends = (await Promise.all(many.map((id) => ended(id)))).map((job) => job.finished_at as string);
    expect(ends.filter((end) => end < finished_at).length).to.be.below(5);
  });

  it('jobs 6: of another business do not exist, in any operation', async () => {
    const id = await imported('OURS', 1);
    for (const [path, body] of [
      [`/jobs/${id}`, undefined],
      [`/jobs/${id}/cancel`, {}],
      [`/jobs/${id}/artifacts/rejected.csv`, undefined],
    ] as const) {
      const { status, json } = await as('other_client_admin', path, body);
      expect([status, json.code], path).to.deep.equal([404, 'JOB_NOT_FOUND']);
    }
    const { jobs } = (await as('other_client_admin', '/jobs?per_page=200')).json;
    expect(jobs.map((job: { id: string }) => job.id)).to.not.include(id);
    expect(await read(id)).to.include({ status: 'queued' });
    const { json } = await as('client_admin', `/jobs/${id}/cancel`, {});
    expect(json.job.status, 'without a worker').to.equal('cancelled');
    expect(await read(id)).to.include({ status: 'cancelled', attempt: 0 });
    await work(1);
    expect((await as('client_admin', '/orders?order_ref=OURS-0')).json.total).to.equal(0);
  });

  it('are monitored: one that waits without a worker is reported, and each end is counted', async () => {
    const at = async (url: string, path: string) => (await fetch(`${url}${path}`)).text();
    const id = await imported(`WATCHED-${tries}`, 1);
    expect(await at(t.url, '/health/ready')).to.not.contain('stalled');
    const { pool } = t.service.engines;
    await pool.query("update access.jobs set created_at = created_at - interval '61 seconds' where id = $1", [id]);
    const readiness = JSON.parse(await at(t.url, '/health/ready')) as { ready: boolean; warnings: string[] };
    expect(readiness.ready).to.equal(true);
    expect(readiness.warnings.join()).to.contain('Jobs are stalled');
    expect(await at(t.url, '/metrics')).to.match(/^jobs\{state="queued"\} [1-9]/m);
    await work(1);
    await ended(id);
    expect(await at(t.url, '/health/ready')).to.not.contain('stalled');
    while (!(await at(worker!.url, '/metrics')).includes('job_seconds_count{kind="orders_import"} 1'));
    expect(await at(worker!.url, '/metrics')).to.contain('job_leases_lost_total 0');
  });

  it('a cancelled import reports its work, and does not count unprocessed lines as failed', async () => {
    const lines = 2_000;
    const until = async (id: string) => {
      while ((await read(id)).progress === 0);
    };
    const importedJob = await imported(`KEPT-${tries}`, lines);
    await work(1);
    await until(importedJob);
    await as('client_admin', `/jobs/${importedJob}/cancel`, { keep_result: true });
    const { result, status } = await ended(importedJob);
    expect(status).to.equal('succeeded');
    expect(result).to.deep.include({ total: lines, failed: 0, stopped: true });
    expect(result.created).to.be.within(1, lines - 1);

    const dropped = await imported(`DROPPED-${tries}`, lines);
    await until(dropped);
    await as('client_admin', `/jobs/${dropped}/cancel`, {});
    const gone = await ended(dropped);
    expect(gone.status).to.equal('cancelled');
    expect(gone.result.done).to.deep.include({ total: lines, failed: 0 });
    const { total } = (await as('client_admin', '/orders?per_page=1')).json;
    expect(total).to.be.at.least(result.created + gone.result.done.created);
  });
});
