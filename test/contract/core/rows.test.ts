/** Rows that travel as arrays arrive unchanged, whatever their content. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import {
  binaryArrayOf,
  elementAt,
  elementBehind,
  elementsOf,
  insertRows,
  integersOf,
  updateRows,
  type Types,
} from '../../../src/sql/rows.js';
import { openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { SEED } from '../../support/worlds/seed.js';
import { runs } from '../../support/depth.js';

const TYPES = {
  id: 'integer',
  text: 'text',
  flag: 'boolean',
  number: 'integer',
  key: 'uuid',
  document: 'json',
} as const satisfies Types;
const { id: _id, ...CHANGING } = TYPES;

/** Text that PostgreSQL can store: without U+0000 and lone surrogates, which the API rejects. */
const text = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'null', '{}', '","', '\\"', "\\'", '\n\t', '{a,b}', 'Ö€🚚'))
  .filter((value) => !value.includes('\0'));
const row = fc.record({
  text: fc.option(text),
  flag: fc.option(fc.boolean()),
  number: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  key: fc.option(fc.uuid()),
  document: fc.option(
    fc.dictionary(text, fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 3 }), fc.constant(null)), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
});
/** Equal rows, whose values travel once, as well as different rows. */
const rows = fc.oneof(
  fc.array(row, { maxLength: 20 }),
  fc.tuple(row, fc.integer({ min: 1, max: 5 })).map(([one, times]) => Array.from({ length: times }, () => one)),
);
const numbered = <T extends object>(list: readonly T[]) => list.map((one, index) => ({ id: index + 1, ...one }));

describe('rows in one statement', () => {
  let core: TestCore;
  let db: PoolClient;
  before(async () => {
    core = await openTestCore();
    db = await core.engines.pool.connect();
    await db.query(
      'create temp table things (id integer primary key, text text, flag boolean, number integer, key uuid, document json)',
    );
  });
  beforeEach(() => db.query('truncate things'));
  after(async () => {
    db?.release(true);
    await core?.close();
  });

  const stored = async () => (await db.query('select * from things order by id')).rows;

  it('are inserted unchanged', () =>
    fc.assert(
      fc.asyncProperty(rows, async (list) => {
        await db.query('truncate things');
        await insertRows(db, 'things', TYPES, numbered(list));
        expect(await stored()).to.deep.equal(numbered(list));
      }),
      { numRuns: runs(200), seed: SEED },
    ));

  it('are changed to the given values, and no others', () =>
    fc.assert(
      fc.asyncProperty(rows, async (list) => {
        await db.query('truncate things');
        const others = { id: 1_000, text: 'untouched', flag: true, number: 1, key: null, document: null };
        await insertRows(db, 'things', TYPES, [...numbered(list).map(({ id }) => ({ ...others, id })), others]);
        await updateRows(db, 'things', 'id', CHANGING, numbered(list));
        expect(await stored()).to.deep.equal([...numbered(list), others]);
      }),
      { numRuns: runs(200), seed: SEED },
    ));

  it('preserve long texts', () =>
    fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (list) => {
        const documents = list.map((each) => JSON.stringify(each));
        const {
          rows: [row],
        } = await db.query<{ texts: string[]; documents: string[]; lengths: number[] }>(
          'select $1::text[] as texts, $2::json[]::text[] as documents, $3::integer[] as lengths',
          [
            binaryArrayOf('text', list.length, [elementsOf(list)]),
            binaryArrayOf('json', list.length, [elementsOf(documents.slice(0, 1)), elementsOf(documents.slice(1))]),
            integersOf(list.map(({ length }) => -length)),
          ],
        );
        expect(row).to.deep.equal({
          texts: list,
          documents,
          lengths: list.map(({ length }) => (length === 0 ? 0 : -length)),
        });
        const read: string[] = [];
        for (let at = 0, elements = elementsOf(list); at < elements.length; at = elementBehind(elements, at))
          read.push(elementAt(elements, at));
        expect(read).to.deep.equal(list);
      }),
      { numRuns: runs(200), seed: SEED },
    ));

  it('that already exist are handled by the conflict clause', async () => {
    const one = { id: 1, text: 'first', flag: null, number: null, key: null, document: null };
    await insertRows(db, 'things', TYPES, [one]);
    await insertRows(db, 'things', TYPES, [{ ...one, text: 'second' }], 'on conflict do nothing');
    expect(await stored()).to.deep.equal([one]);
    const refused = await insertRows(db, 'things', TYPES, [one]).catch((error: unknown) => error);
    expect(refused).to.have.property('code', '23505');
  });
});
