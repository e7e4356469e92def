/** A person is forgotten for good (C7): in no read, format, export, row, message, kept answer or log line, also after a crash and a restore. */
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { createErasure, startErasing } from '../../src/erasure.js';
import { attachEngines } from '../../src/engines/open.js';
import { accountStream } from '../../src/events/accounts.js';
import { leafHashOf } from '../../src/events/leaf.js';
import { MerkleTree } from '../../src/events/merkle.js';
import { erasureStream } from '../../src/events/privacy.js';
import { createDirectory } from '../../src/projections/directory.js';
import { createTrackingQueries } from '../../src/projections/tracking-queries.js';
import { FORMATS } from '../../src/serializers/index.js';
import { runCli } from '../support/cli.js';
import { freshDatabase, query } from '../support/database.js';
import { documentOf, newParcel, scan } from '../support/epcis-documents.js';
import { databaseText, eventsOf, messageText, openableText } from '../support/leaks.js';
import { callTool } from '../support/mcp.js';
import { ORDER, STOP } from '../support/orders.js';
import { event, newNumber, timelineOf } from '../support/pushes.js';
import { MASTER_KEY, startTestService, type TestService } from '../support/service.js';
import { businessIds, causeOf, openTracking, toOrder } from '../support/shipments.js';
import { signIns, type UserName } from '../support/users.js';

/** Texts that stand nowhere else. */
const OF_ORDER = ['SECRET-recipient', 'SECRET-street', 'SECRET-note', 'SECRET-hold', 'SECRET-driver', 'SECRET-description', 'SECRET-extension', 'SECRET-epcis', 'SECRET-proof'];
const OF_USER = ['SECRET-user', 'secret.user@example.org'];
/** Of an order of the customer, and of what was said of it. */
const OF_CUSTOMER = ['SECRET-customer', 'SECRET-gate', 'SECRET-assigned', 'SECRET-instruction', 'SECRET-proposed', 'SECRET-change', 'SECRET-approved'];
const MARKERS = [...OF_ORDER, ...OF_USER, ...OF_CUSTOMER];

const found = (text: string, markers: readonly string[] = MARKERS): string[] => markers.filter((marker) => text.includes(marker));

/** Also where texts are folded, to be searched. */
const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
const foundFolded = (text: string): string[] => MARKERS.filter((marker) => plain(text).includes(plain(marker)));

describe('erasing a person (C7)', function () {
  this.timeout(120_000);
  let t: TestService;
  let as: (user: UserName) => Promise<string>;
  let demo: number;
  let tracking: string;
  let userId: number;
  /** Of the customer. */
  let orderId: number;
  let approvedOrder: number;
  let capture: string;
  let folder: string;
  const logged: string[] = [];
  const number = newNumber();
  const parcel = newParcel();
  const undo: (() => unknown)[] = [];

  const erasureOf = ({ service }: TestService) => {
    const { engines, commands, progress } = service;
    return createErasure({ engines, commands, progress, directory: createDirectory({ queries: createTrackingQueries(engines.pool), log: engines.log, progress }) });
  };

  /** Whatever the API tells anybody of the order, the parcel and the user. */
  async function toldText(): Promise<string> {
    const position = { 'x-event-position': await t.service.engines.log.head() };
    const admin = { key: await as('client_admin'), headers: position };
    const carrier = { key: t.demo.provider.key, headers: position };
    const texts: string[] = [];
    const read = async (path: string, options: object) => {
      const { status, text } = await t.api(path, options);
      expect(status, path).to.be.oneOf([200, 404]);
      texts.push(text);
    };
    expect(FORMATS).to.have.length(14);
    for (const { name } of FORMATS) for (const caller of [admin, carrier, { headers: position }]) await read(`/otep/trackings/${number}?format=${name}`, caller);
    for (const caller of [admin, carrier]) {
      await read(`/otep/trackings/${number}/events`, caller);
      await read(`/otep/trackings/${number}/events?after=-1`, caller);
    }
    await read('/otep/trackings/batch', { ...admin, body: { tracking_numbers: [number] } });
    await read(`/otep/epcis/events?MATCH_anyEPC=${encodeURIComponent(parcel.urn)}`, carrier);
    await read(`/otep/epcis/capture/${capture}`, carrier);
    await read('/users?per_page=200', admin);
    await read(`/users/${userId}`, admin);
    await read('/orders?per_page=200', admin);
    await read('/orders/find?query=SECRET-customer', admin);
    await read('/addresses/search?query=SECRET-gate', admin);
    await read('/broker-order-assignments?per_page=200', admin);
    for (const id of [orderId, approvedOrder]) await read(`/orders/${id}`, admin);
    const { json } = await t.api('/approvals?per_page=200', admin);
    texts.push(JSON.stringify(json));
    for (const { proposal_id } of json.proposals) await read(`/approvals/${proposal_id}`, admin);
    for (const path of ['/events?limit=500', '/events/export?', '/streams/order-901/events?limit=500', '/state?stream=order-901', `/state?stream=tracking-${tracking}`, `/state?stream=account-${userId}`]) await read(`/audit${path}&include_personal=true`, admin);
    return texts.join('\n');
  }

  const rootOf = async (size?: number): Promise<string> => {
    const tree = new MerkleTree();
    for (const stored of (await eventsOf(t.service)).slice(0, size)) tree.append(leafHashOf(stored));
    return `${tree.size} ${tree.root().toString('hex')}`;
  };

  const erase = async (subject: string, user: UserName = 'client_admin') => t.api(`/privacy/subjects/${encodeURIComponent(subject)}/erase`, { method: 'POST', key: await as(user), body: {} });
  const backup = async (name: string, url = t.databaseUrl): Promise<string> => {
    const into = join(folder, name);
    const { code, stderr } = await runCli('backup', ['create', into], { DATABASE_URL: url, MASTER_KEY, DATA_DIR: folder });
    expect(code, stderr).to.equal(0);
    return into;
  };
  const epcis = (hour: number, marker: string) => documentOf(scan([parcel.urn], 'shipping', hour, { 'ex:remark': marker }), scan([newParcel().urn], 'shipping', hour, { 'ex:remark': 'of another parcel' }));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'erasure-'));
    t = await startTestService({ logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }) });
    as = signIns(t);
    ({ demo } = await businessIds(t.service));
    const cause = causeOf(demo, t.demo.users.client_admin.id);
    // Before the order, which would open it without a writer.
    tracking = await openTracking(t.service, demo, number, [t.demo.provider.id], cause);
    await toOrder(t.service, 901, demo, { do: 'create', order: {
      type: 'D', self_delivery: true, packages: [{ tracking_number: number }], time_windows: [], note: 'SECRET-note', delivery: { name: 'SECRET-recipient', street: 'SECRET-street 1', city: 'Berlin' } } }, cause);
    await toOrder(t.service, 901, demo, { do: 'hold', reason: 'SECRET-hold' }, cause);
    const push = { headers: { 'idempotency-key': 'push-once' } };
    const pushed = await t.push(timelineOf(number, [
      event('picked_up', 1, { description: 'SECRET-description', 'x-remark': 'SECRET-extension' }),
      event('delivered', 9, { source: { type: 'driver', name: 'SECRET-driver' }, location: { city: 'Berlin', latitude: 52.5123456, longitude: 13.4123456 }, proof: { kind: 'photo', url: 'https://x.example/SECRET-proof' } }),
    ], { gs1_sscc: parcel.sscc }), push);
    expect(pushed.json.accepted, pushed.text).to.equal(2);
    const captured = await t.api('/otep/epcis/capture', { key: t.demo.provider.key, body: epcis(8, 'SECRET-epcis'), headers: { 'content-type': 'application/json', 'x-event-position': pushed.headers.get('x-event-position')! } });
    expect(captured.status, captured.text).to.equal(202);
    capture = captured.json.captureID;
    const made = await t.api('/users', { key: await as('client_admin'), body: { email: OF_USER[1], name: 'SECRET-user', phone: '+49 30 000', password: 'correct horse battery', role: 'customer' }, headers: { 'idempotency-key': 'user-once' } });
    userId = made.json.user_id;
    expect((await t.api('/user/login', { body: { email: OF_USER[1], password: 'correct horse battery' } })).status).to.equal(200);
    // An order of that customer, with all that may be said of it; a proposal to change it, one that made another of its orders, one about somebody else.
    const admin = await as('client_admin');
    const placed = await t.api('/client/orderCreate', { key: admin, body: { ...ORDER, customer_id: userId, delivery: { ...STOP, name: 'SECRET-customer', phone: '+1 416 555 0199', street: 'SECRET-gate 1' }, delivery_instruction: 'SECRET-instruction' } });
    expect(placed.status, placed.text).to.equal(201);
    orderId = placed.json.order_id;
    expect((await t.api('/broker-order-assignments', { key: admin, body: { order_ids: [orderId], broker_id: t.demo.users.broker.id, note: 'SECRET-assigned' } })).json.assigned).to.equal(1);
    const propose = async (tool: string, args: object, reason: string) => {
      const { structuredContent } = await callTool(t, 'propose_write', { tool, arguments: args, reason }, { token: admin });
      expect(structuredContent['proposal_id'], JSON.stringify(structuredContent)).to.be.a('string');
      return structuredContent['proposal_id'] as string;
    };
    await propose('update_order_note', { order_id: orderId, note: 'SECRET-change' }, 'SECRET-proposed');
    const making = await propose('create_order', { ...ORDER, customer_id: userId, delivery: { ...STOP, name: 'SECRET-approved' } }, 'because');
    const approved = await t.api(`/approvals/${making}/approve`, { key: admin, body: { confirm: true } });
    expect(approved.status, approved.text).to.equal(200);
    approvedOrder = Number((await t.service.engines.pool.query('select max(id) as id from orders.orders where customer_id = $1', [userId])).rows[0].id);
    await propose('hold_order', { order_id: (await t.api('/client/orderCreate', { key: admin, body: ORDER })).json.order_id, reason: 'of another order' }, 'another');
    // An answer that speaks of the person, kept for a retry.
    await t.service.engines.pool.query(`update access.idempotency set answer = $2 where key = $1`, ['user-once', t.service.engines.vault.seal(Buffer.from(JSON.stringify({ result: { name: 'SECRET-user' } })), `user:${t.demo.users.client_admin.id} user-once`)]);
    // What an endpoint of the business answered, and one of another business.
    const { pool, webhookVault } = t.service.engines;
    for (const [business, answer] of [[demo, 'SECRET-recipient'], [demo + 1, 'thanks']] as const) {
      const id = randomUUID();
      await pool.query(`insert into webhooks.deliveries (id, business, kind, target, recorded_at, state, most) values ($1, $2, 'orders', '', now(), 'delivered', 1)`, [id, business]);
      await pool.query(`insert into webhooks.attempts (delivery, attempt, at, ms, status, target, answer) values ($1, 1, now(), 5, 200, '', $2)`, [id, webhookVault.seal(Buffer.from(answer), `webhook answer ${id} 1`)]);
    }
    await pool.query(`insert into access.idempotency (principal, key, fingerprint, command_id, answer) values ($1, 'others', '', gen_random_uuid(), $2)`,
      [`user:${t.demo.users.other_client_admin.id}`, t.service.engines.vault.seal(Buffer.from('{}'), `user:${t.demo.users.other_client_admin.id} others`)]);
  });
  after(async () => {
    await t.stop();
    for (const step of undo.reverse()) await step();
    await rm(folder, { recursive: true, force: true });
  });

  it('before: it is all there for who may see it, and nothing of it stands anywhere in clear', async () => {
    expect(found(await toldText())).to.have.members(MARKERS);
    expect(found(await openableText(t.service))).to.have.members(MARKERS);
    expect(found(await databaseText(t.service)), 'in clear').to.deep.equal([]);
    expect(foundFolded(await databaseText(t.service)), 'to be searched').to.include.members(['SECRET-recipient', 'SECRET-customer', 'SECRET-gate', 'SECRET-approved']);
    const document = (await eventsOf(t.service)).find(({ stream, type }) => stream === `capture-${capture}` && type === 'EpcisCaptured')!;
    expect(document.data['trackings']).to.include(tracking);
  });

  it('is for the client admin of the business alone, and tells nobody else that there is such a person', async () => {
    const { pool } = t.service.engines;
    const before = (await eventsOf(t.service)).length;
    for (const user of ['employee', 'auditor', 'platform_admin', 'broker', 'driver', 'customer'] as const) expect((await erase('order-901', user)).status, user).to.equal(403);
    for (const subject of ['order-901', `account-${userId}`, tracking, `tracking-${tracking}`, number]) expect((await erase(subject, 'other_client_admin')).status, subject).to.equal(404);
    for (const subject of ['order-999999', 'account-0', 'nobody', 'order-x', randomUUID(), 'DEMO0000001']) expect((await erase(subject)).status, subject).to.equal(404);
    expect((await erase(`account-${t.demo.users.client_admin.id}`)).json.code).to.equal('CONFLICT');
    const key = await t.api('/api-keys', { key: await as('client_admin'), body: { name: 'ops', profile: 'ops-write' } });
    expect((await t.api('/privacy/subjects/order-901/erase', { key: key.json.api_key, body: {} })).json.code).to.equal('INSUFFICIENT_SCOPE');
    expect((await pool.query('select from vault.subject_keys where destroyed_at is not null')).rowCount).to.equal(0);
    expect((await eventsOf(t.service)).slice(before).map(({ type }) => type)).to.deep.equal(['ApiKeyCreated']);
  });

  describe('after', () => {
    let size: number;
    let root: string;
    let old: string;
    let keysBefore: unknown[];

    before(async () => {
      old = await backup('old');
      keysBefore = (await t.service.engines.pool.query('select * from vault.subject_keys')).rows;
      size = (await eventsOf(t.service)).length;
      root = await rootOf();
    });

    it('other processes learn of it at once', async () => {
      const other = await attachEngines({ databaseUrl: t.databaseUrl, dataDir: folder, eventStoreUrl: undefined, masterKey: Buffer.from(MASTER_KEY, 'hex') });
      try {
        expect((await other.keyRing.existing([tracking, 'order-901'])).size).to.equal(2);
        const answer = await erase('order-901');
        expect([answer.status, answer.json], answer.text).to.deep.equal([200, { result: true, subject: 'order-901', finished: true }]);
        await sleep(100);
        expect((await other.keyRing.existing([tracking, 'order-901', capture])).size).to.equal(0);
      } finally {
        await other.close();
      }
    });

    it('of an account: the orders are found page by page', async () => {
      const pages: (readonly number[])[] = [];
      for await (const page of erasureOf(t).queries.ordersOf(userId, demo, 1)) pages.push(page);
      expect(pages).to.deep.equal([orderId, approvedOrder].sort((a, b) => a - b).map((id) => [id]));
    });

    it('of an account: nobody signs in with it any more', async () => {
      const { json } = await t.api('/user/login', { body: { email: OF_USER[1], password: 'correct horse battery' } });
      const answer = await erase(`account-${userId}`);
      expect(answer.json).to.deep.equal({ result: true, subject: `account-${userId}`, finished: true });
      expect((await t.api('/user/me', { key: json.access_token })).status).to.equal(401);
      expect((await t.api('/user/login', { body: { email: OF_USER[1], password: 'correct horse battery' } })).status).to.equal(401);
      const { rows } = await t.service.engines.pool.query('select from access.logins where account = $1 union all select from access.tokens where account = $1', [userId]);
      expect(rows).to.deep.equal([]);
      expect((await t.service.engines.log.readMany([accountStream(userId)])).get(accountStream(userId))!.at(-1)!.type).to.equal('AccountDisabled');
      // The address is free for another person.
      const again = await t.api('/users', { key: await as('client_admin'), body: { email: OF_USER[1], name: 'Another', password: 'correct horse battery', role: 'customer' } });
      expect(again.status).to.equal(201);
      expect(again.json.user_id).to.not.equal(userId);
      expect((await erase(`account-${again.json.user_id}`)).status).to.equal(200);
    });

    it('nothing of the person is left, whatever is read', async () => {
      expect(found(await toldText()), 'told').to.deep.equal([]);
      expect(found(await openableText(t.service)), 'openable').to.deep.equal([]);
      expect(foundFolded(await databaseText(t.service)), 'rows').to.deep.equal([]);
      expect(found(await messageText(t.service)), 'messages').to.deep.equal([]);
      const { rows: kept } = await t.service.engines.pool.query(`select from access.idempotency where key = 'others' and answer is not null union all select from webhooks.attempts where answer is not null`);
      expect(kept, 'other businesses keep theirs').to.have.length(2);
      const { json } = await t.api('/approvals?per_page=200', { key: await as('client_admin') });
      expect(json.proposals.map(({ reason }: { reason?: string }) => reason).filter(Boolean), 'proposals about others stay').to.deep.equal(['another']);
      expect(found(logged.join('\n')), 'log lines').to.deep.equal([]);
      expect(found(JSON.stringify((await t.service.engines.pool.query('select * from access.logins')).rows))).to.deep.equal([]);
    });

    it('what happened is still told, and the leaves of the log are the same', async () => {
      const { json } = await t.api(`/otep/trackings/${number}`, { key: await as('client_admin') });
      expect(json.events.map(({ status_code }: { status_code: string }) => status_code)).to.include.members(['picked_up', 'delivered']);
      expect(await rootOf(size)).to.equal(root);
      const audit = await t.api('/audit/streams/order-901/events?include_personal=true', { key: await as('client_admin') });
      expect(audit.json.events[0].personal).to.equal('erased');
      const erasure = await t.api(`/audit/streams/${erasureStream('order-901')}/events`, { key: await as('auditor'), headers: { 'x-event-position': await t.service.engines.log.head() } });
      expect(erasure.json.events.map(({ type, actor }: { type: string; actor: { kind: string } }) => [type, actor.kind])).to.deep.equal([['SubjectErased', 'user'], ['KeysDestroyed', 'system']]);
      expect(erasure.json.events[1].data.keys).to.include(capture);
    });

    it('a retry of a request of before changes nothing, and is answered anew', async () => {
      const again = await t.push(timelineOf(number, [
        event('picked_up', 1, { description: 'SECRET-description', 'x-remark': 'SECRET-extension' }),
        event('delivered', 9, { source: { type: 'driver', name: 'SECRET-driver' }, location: { city: 'Berlin', latitude: 52.5123456, longitude: 13.4123456 }, proof: { kind: 'photo', url: 'https://x.example/SECRET-proof' } }),
      ], { gs1_sscc: parcel.sscc }), { headers: { 'idempotency-key': 'push-once' } });
      expect([again.status, again.json.accepted, again.json.duplicates], again.text).to.deep.equal([200, 0, 2]);
    });

    it('it stays gone when the same parcel gets new events, also in a capture', async () => {
      const later = await t.push(timelineOf(number, [event('in_transit', 4, { description: 'SECRET-description' })]));
      expect(later.json.accepted).to.equal(1);
      await toOrder(t.service, 901, demo, { do: 'annotate', note: 'SECRET-note' }, causeOf(demo, 1));
      const captured = await t.api('/otep/epcis/capture', { key: t.demo.provider.key, body: epcis(10, 'SECRET-epcis') });
      expect(captured.status).to.equal(202);
      // Its document has a key of its own, until the sweep finds it.
      expect(found(await openableText(t.service))).to.deep.equal(['SECRET-epcis']);
      expect(await erasureOf(t).erasing.sweep()).to.equal(1);
      expect(found(await openableText(t.service))).to.deep.equal([]);
      expect(found(await toldText())).to.deep.equal([]);
      expect(await erasureOf(t).erasing.sweep()).to.equal(0);
    });

    it('goes on after a crash between the decision and its doing', async () => {
      const cause = causeOf(demo, t.demo.users.client_admin.id);
      const other = await openTracking(t.service, demo, `${number}X`, [t.demo.provider.id], cause);
      await t.service.progress.waitFor('timeline', await t.service.engines.log.head(), 5_000);
      await t.push(timelineOf(`${number}X`, [event('picked_up', 1, { description: 'SECRET-description' })]));
      const subject = `tracking-${other}`;
      const { position } = await t.service.commands.privacy(erasureStream(subject), { do: 'erase', commandId: randomUUID(), subject, kind: 'tracking', business: demo, keys: [other] }, cause);
      await t.service.progress.waitFor('erasures', position!, 5_000);
      expect(found(await openableText(t.service))).to.deep.equal(['SECRET-description']);
      const errors: unknown[] = [];
      const repair = startErasing(erasureOf(t), { now: () => Date.now() + 20_000, onError: (error) => errors.push(error) });
      for (let tries = 0; tries < 50 && found(await openableText(t.service)).length > 0; tries++) await sleep(100);
      await repair.stop();
      expect(errors).to.deep.equal([]);
      expect(found(await openableText(t.service))).to.deep.equal([]);
      const events = (await t.service.engines.log.readMany([erasureStream(subject)])).get(erasureStream(subject))!;
      expect(events.map(({ type }) => type)).to.deep.equal(['SubjectErased', 'KeysDestroyed']);
    });

    it('a start with older keys destroys them again, before anybody reads', async () => {
      await t.service.engines.pool.query(
        'insert into vault.subject_keys select * from json_populate_recordset(null::vault.subject_keys, $1) on conflict (subject) do update set wrapped = excluded.wrapped, destroyed_at = null',
        [JSON.stringify(keysBefore.map((row) => ({ ...(row as object), wrapped: (row as { wrapped: Buffer | null }).wrapped && `\\x${(row as { wrapped: Buffer }).wrapped.toString('hex')}` })))]);
      expect(found(await openableText(t.service))).to.not.deep.equal([]);
      const again = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env: { ROLES: 'api' } });
      expect(found(await openableText(again.service))).to.deep.equal([]);
      await again.stop();
    });

    it('a restore of older keys beside the log destroys them again, and so does adopting a log', async () => {
      const now = await backup('now');
      await cp(join(old, 'keys.ndjson.gz'), join(now, 'keys.ndjson.gz'));
      const target = await freshDatabase();
      undo.push(() => target.drop());
      const env = { DATABASE_URL: target.url, MASTER_KEY, DATA_DIR: folder };
      const { code, stderr } = await runCli('backup', ['restore', now], env);
      expect(code, stderr).to.equal(0);
      expect(stderr).to.match(/keys of erased people are destroyed/);
      const openable = async () => {
        const engines = await attachEngines({ databaseUrl: target.url, dataDir: folder, eventStoreUrl: undefined, masterKey: Buffer.from(MASTER_KEY, 'hex') });
        return openableText({ engines }).finally(() => engines.close());
      };
      expect(found(await openable())).to.deep.equal([]);
      expect(await query(target.url, 'select from access.logins where account = $1 union all select from access.tokens where account = $1', [userId])).to.deep.equal([]);
      await query(target.url, `update vault.subject_keys set destroyed_at = null, wrapped = '\\x00' where destroyed_at is not null`);
      expect((await runCli('log', ['adopt'], env)).code).to.equal(0);
      expect(await query(target.url, `select from vault.subject_keys where wrapped = '\\x00'`)).to.deep.equal([]);
    });

    it('operators do it at the command line, also to a carrier\'s own parcel', async () => {
      const own = newNumber();
      await t.push(timelineOf(own, [event('picked_up', 1, { description: 'SECRET-description' })]));
      const env = { DATABASE_URL: t.databaseUrl, MASTER_KEY, DATA_DIR: folder };
      const { code, stdout, stderr } = await runCli('admin', ['erase', own], env);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^tracking-[0-9a-f-]{36}\n$/);
      expect(found(await openableText(t.service))).to.deep.equal([]);
      expect((await runCli('admin', ['erase', 'nobody'], env)).code).to.equal(1);
    });
  });
});
