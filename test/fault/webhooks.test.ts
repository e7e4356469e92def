/**
 * The process is killed while one webhook waits for its retry and another is being sent: the next process delivers
 * both.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freshDatabase, query, type FreshDatabase } from '../support/worlds/database.js';
import { event, timelineOf } from '../support/inputs/pushes.js';
import { call } from '../support/clients/http.js';
import { endServiceProcesses, SHORT_LEASES, startServiceProcess } from '../support/processes/service-process.js';
import { startTestService } from '../support/worlds/service.js';
import { startReceiver, verify, type Receiver } from '../support/fakes/webhook-receiver.js';
import { ALLOWED, openWebhookFixture, SECRET } from '../support/worlds/webhooks.js';

describe('webhooks after a kill', () => {
  let database: FreshDatabase;
  let dataDir: string;
  let receiver: Receiver;

  beforeEach(async () => {
    database = await freshDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'transport-webhooks-'));
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await endServiceProcesses();
    await receiver.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('are delivered by the next process, under the same ids', async () => {
    const setup = await startTestService({ databaseUrl: database.url, env: ALLOWED });
    const fixture = await openWebhookFixture(setup);
    await fixture.set({ tracking_event_webhook_url: receiver.url, webhook_secret: SECRET });
    const [failing, hanging] = [await fixture.open(), await fixture.open()];
    const { key } = setup.demo.strict_provider;
    await setup.stop();

    const env = { ...ALLOWED, ...SHORT_LEASES, WEBHOOK_RETRY_MS: '4000', WEBHOOK_TIMEOUT_MS: '3000' };
    const first = await startServiceProcess({ databaseUrl: database.url, dataDir, env });
    receiver.answer({ choose: (_index, { json }) => (json.data.subject.tracking_number === failing ? 500 : 'hang') });
    for (const number of [failing, hanging]) {
      expect(
        (await call(`${first.url}/api/v1/otep/ingest`, { key, body: timelineOf(number, [event('picked_up')]) })).json
          .accepted,
      ).to.equal(1);
    }
    await receiver.waitFor(2);
    const failed = () =>
      query<{ id: string }>(database.url, 'select delivery as id from webhooks.attempts where status = 500');
    while ((await failed()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await first.end('SIGKILL');
    expect(receiver.received, 'neither has gone out a second time').to.have.length(2);
    const before = await query<{ state: string }>(database.url, 'select state from webhooks.deliveries');
    expect(before).to.deep.equal([{ state: 'pending' }, { state: 'pending' }]);

    receiver.answer(204);
    const second = await startServiceProcess({ databaseUrl: database.url, dataDir, env });
    const all = await receiver.waitFor(4);
    for (const one of all) verify(one, SECRET);
    for (const number of [failing, hanging]) {
      const ids = all
        .filter(({ json }) => json.data.subject.tracking_number === number)
        .map(({ headers }) => headers['webhook-id']);
      expect([ids.length, new Set(ids).size], number).to.deep.equal([2, 1]);
    }
    const delivered = () =>
      query<{ state: string; attempts: number }>(
        database.url,
        'select distinct state, attempts from webhooks.deliveries',
      );
    await eventually(async () => (await delivered()).every(({ state }) => state === 'delivered'), 'all deliveries');
    expect(await delivered()).to.deep.equal([{ state: 'delivered', attempts: 2 }]);
    expect(second.output()).to.not.contain(receiver.url).and.not.contain(SECRET);
    expect(first.output()).to.not.contain(receiver.url).and.not.contain(SECRET);
    expect(await second.end('SIGTERM')).to.equal(0);
  });
});
