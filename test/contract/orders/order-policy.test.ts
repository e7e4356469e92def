/** Orders follow carriers' scans fairly between businesses (scale 2), and no scan is lost by a crash. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ORDER_POLICY } from '../../../src/areas/wiring/order-followers.js';
import type { Readiness } from '../../../src/api/core/health.js';
import { ORDER_PREFIX, orderStream } from '../../../src/events/orders/events.js';
import { lagOf } from '../../../src/projections/core/lag.js';
import { createPolicyQueue, type QueuedEvent } from '../../../src/projections/orders/policy-queue.js';
import { atDepth } from '../../support/depth.js';
import { eventually, WAIT_LIMIT_MS } from '../../support/eventually.js';
import { newNumber, recently as event, timelineOf } from '../../support/inputs/pushes.js';
import { readCountsOf } from '../../support/checks/rows-read.js';
import { query } from '../../support/worlds/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { businessIds, causeOf, openTracking, sendToOrder } from '../../support/worlds/shipments.js';

const BACKLOG = atDepth(2_000, 250);
const AT_ONCE = 20;

describe('scale 2: the policy between orders and timelines', () => {
  let t: TestService;
  let demo: number;
  let other: number;
  let nextOrder = 5_000;
  before(async () => {
    t = await startTestService({ env: { ROLES: 'api' } });
    ({ demo, other } = await businessIds(t.service));
  });
  after(() => t.stop());

  const rows = <T extends object>(text: string, values: unknown[] = []) =>
    query<T>(t.databaseUrl, text, values) as Promise<T[]>;
  const pending = async () => (await rows<{ n: number }>('select count(*)::int as n from order_policy.pending'))[0]!.n;

  /** Starts a process with read models. Another process holds the lease of the policy until `resume`. */
  async function startPaused(): Promise<{ projector: TestService; resume: () => Promise<unknown> }> {
    await rows(
      `insert into projections.checkpoints (name, version, owner, lease_until) values ('order_policy', 1, $1, now() + interval '1 hour')
       on conflict (name) do update set owner = excluded.owner, lease_until = excluded.lease_until`,
      [randomUUID()],
    );
    const projector = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env: { ROLES: 'projector' } });
    const resume = () =>
      rows(`update projections.checkpoints set owner = null, lease_until = null where name = 'order_policy'`);
    return { projector, resume };
  }

  /** Creates orders whose parcels have a carrier's scan. Returns the orders' ids. */
  async function scanned(business: number, count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let at = 0; at < count; at += AT_ONCE)
      ids.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, count - at) }, async () => {
            const id = nextOrder++;
            const number = newNumber();
            const cause = causeOf(business, t.demo.users.client_admin.id);
            await openTracking(t.service, business, number, [t.demo.provider.id], cause);
            await sendToOrder(
              t.service,
              id,
              business,
              {
                do: 'create',
                order: {
                  type: 'D',
                  self_delivery: true,
                  packages: [{ tracking_number: number }],
                  time_windows: [],
                  delivery: { name: 'Ada', city: 'Berlin' },
                },
              },
              cause,
            );
            const { json, text } = await t.push(timelineOf(number, [event('picked_up', 1)]));
            expect(json.accepted, text).to.equal(1);
            return id;
          }),
        )),
      );
    return ids;
  }

  it("a small business's order follows its scan before the backlog of a large one is done", async () => {
    const { projector, resume } = await startPaused();
    const large = await scanned(demo, BACKLOG);
    const [small] = await scanned(other, 1);
    const head = await t.service.engines.log.head();
    expect(await t.service.progress.waitFor('orders', head, WAIT_LIMIT_MS)).to.equal(true);
    const lag = () =>
      lagOf(ORDER_POLICY, {
        log: t.service.engines.log,
        pool: t.service.engines.projectionPool,
        now: () => Date.now() + 90_000,
      });
    expect(await lag(), 'the lag includes events that are not read yet').to.be.above(90_000);
    await resume();
    const statuses = async (ids: readonly number[]) =>
      (await t.service.engines.log.readMany(ids.map(orderStream))).values();
    const order: number[] = [];
    await eventually(async () => {
      for (const events of await statuses([small!, ...large.filter((id) => !order.includes(id))])) {
        const id = Number(events[0]!.stream.slice(ORDER_PREFIX.length));
        if (events.length > 1 && !order.includes(id)) order.push(id);
      }
      return order.length === BACKLOG + 1;
    }, 'all orders follow');
    const log = await rows<{ stream: string; position: string }>(
      `select stream, max(position) as position from log.events where stream = any ($1) group by 1 order by 2`,
      [[...large, small!].map(orderStream)],
    );
    const place = log.findIndex(({ stream }) => stream === orderStream(small!));
    expect(log).to.have.length(BACKLOG + 1);
    expect(place, 'place of the small business among all').to.be.below(BACKLOG * 0.8);
    await eventually(async () => (await pending()) === 0, 'an empty queue');
    // Orders also follow their own new events, which may still be unread.
    await eventually(async () => (await lag()) === 0, 'no lag');
    await projector.stop();
  });

  it('a long lag is in the metrics, and in the readiness as a warning with the status 200', async () => {
    const { projector, resume } = await startPaused();
    await rows(
      `insert into order_policy.pending (stream, revision, position, order_id, business, recorded_at)
       values ('tracking-late', 0, '0', 1, 1, '2026-01-01T00:00:00.000Z')`,
    );
    const ready = await eventually(async () => {
      const response = await fetch(`${projector.url}/health/ready`);
      return response.status === 200 && ((await response.json()) as Readiness);
    }, 'a service that is ready');
    expect(ready.warnings.join()).to.match(/The follower order_policy is \d+ s behind the log\./);
    const lagOfPolicy = ready.projections.find(({ name }) => name === 'order_policy')!.lag_s!;
    expect(lagOfPolicy).to.be.above(1_000);
    expect(ready.projections.find(({ name }) => name === 'timeline')).to.not.have.property('lag_s');
    const metrics = await (await fetch(`${projector.url}/metrics`)).text();
    const reported = Number(/^follower_lag_seconds\{follower="order_policy"\} (\S+)$/m.exec(metrics)?.[1]);
    expect(reported).to.be.at.least(lagOfPolicy);
    for (const name of ['erasure_policy', 'webhooks', 'kept_event_mapper', 'board_notices'])
      expect(metrics).to.match(new RegExp(`^follower_lag_seconds\\{follower="${name}"\\} 0$`, 'm'));
    await rows('truncate order_policy.pending');
    await resume();
    await projector.stop();
  });

  it('no scan is lost or applied twice if the process ends in the middle', async () => {
    const { projector, resume } = await startPaused();
    const ids = await scanned(demo, 60);
    await resume();
    const isFollowed = async () =>
      [...(await t.service.engines.log.readMany(ids.map(orderStream))).values()].some((events) => events.length > 1);
    await eventually(async () => (await pending()) > 0 || (await isFollowed()), 'the begin of the work');
    // The first process is stopped with events in the queue, and another one continues.
    await projector.stop();
    const next = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env: { ROLES: 'projector' } });
    const streams = async () => [...(await t.service.engines.log.readMany(ids.map(orderStream))).values()];
    await eventually(async () => (await streams()).every((events) => events.length > 1), 'all orders follow');
    await eventually(async () => (await pending()) === 0, 'an empty queue');
    expect(
      (await streams()).map((events) => events.length),
      'one event follows from each scan',
    ).to.deep.equal(ids.map(() => 2));
    await next.stop();
  });

  it('a round of the queue reads a bounded number of rows, whatever its length', async () => {
    const { projectionPool: pool } = t.service.engines;
    const counts: number[] = [];
    for (const length of [atDepth(100_000, 5_000), atDepth(400_000, 20_000)]) {
      await rows('truncate order_policy.pending');
      await rows(
        `insert into order_policy.pending (stream, revision, position, order_id, business, recorded_at)
         select 'tracking-' || n, 0, lpad(n::text, 20, '0'), n, n % 40, '2026-01-01T00:00:00.000Z' from generate_series(1, $1::int) n`,
        [length],
      );
      await rows('analyze order_policy.pending');
      const queue = createPolicyQueue(pool);
      let found: readonly QueuedEvent[] = [];
      const read = await readCountsOf([pool], async () => {
        found = (await queue.next({ after: 9, businesses: 20, share: 5, except: [] })).items;
      });
      expect(found.map(({ business }) => business)).to.deep.equal(
        Array.from({ length: 20 }, (_, n) => Array<number>(5).fill(n + 10)).flat(),
      );
      expect(read.rows).to.be.within(100, 400);
      counts.push(read.rows);
    }
    expect(counts[1]).to.equal(counts[0]);
    const queue = createPolicyQueue(pool);
    const { items: first } = await queue.next({ after: -1, businesses: 1, share: 3, except: [40] });
    expect(first.map(({ order_id }) => order_id)).to.deep.equal([80, 120, 160]);
    await queue.remove(first);
    const { items: second } = await queue.next({ after: -1, businesses: 1, share: 1, except: [40] });
    expect(second[0]).to.include({ order_id: 200 });
    await rows('delete from order_policy.pending where business = 0 and order_id <> 40');
    const leftOut = await queue.next({ after: -1, businesses: 1, share: 1, except: [40] });
    expect(leftOut, 'a business whose events are all left out').to.deep.equal({ items: [], last: 0 });
    expect(await queue.next({ after: 39, businesses: 1, share: 1, except: [] })).to.deep.equal({
      items: [],
      last: undefined,
    });
    await rows('truncate order_policy.pending');
  });
});
