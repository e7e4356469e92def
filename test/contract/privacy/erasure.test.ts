/**
 * A person is erased for good (C7): in no read, format, export, row, message, stored response or log line. Only some
 * callers may request an erasure.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { attachEngines } from '../../../src/engines/open.js';
import { accountStream } from '../../../src/events/accounts/events.js';
import { erasureStream } from '../../../src/events/privacy/events.js';
import { eventually } from '../../support/eventually.js';
import { runCli } from '../../support/processes/cli.js';
import {
  EMAIL,
  erasureOf,
  foundMarkers,
  foundNormalizedMarkers,
  MARKERS,
  openErasureWorld,
  PASSWORD,
  type ErasureWorld,
} from '../../support/worlds/erasure.js';
import { databaseText, eventsOf, messageText, decryptableText } from '../../support/checks/leaks.js';
import { rootOf } from '../../support/worlds/logs.js';
import { newNumber, recently as event, timelineOf } from '../../support/inputs/pushes.js';
import { MASTER_KEY } from '../../support/worlds/service.js';
import { causeOf } from '../../support/worlds/shipments.js';

describe('erasing a person (C7)', () => {
  let world: ErasureWorld;
  before(async () => void (world = await openErasureWorld()));
  after(() => world?.stop());

  it('before: all data is there for authorized users, and nothing of it is stored as plaintext', async () => {
    const { t, tracking, capture, responseText } = world;
    expect(foundMarkers(await responseText())).to.have.members(MARKERS);
    expect(foundMarkers(await decryptableText(t.service))).to.have.members(MARKERS);
    expect(foundMarkers(await databaseText(t.service)), 'in clear').to.deep.equal([]);
    expect(foundNormalizedMarkers(await databaseText(t.service)), 'folded, to be searched').to.deep.equal([]);
    const document = (await eventsOf(t.service)).find(
      ({ stream, type }) => stream === `capture-${capture}` && type === 'EpcisCaptured',
    )!;
    expect(document.data['trackings']).to.include(tracking);
  });

  it('only the client admin of the business may do it, and others do not learn that the person exists', async () => {
    const { t, as, number, tracking, userId, erase } = world;
    const { pool } = t.service.engines;
    const before = (await eventsOf(t.service)).length;
    for (const user of ['employee', 'auditor', 'platform_admin', 'broker', 'driver', 'customer'] as const)
      expect((await erase('order-901', user)).status, user).to.equal(403);
    for (const subject of ['order-901', `account-${userId}`, tracking, `tracking-${tracking}`, number])
      expect((await erase(subject, 'other_client_admin')).status, subject).to.equal(404);
    for (const subject of ['order-999999', 'account-0', 'nobody', 'order-x', randomUUID(), 'DEMO0000001'])
      expect((await erase(subject)).status, subject).to.equal(404);
    expect((await erase(`account-${t.demo.users.client_admin.id}`)).json.code).to.equal('CONFLICT');
    const key = await t.api('/api-keys', {
      key: await as('client_admin'),
      body: { name: 'ops', profile: 'ops-write' },
    });
    expect((await t.api('/privacy/subjects/order-901/erase', { key: key.json.secret, body: {} })).json.code).to.equal(
      'INSUFFICIENT_SCOPE',
    );
    expect((await pool.query('select from vault.subject_keys where destroyed_at is not null')).rowCount).to.equal(0);
    expect((await eventsOf(t.service)).slice(before).map(({ type }) => type)).to.deep.equal(['ApiKeyCreated']);
  });

  describe('after', () => {
    let size: number;
    let root: string;

    before(async () => {
      const events = await eventsOf(world.t.service);
      size = events.length;
      root = rootOf(events);
    });

    it('other processes learn of it at once', async () => {
      const { t, tracking, capture, folder, erase } = world;
      const other = await attachEngines({
        databaseUrl: t.databaseUrl,
        dataDir: folder,
        eventStoreUrl: undefined,
        masterKey: Buffer.from(MASTER_KEY, 'hex'),
      });
      try {
        expect((await other.keyRing.existing([tracking, 'order-901'])).size).to.equal(2);
        const answer = await erase('order-901');
        expect(answer.status, answer.text).to.equal(200);
        expect(answer.json).to.include({ result: true, subject: 'order-901', finished: true });
        expect(answer.json.kept.map(({ what }: { what: string }) => what)).to.deep.equal([
          'facts',
          'proofs',
          'erasure',
        ]);
        const existing = () => other.keyRing.existing([tracking, 'order-901', capture]);
        await eventually(async () => (await existing()).size === 0, 'the end of the keys in another process');
      } finally {
        await other.close();
      }
    });

    it('of an account: the orders are found page by page', async () => {
      const { t, demo, userId, orderId, approvedOrder } = world;
      const pages: (readonly number[])[] = [];
      for await (const page of erasureOf(t).queries.ordersOf(userId, demo, 1)) pages.push(page);
      expect(pages).to.deep.equal([orderId, approvedOrder].sort((a, b) => a - b).map((id) => [id]));
    });

    it('of an account: it cannot sign in any more', async () => {
      const { t, as, demo, userId, erase } = world;
      const { json } = await t.api('/user/login', { body: { email: EMAIL, password: PASSWORD } });
      const answer = await erase(`account-${userId}`);
      expect(answer.json).to.include({ result: true, subject: `account-${userId}`, finished: true });
      expect(answer.json.kept.at(-1)).to.include({ what: 'account', rule: 'erasure R3' });
      expect((await t.api('/me', { key: json.access_token })).status).to.equal(401);
      expect((await t.api('/user/login', { body: { email: EMAIL, password: PASSWORD } })).status).to.equal(401);
      const { rows } = await t.service.engines.pool.query(
        'select from access.logins where account = $1 union all select from access.tokens where account = $1',
        [userId],
      );
      expect(rows).to.deep.equal([]);
      expect(
        (await t.service.engines.log.readMany([accountStream(userId)])).get(accountStream(userId))!.at(-1)!.type,
      ).to.equal('AccountDisabled');
      // The address is free for another person.
      const again = await t.api('/users', {
        key: await as('client_admin'),
        body: { email: EMAIL, name: 'Another', password: PASSWORD, role: 'customer' },
      });
      expect(again.status).to.equal(201);
      expect(again.json.user.id).to.not.equal(userId);
      expect((await erase(`account-${again.json.user.id}`)).status).to.equal(200);
      // The account was enabled by mistake, and is disabled when it is erased again.
      const [gone, stream] = [again.json.user.id as number, accountStream(again.json.user.id)];
      await t.service.commands.accounts(
        stream,
        { do: 'enable', commandId: randomUUID(), userId: gone },
        causeOf(demo, t.demo.users.client_admin.id),
      );
      expect((await erase(`account-${gone}`)).status).to.equal(200);
      expect(
        (await t.service.engines.log.readMany([stream]))
          .get(stream)!
          .slice(-2)
          .map(({ type }) => type),
      ).to.deep.equal(['AccountEnabled', 'AccountDisabled']);
    });

    it('no personal data is left in any read', async () => {
      const { t, as, logged, responseText } = world;
      expect(foundMarkers(await responseText()), 'told').to.deep.equal([]);
      expect(foundMarkers(await decryptableText(t.service)), 'openable').to.deep.equal([]);
      expect(foundNormalizedMarkers(await databaseText(t.service)), 'rows').to.deep.equal([]);
      expect(foundMarkers(await messageText(t.service)), 'messages').to.deep.equal([]);
      const { rows: remainingRows } = await t.service.engines.pool.query(
        `select from access.idempotency where key = 'others' and answer is not null union all select from webhooks.attempts where answer is not null`,
      );
      expect(remainingRows, 'other businesses keep theirs').to.have.length(2);
      const { json } = await t.api('/proposals?per_page=200', { key: await as('client_admin') });
      expect(
        json.proposals.map(({ reason }: { reason?: string }) => reason).filter(Boolean),
        'proposals about others stay',
      ).to.deep.equal(['another']);
      expect(foundMarkers(logged.join('\n')), 'log lines').to.deep.equal([]);
      expect(
        foundMarkers(JSON.stringify((await t.service.engines.pool.query('select * from access.logins')).rows)),
      ).to.deep.equal([]);
    });

    it('the events are still listed, and the leaves of the log are unchanged', async () => {
      const { t, as, number, capture } = world;
      const { json } = await t.api(`/otep/trackings/${number}`, { key: await as('client_admin') });
      expect(json.events.map(({ status_code }: { status_code: string }) => status_code)).to.include.members([
        'picked_up',
        'delivered',
      ]);
      expect(rootOf((await eventsOf(t.service)).slice(0, size))).to.equal(root);
      const audit = await t.api('/audit/streams/order-901/events?include_personal=true', {
        key: await as('client_admin'),
      });
      expect(audit.json.events[0].personal).to.equal('erased');
      const erasure = await t.api(`/audit/streams/${erasureStream('order-901')}/events`, {
        key: await as('auditor'),
        headers: { 'x-event-position': await t.service.engines.log.head() },
      });
      expect(
        erasure.json.events.map(({ type, actor }: { type: string; actor: { kind: string } }) => [type, actor.kind]),
      ).to.deep.equal([
        ['SubjectErased', 'user'],
        ['KeysDestroyed', 'system'],
      ]);
      expect(erasure.json.events[1].data.keys).to.include(capture);
    });

    it("operators do it at the command line, also for a carrier's own parcel", async () => {
      const { t, folder } = world;
      const own = newNumber();
      await t.push(timelineOf(own, [event('picked_up', 1, { description: 'SECRET-description' })]));
      const env = { DATABASE_URL: t.databaseUrl, MASTER_KEY, DATA_DIR: folder };
      const unasked = await runCli('admin', ['erase', own], env);
      expect(unasked.code, 'nobody would answer').to.equal(2);
      expect(unasked.stderr).to.include('confirm with --yes');
      const { code, stdout, stderr } = await runCli('admin', ['erase', own, '--yes'], env);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^tracking-[0-9a-f-]{36}\n$/);
      expect(foundMarkers(await decryptableText(t.service))).to.deep.equal([]);
      expect((await runCli('admin', ['erase', 'nobody', '--yes'], env)).code).to.equal(1);
    });
  });
});
