/** A database is bound to its keys. A process with other keys stops before it writes, and keys can be rotated. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEngines } from '../../../src/engines/open.js';
import { isInUse, knownSigners, rotateMasterKey, rotateSigningKey } from '../../../src/engines/postgres/known-keys.js';
import { nextKey, ownKey, settleKey } from '../../../src/engines/secrets.js';
import { createVault } from '../../../src/engines/vault.js';
import { freshDatabase } from '../../support/worlds/database.js';

const key = (digit: number): Buffer => Buffer.alloc(32, digit);

describe('keys that are recorded in a database', () => {
  const open = (databaseUrl: string, masterKey: Buffer, signingKey?: Buffer) =>
    openEngines({ dataDir: tmpdir(), databaseUrl, eventStoreUrl: undefined, masterKey, signingKey });
  const refused = (databaseUrl: string, masterKey: Buffer, signingKey?: Buffer) =>
    open(databaseUrl, masterKey, signingKey).then(
      () => 'opened',
      (error: Error) => error.message,
    );

  it('reject another master key or another signing key, and name it', async () => {
    const { url } = await freshDatabase();
    await (await open(url, key(1), key(2))).close();
    expect(await refused(url, key(3), key(2))).to.match(/^MASTER_KEY is not the key of this database/);
    expect(await refused(url, key(1), key(3))).to.match(/^SIGNING_KEY is not the key of this database/);
    expect(await refused(url, key(1)), 'who signs nothing').to.equal('opened');
  });

  it('are derived from an older database with wrapped keys', async () => {
    const { url } = await freshDatabase();
    const engines = await open(url, key(1));
    await engines.pool.query('delete from vault.known_keys; delete from vault.secrets');
    await engines.pool.query('insert into vault.subject_keys (subject, wrapped) values ($1, $2)', [
      'order-1',
      createVault(key(1), 'subject keys').seal(key(9), 'order-1'),
    ]);
    await engines.close();
    expect(await refused(url, key(3))).to.match(/^MASTER_KEY is not the key/);
    const right = await open(url, key(1));
    expect((await right.keyRing.existing(['order-1'])).get('order-1')).to.deep.equal(key(9));
    await right.close();
  });

  it('accept several processes that start at once', async () => {
    const { url } = await freshDatabase();
    const all = await Promise.all(Array.from({ length: 4 }, () => open(url, key(1), key(2))));
    const secrets = new Set(all.map(({ secretFor }) => secretFor('oauth cookies').toString('hex')));
    expect(secrets.size).to.equal(1);
    await Promise.all(all.map((each) => each.close()));
  });

  it('can be rotated while a process runs, without effect on derived values', async () => {
    const { url } = await freshDatabase();
    const before = await open(url, key(1), key(2));
    const subjectKey = (await before.keyRing.keysFor(['order-1'])).get('order-1');
    const address = before.emailIndex('someone@example.com');
    await rotateMasterKey(before.pool, key(1), key(4));
    await rotateSigningKey(before.pool, key(5));
    // The running process continues with the keys that it has.
    const later = (await before.keyRing.keysFor(['order-2'])).get('order-2');
    expect(await refused(url, key(1), key(5)), 'the old key').to.match(/^MASTER_KEY/);
    expect(await refused(url, key(4), key(2)), 'the old key').to.match(/^SIGNING_KEY/);
    const after = await open(url, key(4), key(5));
    const found = await after.keyRing.existing(['order-1', 'order-2']);
    expect([found.get('order-1'), found.get('order-2')]).to.deep.equal([subjectKey, later]);
    expect(after.emailIndex('someone@example.com')).to.deep.equal(address);
    expect(await knownSigners(after.pool)).to.have.length(2);
    await Promise.all([before.close(), after.close()]);
  });

  describe('of the embedded default', () => {
    let dataDir: string;
    beforeEach(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'own-keys-'));
    });
    afterEach(() => rm(dataDir, { recursive: true, force: true }));
    const madeDatabase = async () => {
      await mkdir(join(dataDir, 'postgres', 'postgres'), { recursive: true });
      await writeFile(join(dataDir, 'postgres', 'postgres', 'PG_VERSION'), '15');
    };

    it('are created once, and never again next to a database', async () => {
      const made = await ownKey(dataDir, 'MASTER_KEY');
      await madeDatabase();
      expect(await ownKey(dataDir, 'MASTER_KEY')).to.deep.equal(made);
      await rm(join(dataDir, 'master.key'));
      const message = await ownKey(dataDir, 'MASTER_KEY').catch((error: Error) => error.message);
      expect(message).to.match(/master\.key is missing, .* Restore it from your copy/);
      expect(await readdir(dataDir)).to.deep.equal(['postgres']);
    });

    it('replace the old one only when the database has them, also after a crash', async () => {
      const { url } = await freshDatabase();
      const old = await ownKey(dataDir, 'MASTER_KEY');
      const { pool, close } = await open(url, old);
      const settle = () => settleKey(dataDir, 'MASTER_KEY', (one) => isInUse(pool, 'MASTER_KEY', one));
      // A crash before the rotation in the database leaves everything unchanged.
      await nextKey(dataDir, 'MASTER_KEY');
      expect(await settle()).to.equal(undefined);
      expect(await ownKey(dataDir, 'MASTER_KEY')).to.deep.equal(old);
      // After a crash that follows the rotation in the database, only the new key is valid.
      const next = await nextKey(dataDir, 'MASTER_KEY');
      await rotateMasterKey(pool, old, next);
      expect(await settle()).to.deep.equal(next);
      expect(await ownKey(dataDir, 'MASTER_KEY')).to.deep.equal(next);
      await close();
    });
  });
});
