/** The feed of a job: its messages, over cut connections and several processes, and its readers. */
import { expect } from 'chai';
import { openStream, type Stream } from '../../support/clients/sse.js';
import { asUsers, signIns, type AsUsers, type UserName } from '../../support/worlds/users.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { atDepth } from '../../support/depth.js';

const HEADER = 'order_ref,delivery.name,delivery.street,delivery.city,delivery.country';

interface JobEvent {
  readonly cursor: string;
  readonly type: 'status' | 'progress';
  readonly status?: string;
  readonly progress?: number;
  readonly step?: string;
}

describe('feed of a job', () => {
  let t: TestService;
  let as: AsUsers;
  let tokenOf: (user: UserName) => Promise<string>;
  const others: TestService[] = [];
  const open: Stream[] = [];
  let tries = 0;
  before(async () => {
    // No worker runs until a test starts one in another process.
    t = await startTestService({
      env: { ROLES: 'api,projector', RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' },
    });
    as = asUsers(t);
    tokenOf = signIns(t);
  });
  afterEach(async () => {
    open.splice(0).forEach((stream) => stream.close());
    for (const other of others.splice(0)) await other.stop();
  });
  after(() => t.stop());

  async function work(): Promise<TestService> {
    const env = { ROLES: 'worker', WORKER_SLOTS: '1' };
    const worker = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env });
    others.push(worker);
    return worker;
  }
  async function imported(lines: number): Promise<string> {
    tries += 1;
    const rows = Array.from({ length: lines }, (_, n) => `FEED-${tries}-${n},Ada,Weg ${n},Berlin,DE`);
    const { json, text } = await as('client_admin', '/orders/import', { csv: [HEADER, ...rows].join('\n') });
    expect(json.job_id, text).to.be.a('string');
    return json.job_id as string;
  }
  async function ended(id: string): Promise<void> {
    while ((await as('client_admin', `/jobs/${id}?wait_s=25`)).json.job.finished_at === null);
  }
  async function follow(id: string, { by = t, after }: { by?: TestService; after?: string } = {}): Promise<Stream> {
    const stream = await openStream(`${by.url}/api/v1/jobs/${id}/events`, {
      authorization: `Bearer ${await tokenOf('client_admin')}`,
      ...(after !== undefined && { 'last-event-id': after }),
    });
    open.push(stream);
    expect(stream.status).to.equal(200);
    const hello = await stream.next();
    expect(hello).to.include({ event: 'hello', id: after ?? '0' });
    return stream;
  }
  /** The next message; undefined at the end. */
  async function one(stream: Stream): Promise<JobEvent | undefined> {
    const message = await stream.next();
    if (message) expect([message.event, message.id]).to.deep.equal([message.data.type, message.data.cursor]);
    return message?.data as JobEvent | undefined;
  }
  async function rest(stream: Stream): Promise<JobEvent[]> {
    const jobEvents: JobEvent[] = [];
    for (let next = await one(stream); next; next = await one(stream)) jobEvents.push(next);
    return jobEvents;
  }
  const statusesOf = (jobEvents: readonly JobEvent[]) =>
    jobEvents.flatMap(({ status }) => (status === undefined ? [] : [status]));
  /** No message is repeated or out of order, and progress never decreases. */
  function expectInOrder(jobEvents: readonly JobEvent[]): void {
    const cursors = jobEvents.map(({ cursor }) => Number(cursor));
    expect(cursors).to.deep.equal([...new Set(cursors)].sort((a, b) => a - b));
    const progress = jobEvents.flatMap((one) => (one.progress === undefined ? [] : [one.progress]));
    expect(progress).to.deep.equal([...progress].sort((a, b) => a - b));
  }

  it('sends each state and the progress in order, from a worker in another process, and ends after the last state', async () => {
    const id = await imported(1_000);
    const stream = await follow(id);
    expect(await one(stream)).to.deep.equal({ cursor: '1', type: 'status', status: 'queued' });
    await work();
    const jobEvents = await rest(stream);
    expect(statusesOf(jobEvents)).to.deep.equal(['running', 'succeeded']);
    expectInOrder(jobEvents);
    const onTheWay = jobEvents.filter(({ progress }) => progress !== undefined && progress < 1);
    expect(onTheWay, JSON.stringify(jobEvents)).to.not.be.empty;
    expect(onTheWay[0]).to.include({ type: 'progress', step: 'placing' });
    const [whole, last] = jobEvents.slice(-2);
    expect(whole).to.include({ progress: 1 });
    expect(last).to.include({ status: 'succeeded' });
  });

  it('sends the same over GraphQL, and a late reader gets every earlier state', async () => {
    const id = await imported(3);
    const query = `subscription { jobEvents(jobId: "${id}") { cursor type status progress step } }`;
    const headers = { authorization: `Bearer ${await tokenOf('client_admin')}` };
    const stream = await openStream(`${t.url}/api/graphql`, headers, { query });
    open.push(stream);
    const first = await stream.next();
    expect(first!.data.data.jobEvents).to.include({ cursor: '1', status: 'queued', progress: null });
    await work();
    const heard: JobEvent[] = [first!.data.data.jobEvents];
    for (let next = await stream.next(); next?.event === 'next'; next = await stream.next())
      heard.push(next.data.data.jobEvents);
    expect(statusesOf(heard.filter(({ type }) => type === 'status'))).to.deep.equal(['queued', 'running', 'succeeded']);
    const late = await rest(await follow(id));
    expect(late.map(({ type, status, progress }) => [type, status ?? progress])).to.deep.equal([
      ['status', 'queued'],
      ['status', 'running'],
      ['progress', 1],
      ['status', 'succeeded'],
    ]);
    const without = ({ status = null, progress = null, step = null, ...more }: Record<string, unknown>) => {
      return { ...more, status, progress, step };
    };
    const heardOf = new Map(heard.map((one) => [one.cursor, one]));
    expect(late.map((one) => heardOf.get(one.cursor))).to.deep.equal(late.map((one) => without({ ...one })));
    expect(await rest(await follow(id, { after: late.at(-1)!.cursor })), 'nothing is left to tell').to.deep.equal([]);
  });

  it('live 1: continues with Last-Event-ID without a gap or a repeat, at either of two processes, also if workers change', async () => {
    const other = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env: { ROLES: 'api' } });
    others.push(other);
    const id = await imported(atDepth(2_000, 600));
    const first = await work();
    const jobEvents: JobEvent[] = [];
    let isFirst = true;
    for (let cuts = 0; jobEvents.at(-1)?.status !== 'succeeded'; cuts++) {
      const after = jobEvents.at(-1)?.cursor;
      const stream = await follow(id, { by: cuts % 2 ? other : t, ...(after !== undefined && { after }) });
      const next = await one(stream);
      expect(next, 'it ends after the last state alone').to.be.an('object');
      jobEvents.push(next!);
      stream.close();
      if (!isFirst || !(next!.progress! > 0)) continue;
      // The job goes back to the queue, and the next worker continues.
      isFirst = false;
      await first.stop();
      others.splice(others.indexOf(first), 1);
      await work();
    }
    expect(statusesOf(jobEvents)).to.deep.equal(['queued', 'running', 'queued', 'running', 'succeeded']);
    expectInOrder(jobEvents);
    expect(jobEvents.at(-2)).to.include({ progress: 1 });
    const states = (all: readonly JobEvent[]) => all.filter(({ type }) => type === 'status');
    expect(states(await rest(await follow(id))), 'over one connection').to.deep.equal(states(jobEvents));
  });

  it('restarts after a cursor that the job has not reached, and rejects an invalid cursor', async () => {
    const id = await imported(1);
    const path = `/jobs/${id}/events`;
    const accept = 'text/event-stream';
    const key = await tokenOf('client_admin');
    const stream = await openStream(`${t.url}/api/v1${path}?after=999`, { authorization: `Bearer ${key}` });
    open.push(stream);
    expect((await stream.next())!.data.cursor).to.equal('0');
    expect(await one(stream)).to.include({ status: 'queued' });
    const wrong = await t.api(`${path}?after=x`, { key, headers: { accept } });
    expect([wrong.status, wrong.json.code]).to.deep.equal([400, 'INVALID_INPUT']);
    expect((await t.api(path, { key, headers: { accept: 'application/json' } })).status).to.equal(406);
  });

  it('jobs 6: of other businesses does not exist, for any caller and scope', async () => {
    const id = await imported(1);
    const narrow = await as('client_admin', '/api-keys', { name: 'narrow', scopes: ['datasets:read'] });
    const keys = [narrow.json.secret as string];
    for (const user of ['other_client_admin', 'broker', 'driver', 'customer'] as const) keys.push(await tokenOf(user));
    for (const key of keys) {
      const headers = { authorization: `Bearer ${key}` };
      const refused = await openStream(`${t.url}/api/v1/jobs/${id}/events`, headers);
      open.push(refused);
      expect(refused.status).to.equal(404);
      const query = `subscription { jobEvents(jobId: "${id}") { cursor } }`;
      const stream = await openStream(`${t.url}/api/graphql`, headers, { query });
      open.push(stream);
      expect((await stream.next())!.data.errors?.[0].extensions.code).to.equal('JOB_NOT_FOUND');
    }
    for (const user of ['auditor', 'employee'] as const) {
      const stream = await openStream(`${t.url}/api/v1/jobs/${id}/events`, {
        authorization: `Bearer ${await tokenOf(user)}`,
      });
      open.push(stream);
      expect(stream.status, user).to.equal(200);
    }
  });

  it('live 2: ends when its token is revoked, and sends nothing after that', async () => {
    const id = await imported(1);
    const { email, password } = t.demo.users.employee;
    const { json } = await t.api('/user/login', { body: { email, password } });
    const stream = await openStream(`${t.url}/api/v1/jobs/${id}/events`, {
      authorization: `Bearer ${json.access_token}`,
    });
    open.push(stream);
    await stream.next();
    expect(await one(stream)).to.include({ status: 'queued' });
    const out = await t.api('/user/logout', { key: json.access_token, method: 'POST' });
    expect(out.status, out.text).to.equal(200);
    // Nothing happens to the job in the meantime.
    expect(await stream.next()).to.deep.equal({ event: 'end', data: { reason: 'forbidden' } });
    await work();
    await ended(id);
    expect(await stream.next()).to.equal(undefined);
  });
});
