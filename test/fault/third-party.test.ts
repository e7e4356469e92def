/**
 * Fifty providers accept one offer at the same time over two processes, one of which is killed: exactly
 * one provider gets the order and may write to the timeline of its package.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { listed } from '../contract/log/contract/opened.js';
import { call, type Answer } from '../support/clients/http.js';
import { atDepth } from '../support/depth.js';
import { eventuallyPasses } from '../support/eventually.js';
import {
  BRIEF_LEASES,
  endServiceProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { createOrderFactory, type OrderFactory } from '../support/worlds/order-factory.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { asUsers } from '../support/worlds/users.js';

const PROVIDERS = 50;
/** An offer names at most twenty providers; the others are refused. */
const NAMED = 20;
const ROUNDS = atDepth(200, 4);

describe('an offer that many providers accept at once', () => {
  let t: TestService;
  let dataDir: string;
  let orders: OrderFactory;
  const providers: { readonly id: string; readonly key: string }[] = [];
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'transport-third-party-'));
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    orders = createOrderFactory(t);
    for (let n = 0; n < PROVIDERS; n++) {
      const id = `racer-${n}`;
      providers.push({ id, key: await t.addProvider(id, { mayOpen: false }) });
    }
  });
  after(async () => {
    await endServiceProcesses();
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (): Promise<ServiceProcess> =>
    startServiceProcess({ dataDir, databaseUrl: t.databaseUrl, env: { ...BRIEF_LEASES, ROLES: 'api' } });

  for (let round = 1; round <= ROUNDS; round++)
    it(`customer-and-catalogue 3: goes to exactly one of them, also if a process is killed (${round})`, async () => {
      const killed = await start();
      const id = await orders.createOne();
      const made = await asUsers(t)('client_admin', `/orders/${id}/third-party/offers`, {
        providers: providers.slice(0, NAMED).map((one) => one.id),
        respond_within_s: 3_600,
      });
      expect(made.status, made.text).to.equal(201);
      const { id: offer_id } = made.json.order.third_party_offer;
      const accept = (url: string, key: string): Promise<Answer> =>
        call(`${url}/api/v1/thirdpartydelivery/orders/${id}/accept`, { key, body: { offer_id } });
      const first = providers.map(({ key }, n) => accept(n % 2 === 0 ? killed.url : t.url, key).catch(() => undefined));
      await sleep(Math.random() * 60);
      await killed.end('SIGKILL');
      const answered = await Promise.all(first);
      // A client that got no response asks again.
      const all = await Promise.all(providers.map(async ({ key }, n) => answered[n] ?? (await accept(t.url, key))));
      const codes = all.map(({ status, json }) => (status === 200 ? 'accepted' : json.code));
      expect(codes.filter((code) => code === 'accepted')).to.have.length(1);
      const winner = codes.indexOf('accepted');
      expect(codes.slice(0, NAMED).filter((_code, n) => n !== winner)).to.deep.equal(
        Array.from({ length: NAMED - 1 }, () => 'OFFER_TAKEN'),
      );
      expect(codes.slice(NAMED)).to.deep.equal(Array.from({ length: PROVIDERS - NAMED }, () => 'ORDER_NOT_FOUND'));
      const { engines } = t.service;
      const events = await listed(engines.log.read(`order-${id}`));
      const took = events.filter(({ type }) => type === 'ThirdPartyTookOrder');
      expect(took.map(({ data }) => data['provider'])).to.deep.equal([providers[winner]!.id]);
      expect(events.filter(({ type }) => type === 'ThirdPartyOfferEnded')).to.have.length(1);
      // If the process died before it granted access, the follower of the log does it.
      await eventuallyPasses(async () => {
        const { rows } = await engines.pool.query<{ writers: string[] }>(
          'select writers from timeline.trackings where number = $1',
          [`MADE${id}`],
        );
        expect(rows.map(({ writers }) => writers)).to.deep.equal([[providers[winner]!.id]]);
      });
    });
});
