import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { EVENT_TYPES, PROJECTIONS } from '../../src/areas/index.js';
import type { Demo } from '../../src/compose/demo/demo.js';
import { rebuild } from '../../src/projections/rebuild/rebuild.js';
import { WAIT_LIMIT_MS, eventually } from '../support/eventually.js';
import { freshDatabase, query, type FreshDatabase } from '../support/worlds/database.js';
import { call, type Answer } from '../support/clients/http.js';
import { startLoad, type Load } from '../support/processes/load.js';
import { event, timelineOf } from '../support/inputs/pushes.js';
import { MASTER_KEY, positionOf, startTestService } from '../support/worlds/service.js';
import {
  endServiceProcesses,
  SHORT_LEASES,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';

const NUMBERS = Array.from({ length: 10 }, (_, index) => `TWO${index}`);

describe('two processes over one database (A4)', () => {
  let database: FreshDatabase;
  let dataDir: string;
  let demo: Demo;
  let both: readonly [ServiceProcess, ServiceProcess];
  let load: Load | undefined;

  before(async () => {
    database = await freshDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'transport-two-'));
    const start = () => startServiceProcess({ dataDir, databaseUrl: database.url, env: SHORT_LEASES });
    // All start at once on an empty database: each may find it partly migrated by another.
    const [one, two] = await Promise.all([start(), start(), seed()]);
    both = [one, two];
    demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
  });
  after(async () => {
    await load?.stop();
    await endServiceProcesses();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const seed = () =>
    promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../src/cli/seed.js', import.meta.url))], {
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, MASTER_KEY, DATA_DIR: dataDir },
    });
  const push = ({ url }: ServiceProcess, body: unknown) =>
    call(`${url}/api/v1/otep/ingest`, { key: demo.provider.key, body });
  const read = ({ url }: ServiceProcess, number: string, after?: Answer) =>
    call(`${url}/api/v1/otep/trackings/${number}`, { headers: positionOf(after) });

  it("read each other's writes", async () => {
    const [one, two] = both;
    for (let hour = 0; hour < 10; hour++) {
      const [writer, reader] = hour % 2 ? [one, two] : [two, one];
      const pushed = await push(writer, timelineOf('SEEN1', [event('in_transit', hour)]));
      expect(pushed.json.accepted).to.equal(1);
      expect((await read(reader, 'SEEN1', pushed)).json.events).to.have.length(hour + 1);
    }
  });

  it('accept concurrent copies of a push: each event is accepted once', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const document = timelineOf(
        `SAME${turn % 3}`,
        Array.from({ length: 20 }, (_, index) => event('in_transit', turn * 20 + index)),
      );
      const answers = await Promise.all([
        push(both[0], document),
        push(both[1], document),
        push(both[0], document),
        push(both[1], document),
      ]);
      const sum = (member: string) => answers.reduce((total, { json }) => total + json[member], 0);
      expect([sum('accepted'), sum('duplicates'), sum('rejected')]).to.deep.equal([20, 60, 0]);
    }
  });

  it('use a table that was changed through the other', async () => {
    const set = ({ url }: ServiceProcess, raw: string) =>
      call(`${url}/api/v1/provider/status-mapping`, {
        method: 'PUT',
        key: demo.provider.key,
        body: { mapping: [{ raw, status_code: 'received' }] },
      });
    for (const [process, raw] of [
      [both[0], 'A'],
      [both[1], 'B'],
      [both[0], 'A'],
      [both[1], 'B'],
    ] as const) {
      const answer = await set(process, raw);
      const { json } = await call(`${both[0].url}/api/v1/provider/status-mapping`, {
        key: demo.provider.key,
        headers: positionOf(answer),
      });
      expect(json.mapping[0].raw).to.equal(raw);
    }
  });

  it('share the load, also on the same trackings; when one is killed the other takes over its projections', async () => {
    const pushing = (load = startLoad({ urls: both.map(({ url }) => url), key: demo.provider.key, numbers: NUMBERS }));
    while (pushing.acknowledged.size < 1_000) await sleep(20);
    const folded = await Promise.all(both.map(foldedEvents));
    const [dead, left] = folded[0]! >= folded[1]! ? both : [both[1], both[0]];
    expect(Math.max(...folded), 'one of them keeps the read model').to.be.above(0);
    await dead.end('SIGKILL');
    await sleep(300);
    await pushing.stop();
    expect(pushing.wrong).to.deep.equal([]);
    const pushed = await push(left, timelineOf('AFTER1', [event('delivered')]));
    await eventually(async () => {
      const { status, json } = await read(left, 'AFTER1', pushed);
      if (status !== 200) expect(json.code).to.equal('NOT_CAUGHT_UP');
      return status === 200;
    }, 'a read model that another process took over');
    await eventually(async () => (await call(`${left.url}/health/ready`)).json.ready, 'a service that is ready');
    for (const document of pushing.unanswered) expect((await push(left, document)).json.rejected).to.equal(0);
  });

  it('have lost nothing and stored nothing twice, and a replay gives the same read models', async () => {
    const rows = await query<{ id: string; count: number }>(
      database.url,
      "select data->>'event_id' as id, count(*)::int as count from log.events where type = 'TrackingEventRecorded' group by stream, 1",
    );
    expect(rows.filter(({ count }) => count !== 1)).to.deep.equal([]);
    const stored = new Set(rows.map(({ id }) => id));
    expect([...load!.acknowledged].filter((id) => !stored.has(id))).to.deep.equal([]);
    const onlooker = await startTestService({ databaseUrl: database.url, env: { ROLES: 'api' }, seed: false });
    try {
      const { log, projectionPool } = onlooker.service.engines;
      for (const projection of PROJECTIONS) {
        expect(
          await onlooker.service.progress.waitFor(projection.name, await log.head(), WAIT_LIMIT_MS),
          projection.name,
        ).to.equal(true);
        const { differences, events } = await rebuild(projection, {
          log,
          pool: projectionPool,
          types: EVENT_TYPES,
          switchOver: false,
        });
        if (projection.name === 'timeline') expect(events).to.be.above(0);
        expect(differences, projection.name).to.equal(0);
      }
    } finally {
      await onlooker.stop();
    }
  });
});

async function foldedEvents({ url }: ServiceProcess): Promise<number> {
  const { text } = await call(`${url}/metrics`);
  return Number(/^projection_events_total\{projection="timeline"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
