/**
 * Erased data stays erased (C7): after a retry, new events of the same parcel, a crash, and a restore of older keys.
 */
import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { startErasing } from '../../../src/areas/wiring/erasure.js';
import { attachEngines } from '../../../src/engines/open.js';
import { erasureStream } from '../../../src/events/privacy/events.js';
import { WAIT_LIMIT_MS, eventually } from '../../support/eventually.js';
import { runCli } from '../../support/processes/cli.js';
import { freshDatabase, query, type FreshDatabase } from '../../support/worlds/database.js';
import { erasureOf, foundMarkers, openErasureWorld, type ErasureWorld } from '../../support/worlds/erasure.js';
import { decryptableText } from '../../support/checks/leaks.js';
import { recently as event, timelineOf } from '../../support/inputs/pushes.js';
import { MASTER_KEY, startTestService } from '../../support/worlds/service.js';
import { causeOf, openTracking, sendToOrder } from '../../support/worlds/shipments.js';

describe('an erased person (C7)', () => {
  let world: ErasureWorld;
  let old: string;
  let keysBefore: unknown[];
  let target: FreshDatabase | undefined;

  const backup = async (name: string): Promise<string> => {
    const into = join(world.folder, name);
    const { code, stderr } = await runCli('backup', ['create', into], {
      DATABASE_URL: world.t.databaseUrl,
      MASTER_KEY,
      DATA_DIR: world.folder,
    });
    expect(code, stderr).to.equal(0);
    return into;
  };

  before(async () => {
    world = await openErasureWorld();
    old = await backup('old');
    keysBefore = (await world.t.service.engines.pool.query('select * from vault.subject_keys')).rows;
    for (const subject of ['order-901', `account-${world.userId}`])
      expect((await world.erase(subject)).json, subject).to.include({ result: true, subject, finished: true });
  });
  after(async () => {
    await world?.stop();
    await target?.drop();
  });

  it('the retry of an earlier request changes nothing, and gets a new response', async () => {
    const again = await world.pushOnce();
    expect([again.status, again.json.accepted, again.json.duplicates], again.text).to.deep.equal([200, 0, 2]);
  });

  it('stays erased when the same parcel gets new events, also in a capture', async () => {
    const { t, demo, number, epcis, responseText } = world;
    const later = await t.push(timelineOf(number, [event('in_transit', 4, { description: 'SECRET-description' })]));
    expect(later.json.accepted).to.equal(1);
    await sendToOrder(t.service, 901, demo, { do: 'annotate', note: 'SECRET-note' }, causeOf(demo, 1));
    const captured = await t.api('/otep/epcis/capture', { key: t.demo.provider.key, body: epcis(10, 'SECRET-epcis') });
    expect(captured.status).to.equal(202);
    // An event about the erased parcel is never readable. Its document has a separate key until the follower finds it.
    expect(foundMarkers(await decryptableText(t.service))).to.deep.equal([]);
    const capture = captured.json.captureID as string;
    await eventually(
      async () => (await t.service.engines.keyRing.existing([capture])).size === 0,
      'the end of the key of the document',
    );
    expect(foundMarkers(await decryptableText(t.service))).to.deep.equal([]);
    expect(foundMarkers(await responseText())).to.deep.equal([]);
    expect(await erasureOf(t).erasing.sweep()).to.equal(0);
  });

  it('continues after a crash between the decision and its execution', async () => {
    const { t, demo, number } = world;
    const cause = causeOf(demo, t.demo.users.client_admin.id);
    const other = await openTracking(t.service, demo, `${number}X`, [t.demo.provider.id], cause);
    await t.service.progress.waitFor('timeline', await t.service.engines.log.head(), WAIT_LIMIT_MS);
    await t.push(timelineOf(`${number}X`, [event('picked_up', 1, { description: 'SECRET-description' })]));
    const subject = `tracking-${other}`;
    const { position } = await t.service.commands.privacy(
      erasureStream(subject),
      { do: 'erase', commandId: randomUUID(), subject, kind: 'tracking', business: demo, keys: [other] },
      cause,
    );
    await t.service.progress.waitFor('erasures', position!, WAIT_LIMIT_MS);
    expect(foundMarkers(await decryptableText(t.service))).to.deep.equal(['SECRET-description']);
    const errors: unknown[] = [];
    const repair = startErasing(erasureOf(t), {
      now: () => Date.now() + 20_000,
      limits: t.service.engines.limits,
      onError: (error) => errors.push(error),
    });
    await eventually(
      async () => foundMarkers(await decryptableText(t.service)).length === 0,
      'text that is sealed for ever',
    );
    await repair.stop();
    expect(errors).to.deep.equal([]);
    expect(foundMarkers(await decryptableText(t.service))).to.deep.equal([]);
    const events = (await t.service.engines.log.readMany([erasureStream(subject)])).get(erasureStream(subject))!;
    expect(events.map(({ type }) => type)).to.deep.equal(['SubjectErased', 'KeysDestroyed']);
  });

  it('a start destroys all keys of interrupted erasures before any read, also of large ones', async () => {
    const { t, demo } = world;
    const { keyRing } = t.service.engines;
    const cause = causeOf(demo, t.demo.users.client_admin.id);
    // More erasures than one page, the oldest with more keys than one check looks at.
    const all: string[] = [];
    let last;
    for (let erasure = 0; erasure < 52; erasure++) {
      const subject = `order-${70_000 + erasure}`;
      const keys = Array.from({ length: erasure === 0 ? 120 : 1 }, (_, n) => `${subject}-key-${n}`);
      all.push(...keys);
      last = await t.service.commands.privacy(
        erasureStream(subject),
        { do: 'erase', commandId: randomUUID(), subject, kind: 'order', business: demo, keys },
        cause,
      );
    }
    await t.service.progress.waitFor('erasures', last!.position!, WAIT_LIMIT_MS);
    await keyRing.keysFor(all);
    await erasureOf(t).erasing.sweep();
    expect([...(await keyRing.existing(all)).keys()]).to.deep.equal([]);
  });

  it('a start with older keys destroys them again before any read', async () => {
    const { t } = world;
    await t.service.engines.pool.query(
      'insert into vault.subject_keys select * from json_populate_recordset(null::vault.subject_keys, $1) on conflict (subject) do update set wrapped = excluded.wrapped, destroyed_at = null',
      [
        JSON.stringify(
          keysBefore.map((row) => ({
            ...(row as object),
            wrapped:
              (row as { wrapped: Buffer | null }).wrapped &&
              `\\x${(row as { wrapped: Buffer }).wrapped.toString('hex')}`,
          })),
        ),
      ],
    );
    expect(foundMarkers(await decryptableText(t.service))).to.not.deep.equal([]);
    const again = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env: { ROLES: 'api' } });
    expect(foundMarkers(await decryptableText(again.service))).to.deep.equal([]);
    await again.stop();
  });

  it('a restore of older keys next to the log destroys them again, and so does adopting a log', async () => {
    const { userId, folder } = world;
    const now = await backup('now');
    await cp(join(old, 'keys.ndjson.gz'), join(now, 'keys.ndjson.gz'));
    const { url } = (target = await freshDatabase());
    const env = { DATABASE_URL: url, MASTER_KEY, DATA_DIR: folder };
    const { code, stderr } = await runCli('backup', ['restore', now], env);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(/keys of erased persons are destroyed/);
    const openable = async () => {
      const engines = await attachEngines({
        databaseUrl: url,
        dataDir: folder,
        eventStoreUrl: undefined,
        masterKey: Buffer.from(MASTER_KEY, 'hex'),
      });
      return decryptableText({ engines }).finally(() => engines.close());
    };
    expect(foundMarkers(await openable())).to.deep.equal([]);
    expect(
      await query(
        url,
        'select from access.logins where account = $1 union all select from access.tokens where account = $1',
        [userId],
      ),
    ).to.deep.equal([]);
    await query(
      url,
      `update vault.subject_keys set destroyed_at = null, wrapped = '\\x00' where destroyed_at is not null`,
    );
    // Queued for the policy of orders, whose checkpoint `adopt` deletes.
    await query(
      url,
      `insert into order_policy.pending (stream, revision, position, order_id, business, recorded_at)
       values ('tracking-former', 0, '0', 1, 1, '2026-01-01T00:00:00.000Z')`,
    );
    expect((await runCli('log', ['adopt'], env)).code).to.equal(0);
    expect(await query(url, 'select from order_policy.pending')).to.deep.equal([]);
    expect(await query(url, `select from vault.subject_keys where wrapped = '\\x00'`)).to.deep.equal([]);
  });
});
