/**
 * A service in a separate process that is attacked, while another client reads orders. The response times of that
 * client before, during and after an attack are figures of the test.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Demo } from '../../../src/compose/demo/demo.js';
import { call, type Answer } from '../clients/http.js';
import { isFullDepth } from '../depth.js';
import { Figures } from '../figures.js';
import { freshDatabase } from '../worlds/database.js';
import { seedDatabase } from '../worlds/service.js';
import type { UserName } from '../worlds/users.js';
import { endServiceProcesses, startServiceProcess } from './service-process.js';

const ATTACK = fileURLToPath(new URL('./attack.js', import.meta.url));
/** Duration of a measurement of reads, in seconds. */
const SECONDS = 3;
/** Maximum duration of an attack, in seconds. */
const MAX_SECONDS = 300;
/** Maximum factor by which an attack may slow others' reads, where figures are judged. */
const SLOWER = 5;
/**
 * The idle reference. Reads take 5 to 15 ms when idle; five times that is less than a scheduler pause on two cores that
 * the attacker shares. So the reference is at least this. It is also at least the time of reads while another process
 * only requests the smallest page as fast as it can, over as many connections. Each attack once slowed reads to 4 to 6
 * seconds.
 */
const MIN_IDLE: Times = { p50: 10, p99: 50 };
/** The lowest of this many measurements is judged, because a short pause of the machine affects only few of them. */
const MEASURED = isFullDepth ? 3 : 1;
const MORE_MB = 300;
const KB = 1_024;

/** Percentiles of response times, in milliseconds. */
export interface Times {
  readonly p50: number;
  readonly p99: number;
}
const PERCENTILES = ['p50', 'p99'] as const;
const textOf = ({ p50, p99 }: Times): string => `${p50.toFixed()}/${p99.toFixed()}`;

interface AttackOptions {
  /** What runs during the attack. */
  readonly meanwhile?: () => Promise<unknown>;
  /** The harmless load with which reads during the attack are compared. */
  readonly load?: 'none' | 'crowd';
  readonly title?: string;
}

export type AttackedService = Awaited<ReturnType<typeof startAttackedService>>;

/** Starts the service with the demo data. `env`: its settings in addition to the defaults. */
export async function startAttackedService(env: Readonly<Record<string, string>> = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const dataDir = await mkdtemp(join(tmpdir(), 'transport-attacks-'));
  const database = await freshDatabase();
  const demo: Demo = await seedDatabase(database.url);
  const service = await startServiceProcess({
    dataDir,
    databaseUrl: database.url,
    // The flags of `npm start`, and the default limits. A proxy header gives the client address.
    flags: ['--max-semi-space-size=64', '--heap-growing-percent=400'],
    env: { RATE_LIMIT_READ: '5000', RATE_LIMIT_WRITE: '1000', TRUST_PROXY: '1', ...env },
  });
  const figures = new Figures();
  const attackers: ChildProcess[] = [];
  const keys = new Map<UserName, string>();
  const key = await signIn('client_admin');

  /** Signs in, and again if the service is too busy for a sign-in. */
  async function signIn(user: UserName): Promise<string> {
    const { email, password } = demo.users[user];
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    for (;;) {
      const { status, json } = await call(`${service.url}/api/v1/user/login`, { body: { email, password }, headers });
      if (status === 200) return json.access_token as string;
      expect(status).to.equal(503);
      await sleep(200);
    }
  }

  /** Calls an operation as a user of the demo, who signs in once. */
  const api = async (path: string, options: Parameters<typeof call>[1] = {}): Promise<Answer> =>
    call(`${service.url}/api/v1${path}`, options);
  async function as(user: UserName, path: string, body?: unknown, method?: string): Promise<Answer> {
    const token = keys.get(user) ?? (await signIn(user));
    keys.set(user, token);
    return api(path, { key: token, body, ...(method !== undefined && { method }) });
  }
  async function upload(user: UserName, purpose: string, content: Buffer): Promise<{ status: number; id: string }> {
    const token = keys.get(user) ?? (await signIn(user));
    keys.set(user, token);
    const answer = await fetch(`${service.url}/api/v1/files?purpose=${purpose}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new Uint8Array(content),
    });
    const json = (await answer.json()) as { file?: { id: string } };
    return { status: answer.status, id: json.file?.id ?? '' };
  }

  /** Uses one connection that stays open. */
  const readOrders = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      get(`${service.url}/api/v1/orders`, { agent, headers }, (response) =>
        response.resume().once('end', () => resolve(response.statusCode)),
      ).once('error', reject);
    });

  /** Reads orders for a while, one after the other. */
  async function reads(millis: number): Promise<Times> {
    const took: number[] = [];
    for (const until = performance.now() + millis; performance.now() < until;) {
      const startedAt = performance.now();
      expect(await readOrders()).to.equal(200);
      took.push(performance.now() - startedAt);
    }
    took.sort((a, b) => a - b);
    return { p50: took[Math.floor(took.length * 0.5)]!, p99: took[Math.floor(took.length * 0.99)]! };
  }

  const memory = async (): Promise<number> =>
    Number((await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(service.child.pid)])).stdout) / KB;

  interface Seen {
    /** The number of responses by status. */
    readonly answers: Record<string, number>;
    readonly times: Times;
    readonly maxMemory: number;
  }

  /** Reads while the attacker sends requests. */
  async function under(name: string, meanwhile?: () => Promise<unknown>): Promise<Seen> {
    const args = [ATTACK, name, service.url, String(MAX_SECONDS), demo.trackings[0]!];
    const attacker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    attackers.push(attacker);
    const lines = createInterface(attacker.stdout)[Symbol.asyncIterator]();
    const ended = once(attacker, 'close');
    await lines.next();
    let maxMemory = 0;
    let isOver = false;
    const watching = (async () => {
      for (; !isOver; await sleep(200)) maxMemory = Math.max(maxMemory, await memory());
    })();
    await sleep(200);
    const [times] = await Promise.all([reads((SECONDS - 0.3) * 1_000), meanwhile?.()]);
    // The attack lasts until `meanwhile` is done and the attacker has had at least one response.
    attacker.kill('SIGTERM');
    const answers = JSON.parse((await lines.next()).value as string) as Record<string, number>;
    await ended;
    isOver = true;
    // The service also responds after the connections of the attacker have ended.
    expect(await readOrders(), service.output()).to.equal(200);
    await watching;
    return { answers, times, maxMemory };
  }

  /** Times of reads next to a harmless process, over few connections and over many. */
  const busy: Record<'none' | 'crowd', Times> = { none: MIN_IDLE, crowd: MIN_IDLE };
  await reads(500);
  for (const name of ['none', 'crowd'] as const) {
    busy[name] = (await under(name)).times;
    figures.addLine(`no attack (${name}): p50/p99 of reads ${textOf(busy[name])} ms`);
  }

  return {
    service,
    database,
    figures,
    /** As a test service has them. */
    api,
    demo,
    now: Date.now,
    as,
    upload,
    signIn: () => signIn('client_admin'),

    /** Runs the attack of `attack.ts` with this name. Returns the number of its responses by status. */
    async attacked(name: string, { meanwhile, load = 'none', title = name }: AttackOptions = {}) {
      const total: Record<string, number> = {};
      const lowest = { p50: Infinity, p99: Infinity };
      const limits = { p50: 0, p99: 0 };
      for (let round = 1; round <= MEASURED; round++) {
        const idle = await reads(700);
        const before = await memory();
        const { answers, times, maxMemory } = await under(name, meanwhile);
        const later = await reads(700);
        expect(maxMemory - before, 'MB more than idle').to.be.below(MORE_MB);
        const memories = `memory ${before.toFixed()} -> ${maxMemory.toFixed()} MB`;
        const percentiles = [idle, times, later].map(textOf).join(' -> ');
        figures.addLine(`${title}: p50/p99 of reads before, during and after ${percentiles} ms, ${memories}`);
        figures.addLine(`${title}: answers ${JSON.stringify(answers)}`);
        for (const [answer, count] of Object.entries(answers)) total[answer] = (total[answer] ?? 0) + count;
        for (const percentile of PERCENTILES) {
          const idlest = Math.max(idle[percentile], busy[load][percentile], MIN_IDLE[percentile]);
          limits[percentile] = Math.max(limits[percentile], SLOWER * idlest);
          lowest[percentile] = Math.min(lowest[percentile], times[percentile]);
        }
      }
      for (const percentile of PERCENTILES)
        figures.add({
          name: `${title}: ${percentile} of others' reads`,
          value: lowest[percentile],
          unit: 'ms',
          limit: limits[percentile],
        });
      return total;
    },

    /** Returns a job once it has ended. */
    async endOf(user: UserName, job: string): Promise<{ readonly status: string }> {
      for (;;) {
        const { json } = await as(user, `/jobs/${job}?wait_s=10`);
        if (json.job.finished_at) return json.job as { readonly status: string };
      }
    },

    /** After a test that failed, which may have left an attacker. */
    endAttackers: (): void => attackers.splice(0).forEach((attacker) => attacker.kill('SIGKILL')),

    async stop(): Promise<void> {
      figures.print();
      agent.destroy();
      await endServiceProcesses();
      await rm(dataDir, { recursive: true, force: true });
      await database.drop();
    },
  };
}
