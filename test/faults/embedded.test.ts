/**
 * The embedded PostgreSQL under load, killed or with a full disk. The service continues and accepts writes again
 * automatically. No acknowledged event is lost or duplicated. FAULT_ROUNDS sets the number of rounds (default 30).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectAllOnce } from '../support/checks/all-once.js';
import { call } from '../support/clients/http.js';
import { embeddedUrl, postmasterOf } from '../support/processes/embedded.js';
import { eventually } from '../support/eventually.js';
import { Figures } from '../support/figures.js';
import { startLoad, type Load } from '../support/processes/load.js';
import { endServiceProcesses, startServiceProcess, type ServiceProcess } from '../support/processes/service-process.js';
import { fillDisk, mountSmallDisk, unmount } from '../support/processes/small-disk.js';
import { skip } from '../support/run-summary.js';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 30);
/** Time from the end of the fault to the next acknowledged push, where figures are judged. */
const BACK_WITHIN_MS = 15_000;
const DISK_MB = 1_200;
const PARCELS = 12;

describe('the embedded PostgreSQL under load', () => {
  let dataDir: string;
  let mounted: boolean;
  let service: ServiceProcess;
  let key: string;
  const loads: Load[] = [];
  const figures = new Figures();

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'transport-embedded-'));
    mounted = await mountSmallDisk(dataDir, DISK_MB);
    service = await startServiceProcess({ dataDir });
    key = (JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { provider: { key: string } }).provider
      .key;
  });
  after(async () => {
    figures.print();
    await endServiceProcesses();
    if (mounted) await unmount(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });

  /**
   * Pushes before, during and after the fault. `fault` returns the moment from which writes can succeed. It returns
   * only when no earlier acknowledgement can arrive any more.
   */
  async function endure(fault: () => Promise<number>): Promise<void> {
    // New parcels each time, because no real parcel has thousands of scans.
    const numbers = Array.from({ length: PARCELS }, (_, index) => `EMBEDDED${loads.length}N${index}`);
    const load = startLoad({ urls: [service.url], key, numbers, connections: 4, pause: 20 });
    loads.push(load);
    try {
      while (load.acknowledged.size < 100) await sleep(10);
      const over = await fault();
      const so = load.acknowledged.size;
      await eventually(
        () => load.acknowledged.size > so,
        () => `an acknowledgement; the service said\n${service.output()}`,
      );
      const name = 'acknowledged again after the fault';
      figures.add({ name, value: performance.now() - over, unit: 'ms', limit: BACK_WITHIN_MS });
      await sleep(500);
    } finally {
      await load.stop();
    }
    expect(load.wrong).to.deep.equal([]);
    await expectAllOnce(await embeddedUrl(dataDir), loads);
    expect((await call(`${service.url}/health/live`)).status).to.equal(200);
    expect(service.child.exitCode).to.equal(null);
  }

  for (let round = 1; round <= ROUNDS; round++) {
    it(`S5: its postmaster is killed, and writing continues (${round})`, () =>
      endure(async () => {
        const first = await postmasterOf(dataDir);
        process.kill(first, 'SIGKILL');
        const killed = performance.now();
        while ((await postmasterOf(dataDir).catch(() => first)) === first) await sleep(10);
        return killed;
      }));

    it(`S5: its disk is full, which is reported, and writing continues once there is space (${round})`, async function () {
      if (!mounted) return skip(this, 'no small disk here');
      await endure(async () => {
        const empty = await fillDisk(dataDir);
        await refusing();
        await sleep(Math.random() * 3_000);
        await empty();
        return performance.now();
      });
      expect(service.output()).to.match(/no space left|disk.{0,20}full|no room on the disk/i);
    });
  }

  /** Waits until pushes fail: the server first uses the space that it has already allocated. */
  async function refusing(): Promise<void> {
    const load = loads.at(-1)!;
    for (const so = load.unanswered.length; load.unanswered.length < so + 5;) await sleep(10);
  }
});
