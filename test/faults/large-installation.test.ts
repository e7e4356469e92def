/**
 * A large installation: 100,000 orders, 4,000 erased orders and 1,000 decided proposals. The service starts on it, and a
 * small business's orders follow their scans while a large business pushes 100,000 scans.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Readiness } from '../../src/api/core/health.js';
import type { Demo } from '../../src/compose/demo/demo.js';
import { openEngines } from '../../src/engines/open.js';
import { call, type CallOptions } from '../support/clients/http.js';
import { atDepth, isFullDepth } from '../support/depth.js';
import { eventually } from '../support/eventually.js';
import { Figures } from '../support/figures.js';
import { recently, timelineOf } from '../support/inputs/pushes.js';
import { startScanPush } from '../support/processes/scan-push.js';
import { endServiceProcesses, startServiceProcess, type ServiceProcess } from '../support/processes/service-process.js';
import { FEW_CONNECTIONS, freshDatabase, query, type FreshDatabase } from '../support/worlds/database.js';
import {
  buildInstallation,
  installedNumber,
  installedRecipient,
  type Installation,
} from '../support/worlds/large-installation.js';
import { MASTER_KEY, seedDatabase } from '../support/worlds/service.js';
import { businessIds } from '../support/worlds/shipments.js';
import { signIns, type UserName } from '../support/worlds/users.js';

const SIZES = { orders: atDepth(100_000, 1_000), erased: atDepth(4_000, 40), proposals: atDepth(1_000, 20) };
const SCANS = atDepth(100_000, 2_000);
/** The policy begins after this many scans of the large business, and the first scan of the small one. */
const QUEUED_BEFORE = SCANS * 0.4;
/** Orders of the small business. Each order gets one scan. */
const SMALL = 20;
const FIRST_SMALL_ORDER = 5_000_000;
/** A follower with a longer lag is a warning of the readiness, in seconds. */
const LONG_LAG_S = 30;
/** For all waits for a whole installation or backlog, in milliseconds. At full depth it takes ten minutes on an idle machine. */
const LONG_WAIT = { limit: atDepth(6_000_000, 570_000), every: 100 };
const POLICY = 'order_policy';
const NO_RESPONSE = 'The database or the event log does not respond';

describe('a large installation', function () {
  if (isFullDepth) this.timeout(0);
  let dataDir: string;
  let database: FreshDatabase;
  let demo: Demo;
  let large: Installation & { readonly business: number };
  let small: Installation & { readonly business: number };
  let service: ServiceProcess;
  let tokenOf: (user: UserName) => Promise<string>;
  const figures = new Figures();
  const since = (started: number): number => (performance.now() - started) / 1_000;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'transport-large-'));
    database = await freshDatabase();
    demo = await seedDatabase(database.url);
    tokenOf = signIns({ api, demo, now: Date.now });
    const engines = await openEngines({
      databaseUrl: database.url,
      databaseConnections: Number(FEW_CONNECTIONS.DATABASE_CONNECTIONS),
      dataDir,
      eventStoreUrl: undefined,
      masterKey: Buffer.from(MASTER_KEY, 'hex'),
    });
    try {
      const ids = await businessIds({ engines });
      const writers = [demo.provider.id];
      const started = performance.now();
      const { client_admin, other_client_admin } = demo.users;
      large = {
        business: ids.demo,
        ...(await buildInstallation(engines, { ...SIZES, business: ids.demo, user: client_admin.id, writers })),
      };
      figures.add({ name: `${sizesText()}: built`, value: since(started), unit: 's' });
      small = {
        business: ids.other,
        ...(await buildInstallation(engines, {
          orders: SMALL,
          erased: 0,
          proposals: 0,
          business: ids.other,
          user: other_client_admin.id,
          writers,
          firstOrder: FIRST_SMALL_ORDER,
        })),
      };
    } finally {
      await engines.close();
    }
  });
  after(async () => {
    figures.print();
    await endServiceProcesses();
    await rm(dataDir, { recursive: true, force: true });
    await database?.drop();
  });

  const sizesText = () => `${SIZES.orders} orders, ${SIZES.erased} erased orders, ${SIZES.proposals} decided proposals`;
  const rows = <T extends object>(text: string, values: unknown[] = []) =>
    query(database.url, text, values) as Promise<T[]>;
  const countOf = async (from: string, values: unknown[] = []) =>
    (await rows<{ n: number }>(`select count(*)::int as n from ${from}`, values))[0]!.n;
  const api = (path: string, options?: CallOptions) => call(`${service.url}/api/v1${path}`, options);
  const as = async (user: UserName, path: string) => api(path, { key: await tokenOf(user) });
  const readiness = async () => {
    const response = await fetch(`${service.url}/health/ready`);
    return { status: response.status, body: (await response.json()) as Readiness };
  };
  const metric = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  const memory = async (name: string) => {
    const value = metric(await metrics(), 'process_resident_memory_bytes') / 2 ** 20;
    figures.add({ name, value, unit: 'MB' });
  };
  /** Versions of the destroyed keys: a key that is destroyed again has another one. */
  const destroyedKeys = async () =>
    rows<{ n: number; versions: string }>(
      `select count(*)::int as n, md5(string_agg(xmin::text, ',' order by subject)) as versions
         from vault.subject_keys where destroyed_at is not null`,
    );

  async function start(name: string): Promise<void> {
    const started = performance.now();
    service = await startServiceProcess({ dataDir, databaseUrl: database.url });
    figures.add({ name: `${name}: answers`, value: since(started), unit: 's' });
    await eventually(async () => (await readiness()).status === 200, 'a service that is ready', LONG_WAIT);
    figures.add({ name: `${name}: ready`, value: since(started), unit: 's' });
  }

  it('starts, and its read models contain every order, erasure and proposal', async () => {
    const started = performance.now();
    await start('first start');
    await eventually(
      async () => {
        const { projections } = (await readiness()).body;
        return projections.length > 0 && projections.every(({ caught_up }) => caught_up);
      },
      'read models that contain the whole log',
      LONG_WAIT,
    );
    figures.add({ name: 'first start: all read models contain the log', value: since(started), unit: 's' });
    // Autovacuum does this within minutes; test servers run without it.
    await rows('analyze');
    await memory('memory after the first start');
    const ids = [large.orders[0], large.orders.at(-1)];
    expect(await countOf('orders.orders where id between $1 and $2', ids)).to.equal(SIZES.orders);
    expect(await countOf('erasures.erasures where finished_at is not null')).to.equal(SIZES.erased);
    expect(await countOf("approvals.proposals where status not in ('pending', 'approved')")).to.equal(SIZES.proposals);
    expect(await countOf('projections.quarantine')).to.equal(0);
  });

  it('reads show no personal data of an erased order, and all data of another one', async () => {
    const erased = [...large.erased];
    const other = large.orders.findLast((id) => !large.erased.has(id))!;
    for (const id of [erased[0]!, erased.at(-1)!, other]) {
      const { status, json, text } = await as('client_admin', `/orders/${id}`);
      expect(status, text).to.equal(200);
      expect(json.order.delivery.city).to.be.a('string');
      expect(json.order.delivery.name ?? null).to.equal(id === other ? installedRecipient(id) : null);
      expect(json.order.note ?? null).to.equal(id === other ? `note ${id}` : null);
      const timeline = await as('client_admin', `/otep/trackings/${installedNumber(id)}`);
      expect(timeline.json.events, timeline.text).to.have.length(1);
    }
  });

  it('a decided proposal is readable, without its arguments if its order was erased', async () => {
    for (const status of ['executed', 'rejected', 'failed', 'expired'])
      for (const isErased of [true, false]) {
        const { id, order } = large.proposals.find(
          (one) => one.status === status && large.erased.has(one.order) === isErased,
        )!;
        const { json, text } = await as('client_admin', `/proposals/${id}`);
        expect(json.proposal?.status, text).to.equal(status);
        const { note = null } = (json.proposal.arguments ?? {}) as { readonly note?: string };
        expect(note).to.equal(isErased ? null : `proposed for ${order}`);
      }
    for (const [status, count] of [
      ['all', SIZES.proposals],
      ['pending', 0],
    ])
      expect((await as('client_admin', `/proposals?per_page=1&status=${status}`)).json.total).to.equal(count);
  });

  it('starts again without destroying a key again, while another process holds the lease of the policy', async () => {
    expect(await service.end('SIGTERM')).to.equal(0);
    const before = await destroyedKeys();
    expect(before[0]!.n).to.be.at.least(SIZES.erased * 2);
    await rows(
      `update projections.checkpoints set owner = $1, lease_until = now() + interval '1 hour' where name = $2`,
      [randomUUID(), POLICY],
    );
    await start('second start');
    expect(await destroyedKeys()).to.deep.equal(before);
  });

  const queuedOf = (business: number) => countOf('order_policy.pending where business = $1', [business]);
  const samples: { readonly status: number; readonly lag: number; readonly warned: boolean }[] = [];
  /** The state of the readiness and the metrics during the backlog. */
  async function sample(): Promise<void> {
    const [{ status, body }, text] = await Promise.all([readiness(), metrics()]);
    const lag = body.projections.find(({ name }) => name === POLICY)?.lag_s;
    const warned = body.warnings.some((line) => line.startsWith(`The follower ${POLICY} is `));
    const reported = metric(text, `follower_lag_seconds\\{follower="${POLICY}"\\}`);
    // On a busy machine, the database may need longer than the readiness waits. A backlog is no reason.
    const [problem, ...others] = body.problems;
    expect([problem ?? NO_RESPONSE, ...others].join()).to.include(NO_RESPONSE);
    expect(others).to.deep.equal([]);
    expect(status).to.equal(problem === undefined ? 200 : 503);
    // The lag is absent if it was not found in time.
    if (lag !== undefined) expect(warned, `warning at a lag of ${lag} s`).to.equal(lag > LONG_LAG_S);
    samples.push({ status, lag: reported, warned });
  }

  it("a small business's orders follow their scans before the backlog of the large one", async () => {
    const numbers = large.orders.map(installedNumber);
    const push = startScanPush({ url: service.url, key: demo.provider.key, numbers, scans: SCANS });
    await eventually(() => push.acknowledged() >= QUEUED_BEFORE, 'the begin of the backlog', LONG_WAIT);
    for (const [index, order] of small.orders.entries()) {
      const timelines = [timelineOf(installedNumber(order), [recently('picked_up', 1)])];
      const { json, text } = await api('/otep/ingest', { key: demo.provider.key, body: { timelines } });
      expect(json.accepted, text).to.equal(1);
      if (index === 0)
        await rows('update projections.checkpoints set owner = null, lease_until = null where name = $1', [POLICY]);
      await eventually(
        async () => {
          await sample();
          return (await as('other_client_admin', `/orders/${order}`)).json.order.status !== 'NEW_ORDER';
        },
        `the order ${order} follows`,
        LONG_WAIT,
      );
      if (index === 0) expect(await queuedOf(large.business), 'queued events of the large business').to.be.above(0);
    }
    await push.done;
  });

  it('all orders of the large business follow in the end, and the service stays ready', async () => {
    await eventually(
      async () => {
        await sample();
        return (await queuedOf(large.business)) === 0 && samples.at(-1)!.lag === 0;
      },
      'an empty queue',
      LONG_WAIT,
    );
    const [first, ...others] = await followed(small.business);
    const backlog = await followed(large.business);
    expect(backlog).to.have.length(SCANS);
    expect(others).to.have.length(SMALL - 1);
    const earlier = backlog.filter(({ scanned }) => scanned < first!.scanned);
    const overtaken = earlier.filter((one) => one.followed > first!.followed);
    expect(earlier.length).to.be.at.least(QUEUED_BEFORE);
    expect(overtaken.length, 'scans that were older, and followed later').to.be.above(QUEUED_BEFORE / 4);
    figures.addLine(`${overtaken.length} of ${earlier.length} older scans were followed after the small business's`);
    for (const [name, list] of [
      ['small business', others],
      [`large business, ${SCANS} scans`, backlog],
    ] as const) {
      const lags = list.map(({ lag }) => lag).sort((a, b) => a - b);
      const at = (share: number) => lags[Math.floor((lags.length - 1) * share)]!;
      figures.add({ name: `${name}: scan to order, median`, value: at(0.5), unit: 'ms' });
      figures.add({ name: `${name}: scan to order, maximum`, value: at(1), unit: 'ms' });
    }
    const ready = samples.filter(({ status }) => status === 200);
    expect(ready).to.not.be.empty;
    const reported = Math.max(...samples.map(({ lag }) => lag).filter((lag) => !Number.isNaN(lag)));
    figures.add({ name: 'follower_lag_seconds of the policy, maximum', value: reported, unit: 's' });
    figures.addLine(
      `/health/ready: status 200 in ${ready.length} of ${samples.length} samples, ${samples.filter(({ warned }) => warned).length} with a warning about the policy`,
    );
    await memory('memory after the backlog');
  });

  /** The carrier's scans of a business in the order of the log, with the order's first event that follows from each. */
  const followed = (business: number) =>
    rows<{ readonly scanned: number; readonly followed: number; readonly lag: number }>(
      `with follows as materialized (
         select metadata ->> '$causationId' as cause, min(position)::float8 as position,
                min(metadata ->> 'recorded_at')::timestamptz as at
           from log.events where stream like 'order-%' and metadata ->> '$causationId' is not null group by 1)
       select s.position::float8 as scanned, f.position as followed,
              extract(epoch from f.at - (s.metadata ->> 'recorded_at')::timestamptz)::float8 * 1000 as lag
         from log.events s join follows f on f.cause = s.id::text
         join orders.packages p on 'tracking-' || p.tracking = s.stream join orders.orders o on o.id = p.order_id
        where s.type = 'TrackingEventRecorded' and s.data ->> 'provider' = $2 and o.business = $1
        order by s.position`,
      [business, demo.provider.id],
    );
});
