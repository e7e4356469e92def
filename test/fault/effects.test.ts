/** Effects whose process is killed: each takes effect once, and none is lost. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { call } from '../support/clients/http.js';
import { atDepth, isFullDepth } from '../support/depth.js';
import { createDoubleArea } from '../support/double/area.js';
import { doubleStream } from '../support/double/events.js';
import { startRemote, type Remote } from '../support/double/start-remote.js';
import { eventually } from '../support/eventually.js';
import {
  BRIEF_LEASES,
  endServiceProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { signIns } from '../support/worlds/users.js';

const SCRIPT = fileURLToPath(new URL('../support/processes/serve-double.js', import.meta.url));
const ROUNDS = atDepth(50, 1);
/** `after_send`: before the response. `after_response`: before the append. `after_reserve`: before the reservation is recorded. */
const MOMENTS = ['before_send', 'after_send', 'after_response', 'after_reserve', 'during_look', 'during_append'];
/** An adapter of this kind reserves nothing. The moments at which both kinds do the same are tested at full depth. */
const KEY_MOMENTS = isFullDepth
  ? MOMENTS.filter((moment) => moment !== 'after_reserve')
  : ['after_send', 'during_look'];

describe('effects whose process is killed', () => {
  let remote: Remote;
  let t: TestService;
  let folder: string;
  let signIn: ReturnType<typeof signIns>;
  const workers: (ServiceProcess | undefined)[] = [undefined, undefined];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-effects-killed-'));
    remote = await startRemote(join(folder, 'state'));
    // This process answers the reads; it performs no effects itself.
    t = await startTestService({
      env: { ...BRIEF_LEASES, ROLES: 'api' },
      additionalAreas: [createDoubleArea({ url: () => remote.url }) as never],
    });
    signIn = signIns(t);
  });
  after(async () => {
    await endServiceProcesses();
    await t?.stop();
    await remote?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The worker, which is started again if it was killed. */
  async function alive(index: number): Promise<ServiceProcess> {
    const known = workers[index];
    if (known && known.child.exitCode === null && known.child.signalCode === null) return known;
    const started = await startServiceProcess({
      dataDir: join(folder, `data-${index}`),
      databaseUrl: t.databaseUrl,
      env: BRIEF_LEASES,
      script: [SCRIPT, remote.url, folder],
    });
    // Each round listens for its end.
    started.child.setMaxListeners(0);
    return (workers[index] = started);
  }

  const typesOf = async (stream: string) =>
    (await t.service.engines.log.readMany([stream])).get(stream)?.map(({ type }) => type) ?? [];

  /** Orders a purchase, during which a process is killed at the moment. Returns the stream. */
  async function orderAndKill(adapter: string, moment: string): Promise<string> {
    const key = await signIn('client_admin');
    const [first] = await Promise.all([alive(0), alive(1)]);
    const id = randomUUID();
    const killed = new Promise((resolve) => workers.forEach((one) => one!.child.once('exit', resolve)));
    const request = call(`${first!.url}/api/v1/doubles/${id}`, {
      key,
      body: { adapter, note: 'For Ada Lovelace', kill_at: moment },
    }).catch(() => undefined);
    await killed;
    await request;
    return doubleStream(id);
  }

  for (const [adapter, moments] of [
    ['double_object', MOMENTS],
    ['double_key', KEY_MOMENTS],
  ] as const)
    it(`effects 1: ${adapter}, killed ${ROUNDS} times at ${moments.length} moments: done once each`, async () => {
      const earlier = (await remote.actions()).length;
      const ordered: { moment: string; stream: string }[] = [];
      for (let round = 0; round < ROUNDS; round++)
        for (const moment of moments) ordered.push({ moment, stream: await orderAndKill(adapter, moment) });
      await Promise.all([alive(0), alive(1)]);
      for (const { moment, stream } of ordered)
        await eventually(
          async () => (await typesOf(stream)).includes('DoublePurchased'),
          `${stream}, killed ${moment}, is done`,
        );
      const types = (await Promise.all(ordered.map(({ stream }) => typesOf(stream)))).flat();
      expect(types.filter((type) => type === 'DoublePurchased')).to.have.length(ordered.length);
      expect(types).to.not.include('DoublePurchaseRefused').and.to.not.include('DoublePurchaseLeftOpen');
      const actions = (await remote.actions()).slice(earlier);
      expect(actions).to.have.length(ordered.length);
      expect(new Set(actions.map((action) => action.key)).size).to.equal(ordered.length);
    });
});
