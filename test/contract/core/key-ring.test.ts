/** Subject keys: every process can decrypt data that another process encrypted, whichever process created the key. */
import { expect } from 'chai';
import type pg from 'pg';
import { createKeyRing, type PostgresKeyRing } from '../../../src/engines/postgres/key-ring.js';
import { migrate } from '../../../src/engines/postgres/migrate.js';
import { createPool } from '../../../src/engines/postgres/pool.js';
import { createVault } from '../../../src/engines/vault.js';
import { freshDatabase, type FreshDatabase } from '../../support/worlds/database.js';

const SUBJECTS = Array.from({ length: 20 }, (_, index) => `subject-${index}`);

describe('subject keys in PostgreSQL', () => {
  let database: FreshDatabase;
  let pool: pg.Pool;
  const rings: PostgresKeyRing[] = [];
  const ring = (): PostgresKeyRing => {
    const made = createKeyRing({ pool, makingPool: pool, vault: createVault(Buffer.alloc(32, 7), 'subject keys') });
    rings.push(made);
    return made;
  };

  before(async () => {
    database = await freshDatabase();
    // Each key ring listens on a separate connection.
    pool = createPool(database.url, { name: 'test', max: 20 });
    await migrate(pool);
  });
  after(async () => {
    await Promise.all(rings.map((each) => each.close()));
    await pool.end();
    await database.drop();
  });

  it('are the same in every process, and different for each subject', async () => {
    const made = await ring().keysFor(SUBJECTS);
    expect(new Set([...made.values()].map((key) => key.toString('hex')))).to.have.lengthOf(SUBJECTS.length);
    expect(await ring().existing(SUBJECTS)).to.deep.equal(made);
    expect(await ring().keysFor([...SUBJECTS.slice(5), 'one more']))
      .to.include.keys('one more')
      .and.to.satisfy((keys: Map<string, Buffer>) =>
        SUBJECTS.slice(5).every((subject) => keys.get(subject)!.equals(made.get(subject)!)),
      );
  });

  it('are equal if one process requests a new one several times at once', async () => {
    const [here, elsewhere] = [ring(), ring()];
    const made = await Promise.all(Array.from({ length: 8 }, () => here.keysFor(['at-once'])));
    const stored = (await elsewhere.existing(['at-once'])).get('at-once');
    for (const keys of made) expect(keys.get('at-once')).to.deep.equal(stored);
  });

  it('are equal if two processes create them at the same time', async () => {
    const names = SUBJECTS.map((subject) => `race-${subject}`);
    const [first, second] = await Promise.all([ring().keysFor(names), ring().keysFor([...names].reverse())]);
    for (const name of names) expect(first.get(name)).to.deep.equal(second.get(name));
  });

  it('stay deleted once destroyed', async () => {
    await ring().keysFor(['gone']);
    await ring().destroy(['gone', 'never made']);
    expect(await ring().keysFor(['gone', 'never made'])).to.be.empty;
  });
});
