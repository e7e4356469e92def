/** The board of routes with two processes, and with one that dies between the two streams of a claim. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  BRIEF_LEASES,
  endServiceProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { openBoard, type BoardWorld } from '../support/worlds/board.js';
import { query } from '../support/worlds/database.js';
import { MASTER_KEY, startTestService, type TestService } from '../support/worlds/service.js';

const DRIVERS = 50;
const SCRIPT = fileURLToPath(new URL('../support/processes/claim-and-hang.js', import.meta.url));

describe('board of routes with processes', () => {
  let t: TestService;
  let other: ServiceProcess;
  let board: BoardWorld;
  let dataDir: string;
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    dataDir = await mkdtemp(join(tmpdir(), 'transport-board-'));
    other = await startServiceProcess({ dataDir, databaseUrl: t.databaseUrl });
    board = await openBoard(t, DRIVERS);
  });
  after(async () => {
    await endServiceProcesses();
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const processOf = (driver: number) => (driver % 2 === 0 ? t.url : other.url);
  const claim = (driver: number, route: number) =>
    board.drive(driver, `/route-board/${route}/claim`, {}, processOf(driver));

  it('drivers-and-fleets 1: 50 drivers claim one route through two processes: one wins, each queue place is unique', async () => {
    const route = await board.post(1, 8, 16, { standby_limit: 20 });
    const answers = await Promise.all(board.drivers.map((_, driver) => claim(driver, route)));
    const codes = answers.map(({ status, json }) => (status === 200 ? 'won' : json.code));
    expect(codes.filter((code) => code === 'won')).to.have.length(1);
    expect(codes.filter((code) => code === 'ROUTE_CLAIMED')).to.have.length(DRIVERS - 1);
    expect(answers.filter(({ status }) => status === 409)).to.have.length(DRIVERS - 1);
    const winner = codes.indexOf('won');
    const { json } = await board.as('client_admin', `/routes/${route}`);
    expect(json.route.driver_id).to.equal(board.drivers[winner]!.id);
    const losers = board.drivers.map((_, driver) => driver).filter((driver) => driver !== winner);
    const waiting = await Promise.all(
      losers.map((driver) => board.drive(driver, `/route-board/${route}/standby`, {}, processOf(driver))),
    );
    const places = waiting
      .filter(({ status }) => status === 200)
      .map(({ json }) => json.board_route.my.queue_position as number);
    expect(places.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(waiting.filter(({ json }) => json.code === 'STANDBY_FULL')).to.have.length(DRIVERS - 1 - 20);
    // No time of the drivers who lost is reserved.
    const bound = await query<{ driver_id: number }>(
      t.databaseUrl,
      'select driver_id from driver_times.driver_times where active',
    );
    expect(bound.map(({ driver_id }) => driver_id)).to.deep.equal([board.drivers[winner]!.id]);
  });

  it('drivers-and-fleets 2: one of two overlapping routes that a driver claims at once is won', async () => {
    const routes = [await board.post(2, 8, 16), await board.post(2, 12, 20)];
    const answers = await Promise.all(
      routes.map((route, index) => board.drive(3, `/route-board/${route}/claim`, {}, index === 0 ? t.url : other.url)),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.json.code).to.equal('TIME_TAKEN');
    const drivers = await Promise.all(
      routes.map(async (route) => (await board.as('client_admin', `/routes/${route}`)).json.route.driver_id as number),
    );
    expect(drivers.filter((id) => id === board.drivers[3]!.id)).to.have.length(1);
  });

  it('drivers-and-fleets 2: killed between reservation and claim, the time is free again', async () => {
    const driver = board.drivers[4]!.id;
    const route = await board.post(3, 8, 16);
    const [row] = await query<object>(t.databaseUrl, 'select * from board.board where id = $1', [route]);
    const child = spawn(process.execPath, [SCRIPT, t.databaseUrl, MASTER_KEY, JSON.stringify(row), String(driver)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) if (line === 'hangs') break;
    child.kill('SIGKILL');
    await exited;
    const overlapping = await board.post(3, 12, 20);
    const taken = await claim(4, overlapping);
    expect([taken.status, taken.json.code]).to.deep.equal([409, 'TIME_TAKEN']);
    // The answering processes have the limits of production; one with short limits cleans up.
    const repairing = await startTestService({
      databaseUrl: t.databaseUrl,
      seed: false,
      env: { ...BRIEF_LEASES, ROLES: 'projector' },
    });
    let status = 409;
    for (let tries = 0; tries < 600 && status === 409; tries++) {
      await sleep(100);
      ({ status } = await claim(4, overlapping));
    }
    await repairing.stop();
    expect(status).to.equal(200);
    expect((await board.as('client_admin', `/routes/${route}`)).json.route.driver_id).to.equal(null);
  });
});
