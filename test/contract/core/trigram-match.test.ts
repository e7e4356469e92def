/** The index search omits no text that has enough of the trigrams. */
import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createDatabase } from '../../../src/projections/core/database.js';
import { MIN_SIMILARITY, trigramMatch } from '../../../src/projections/core/trigram-match.js';
import { createRarestFirst } from '../../../src/projections/core/trigram-frequencies.js';
import { openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { SEED } from '../../support/worlds/seed.js';
import { runs } from '../../support/depth.js';

/** Few, so that texts share many. */
const trigrams = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 12 });
const texts = fc.array(fc.record({ open: trigrams, personal: trigrams }), { maxLength: 40 });

describe('similar texts', () => {
  let core: TestCore;
  before(async () => {
    core = await openTestCore();
  });
  after(() => core?.close());

  it('are those with most of the trigrams, in either column', async () => {
    const database = createDatabase(core.engines.pool);
    await fc.assert(
      fc.asyncProperty(texts, trigrams, async (stored, query) => {
        const { found, score } = trigramMatch([sql.ref('t.open'), sql.ref('t.personal')], query);
        const { rows } = await sql<{ n: number; score: number }>`
          select n, ${score} as score
            from (select n::int, array(select json_array_elements_text(v -> 'open')::int) as open,
                         array(select json_array_elements_text(v -> 'personal')::int) as personal
                    from json_array_elements(${JSON.stringify(stored)}::json) with ordinality g (v, n)) t
           where ${found} order by n`.execute(database);
        const wanted = stored.flatMap(({ open, personal }, index) => {
          const has = new Set([...open, ...personal]);
          const share = query.filter((one) => has.has(one)).length / Math.max(1, query.length);
          return share >= MIN_SIMILARITY ? [{ n: index + 1, score: share }] : [];
        });
        expect(rows).to.deep.equal(wanted);
      }),
      { seed: SEED, numRuns: runs(200) },
    );
  });

  it('are searched by the rarest trigrams once the database has statistics', async () => {
    const { pool } = core.engines;
    await pool.query('create schema rarity');
    // 1 is in all texts, 2 in half of them, 3 in a tenth, 4 in a fifth of the other column, 5 in none.
    await pool.query(`create table rarity.texts as
      select array_remove(array[1, case when n % 2 = 0 then 2 end, case when n % 10 = 0 then 3 end], null) as open,
             array_remove(array[1, case when n % 10 < 2 then 4 end], null) as personal
        from generate_series(1, 5000) n`);
    const table = { schema: 'rarity', table: 'texts', columns: ['open', 'personal'] };
    const order = () => createRarestFirst(createDatabase(pool), table)([1, 2, 3, 4, 5]);
    expect(await order(), 'before it has counted').to.deep.equal([1, 2, 3, 4, 5]);
    await pool.query('analyze rarity.texts');
    expect(await order()).to.deep.equal([5, 3, 4, 2, 1]);
  });
});
