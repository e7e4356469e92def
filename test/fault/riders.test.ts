/** Two riders accept an offer through two service processes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { endServiceProcesses, startServiceProcess, type ServiceProcess } from '../support/processes/service-process.js';
import { openRiders, type RiderWorld } from '../support/worlds/riders.js';
import { startTestService, type TestService } from '../support/worlds/service.js';

const ROUNDS = 5;

describe('riders on two service processes', () => {
  let t: TestService;
  let other: ServiceProcess;
  let world: RiderWorld;
  let dataDir: string;
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    dataDir = await mkdtemp(join(tmpdir(), 'transport-riders-'));
    other = await startServiceProcess({ dataDir, databaseUrl: t.databaseUrl });
    world = await openRiders(t, 2, () => Date.now());
    for (const { id } of world.riders)
      await world.as('client_admin', `/drivers/${id}/rider-grant`, { enabled: true, max_concurrent: 5 }, 'PUT');
  });
  after(async () => {
    await endServiceProcesses();
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('drivers-and-fleets 4: one of two riders who accept through two processes at once gets the order, on one route', async () => {
    const routes = [await world.online(0, 100), await world.online(1, 200)];
    for (let round = 0; round < ROUNDS; round++) {
      for (const rider of [0, 1]) await world.stand(rider, 100 + rider);
      const order = await world.order();
      expect((await world.request(order, { parallel: 2 })).status).to.equal(200);
      const offers = await Promise.all([0, 1].map(async (rider) => (await world.offers(rider))[0]!));
      const answers = await Promise.all(
        offers.map((offer, rider) => world.ride(rider, `/offers/${offer}/accept`, {}, rider === 0 ? t.url : other.url)),
      );
      expect(answers.map(({ status, json }) => (status === 200 ? 'won' : json.code)).sort()).to.deep.equal([
        'OFFER_TAKEN',
        'won',
      ]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const { json } = await world.as('client_admin', `/orders/${order}`);
      expect(json.order.route_id).to.equal(routes[winner]);
      expect(answers[winner]!.json.order.route_id).to.equal(routes[winner]);
      expect((await world.eventsOf(order)).filter((one) => /Accepted|Assigned/.test(one))).to.deep.equal([
        `RiderOfferAccepted ${winner}`,
        `InstantAssigned ${winner}`,
      ]);
    }
  });
});
