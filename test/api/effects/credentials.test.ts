/** Credentials of businesses at external systems. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type pg from 'pg';
import { createCredentials } from '../../../src/engines/postgres/credentials.js';
import { vaultOf } from '../../../src/engines/vault.js';
import { openTestCore, type TestCore } from '../../support/worlds/test-core.js';

const SECRET = 'sk_live_Kp4x9QmZ27TuvB';

describe('credentials', () => {
  let core: TestCore;
  let db: pg.Pool;
  let credentials: ReturnType<typeof createCredentials>;
  before(async () => {
    core = await openTestCore();
    db = core.engines.pool;
    credentials = createCredentials(db, vaultOf(core.engines.secretFor('credentials')));
  });
  after(() => core.close());

  const add = async (secret = SECRET, replaces?: string) => {
    const id = randomUUID();
    await credentials.add({ id, business: 1, kind: 'stripe_key', secret, replaces });
    return id;
  };

  it('are read by their business only', async () => {
    const id = await add();
    expect(await credentials.secretOf(id, 1)).to.equal(SECRET);
    expect(await credentials.secretOf(id, 2)).to.equal(undefined);
    expect(await credentials.secretOf(randomUUID(), 1)).to.equal(undefined);
  });

  it('show their last four characters, unless they are short', async () => {
    expect(await credentials.shown(await add(), 1)).to.deep.equal({ set: true, last4: 'TuvB' });
    expect(await credentials.shown(await add('short-pin'), 1)).to.deep.equal({ set: true, last4: null });
    expect(await credentials.shown(undefined, 1)).to.deep.equal({ set: false, last4: null });
    expect(await credentials.shown(await add(), 2), 'of another business').to.deep.equal({ set: false, last4: null });
  });

  it('are stored encrypted, and cannot be moved to another row', async () => {
    const [id, other] = [await add(), await add('another secret value')];
    const { rows } = await db.query<{ sealed: Buffer }>('select sealed from access.credentials where id = $1', [id]);
    expect(rows[0]!.sealed.includes(SECRET)).to.equal(false);
    await db.query('update access.credentials set sealed = $2 where id = $1', [other, rows[0]!.sealed]);
    const error = await credentials.secretOf(other, 1).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(Error);
  });

  it('are destroyed a day after they were replaced or removed', async () => {
    const [old, removed] = [await add(), await add()];
    const next = await add('sk_live_next', old);
    await credentials.remove(removed, 1);
    await credentials.sweep();
    expect(await credentials.secretOf(old, 1), 'for calls that began before').to.equal(SECRET);
    await db.query("update access.credentials set replaced_at = replaced_at - interval '25 hours'");
    expect(await credentials.sweep()).to.equal(2);
    expect(await credentials.secretOf(old, 1)).to.equal(undefined);
    expect(await credentials.secretOf(removed, 1)).to.equal(undefined);
    expect(await credentials.secretOf(next, 1)).to.equal('sk_live_next');
  });

  it('are added once by a repeated request, and never replace those of another business', async () => {
    const id = await add();
    await credentials.add({ id, business: 1, kind: 'stripe_key', secret: 'other secret value' });
    expect(await credentials.secretOf(id, 1)).to.equal(SECRET);
    await credentials.add({ id: randomUUID(), business: 2, kind: 'stripe_key', secret: SECRET, replaces: id });
    await credentials.add({ id, business: 1, kind: 'stripe_key', secret: SECRET, replaces: id });
    const { rows } = await db.query('select replaced_at from access.credentials where id = $1', [id]);
    expect(rows[0]).to.deep.equal({ replaced_at: null });
  });
});
