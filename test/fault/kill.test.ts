import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { acknowledgedOf, expectAllOnce } from '../support/checks/all-once.js';
import { eventually } from '../support/eventually.js';
import { freshDatabase, type FreshDatabase } from '../support/worlds/database.js';
import { call } from '../support/clients/http.js';
import { embeddedUrl, postmasterOf } from '../support/processes/embedded.js';
import { startLoad, type Load } from '../support/processes/load.js';
import { seedDatabase } from '../support/worlds/service.js';
import {
  endServiceProcesses,
  SHORT_LEASES,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { atDepth } from '../support/depth.js';

const NUMBERS = Array.from({ length: 12 }, (_, index) => `KILL${index}`);

describe('killed during ingest (G1)', () => {
  let dataDir: string;
  beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'transport-kill-'))));
  afterEach(async () => {
    await endServiceProcesses();
    await rm(dataDir, { recursive: true, force: true });
  });

  describe('with a separate database', () => {
    it('keeps every acknowledged event once, also if the database is killed with it', async () => {
      let key = '';
      const loads: Load[] = [];
      let service = await startServiceProcess({ dataDir, env: SHORT_LEASES });
      for (const kill of [killAlone, killWithDatabase, killDatabaseFirst]) {
        key ||= (JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { provider: { key: string } })
          .provider.key;
        loads.push(await underLoad(service, key, () => kill(service, dataDir)));
        service = await startServiceProcess({ dataDir, env: SHORT_LEASES });
        await expectAllOnce(await embeddedUrl(dataDir), loads);
      }
      await expectAllReported(service, key, loads);
      expect(await service.end('SIGTERM')).to.equal(0);
    });
  });

  describe('with DATABASE_URL', () => {
    let database: FreshDatabase;
    beforeEach(async () => void (database = await freshDatabase()));
    afterEach(() => database.drop());

    it('keeps every acknowledged event once, however often it is killed', async () => {
      const {
        provider: { key },
      } = await seedDatabase(database.url);
      const loads: Load[] = [];
      let service = await startServiceProcess({ dataDir, databaseUrl: database.url, env: SHORT_LEASES });
      for (let round = 0; round < atDepth(4, 2); round++) {
        loads.push(await underLoad(service, key, () => service.end('SIGKILL')));
        service = await startServiceProcess({ dataDir, databaseUrl: database.url, env: SHORT_LEASES });
        await expectAllOnce(database.url, loads);
      }
      await expectAllReported(service, key, loads);
      expect(await service.end('SIGTERM')).to.equal(0);
    });
  });
});

async function killAlone(service: ServiceProcess): Promise<void> {
  await service.end('SIGKILL');
}

async function killWithDatabase(service: ServiceProcess, dataDir: string): Promise<void> {
  const postmaster = await postmasterOf(dataDir);
  service.child.kill('SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  await service.end('SIGKILL');
}

async function killDatabaseFirst(service: ServiceProcess, dataDir: string): Promise<void> {
  process.kill(await postmasterOf(dataDir), 'SIGKILL');
  await sleep(100);
  await service.end('SIGKILL');
}

/** Eight connections push; after a random delay the service is killed. */
async function underLoad({ url }: ServiceProcess, key: string, kill: () => Promise<unknown>): Promise<Load> {
  const load = startLoad({ urls: [url], key, numbers: NUMBERS, pause: atDepth(0, 10) });
  while (load.acknowledged.size < 50) await sleep(5);
  await sleep(Math.random() * 300);
  await kill();
  await load.stop();
  expect(load.wrong).to.deep.equal([]);
  return load;
}

/**
 * The read model has every acknowledged event once. If all events are pushed again, these are duplicates. Events that
 * were never acknowledged are also there once.
 */
async function expectAllReported({ url }: ServiceProcess, key: string, loads: readonly Load[]): Promise<void> {
  const push = (body: unknown) => call(`${url}/api/v1/otep/ingest`, { key, body });
  for (const document of loads.flatMap(({ answered }) => answered.slice(-20))) {
    const { json } = await push(document);
    expect([json.accepted, json.rejected]).to.deep.equal([0, 0]);
  }
  const acknowledged = acknowledgedOf(loads);
  let position = '';
  for (const document of loads.flatMap(({ unanswered }) => unanswered)) {
    const { json, headers } = await push(document);
    expect(json.rejected).to.equal(0);
    position = [position, headers.get('x-event-position') ?? ''].sort()[1]!;
    for (const { event_id } of json.events as { event_id: string }[]) acknowledged.add(event_id);
  }
  const seen: string[] = [];
  for (const number of NUMBERS) seen.push(...(await readAll(url, number, position)));
  expect(seen.length).to.equal(new Set(seen).size);
  expect(new Set(seen)).to.deep.equal(acknowledged);
}

async function readAll(url: string, number: string, position: string): Promise<string[]> {
  // The projections of a dead process are taken over after some seconds.
  return eventually(async () => {
    const { status, json } = await call(`${url}/api/v1/otep/trackings/${number}`, {
      headers: position === '' ? {} : { 'x-event-position': position },
    });
    if (status !== 200 && status !== 503) throw new Error(`${number}: ${status}`);
    return status === 200 && (json.events as { event_id: string }[]).map(({ event_id }) => event_id);
  }, `the events of ${number}`);
}
