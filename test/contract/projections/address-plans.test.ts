/** Queries on address books of a large installation read by indexes: the book of one owner, never the whole table. */
import { expect } from 'chai';
import { Kysely, PostgresDialect, type LogEvent } from 'kysely';
import pg from 'pg';
import { createBlindIndex } from '../../../src/engines/blind-index.js';
import { createBlindTrigrams } from '../../../src/engines/blind-trigrams.js';
import { createAddressQueries } from '../../../src/projections/addresses/queries.js';
import type { Database } from '../../../src/projections/core/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/** Rows of all owners, and of the largest one. */
const ROWS = 60_000;
const OF_ONE_OWNER = 3_000;
const OWNER = { business: 900_000, customerId: null };
const CUSTOMER = { business: 900_000, customerId: 77 };

describe('plans of address books', () => {
  let t: TestService;
  let pool: pg.Pool;
  let database: Kysely<Database>;
  const queries: string[] = [];
  const index = createBlindTrigrams(createBlindIndex(Buffer.alloc(32, 7)));
  const keyRing = { existing: () => Promise.resolve(new Map()), keysFor: () => Promise.resolve(new Map()) };
  before(async () => {
    t = await startTestService();
    pool = new pg.Pool({ connectionString: t.databaseUrl, max: 1 });
    const log = ({ level, query }: LogEvent) => {
      if (level === 'query') queries.push(inlined(query.sql, query.parameters));
    };
    database = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log });
    await pool.query(
      `insert into addresses.addresses (id, business, customer_id, kind, country, sealed, default_at, removed, saved_at, revision)
       select 1000000 + n, case when n <= $2 then 900000 else 900001 + n % 500 end, case when n % 3 = 0 then 77 end, 'recipient',
              'DE', '[]', '2026-01-01T00:00:00.' || lpad(n::text, 6, '0'), n % 10 = 9, '', 0
         from generate_series(1, $1::int) n`,
      [ROWS, OF_ONE_OWNER],
    );
    await pool.query(
      `insert into address_search.texts (address_id, subject, business, customer_id, words)
       select id, 'address-' || id, business, customer_id, array(select (hashint4(id * 31 + w))::int from generate_series(1, 30) w)
         from addresses.addresses where id > 1000000`,
    );
    await pool.query(
      `insert into address_search.keys (business, customer, key, address_id)
       select business, coalesce(customer_id, 0), decode(md5(id::text), 'hex'), id from addresses.addresses where id > 1000000`,
    );
    await pool.query('analyze');
  });
  after(async () => {
    await database?.destroy();
    await t?.stop();
  });

  const book = () => createAddressQueries({ database, keyRing: keyRing as never, index });
  const READS: Readonly<Record<string, () => Promise<unknown>>> = {
    'a page': () => book().list({ offset: 0, limit: 200 }, OWNER),
    'a page of a customer': () => book().list({ offset: 0, limit: 200, kind: 'recipient', country: 'DE' }, CUSTOMER),
    'a page of a search': () => book().list({ offset: 0, limit: 200, query: 'Invalidenstrasse 44' }, OWNER),
    'a search': () => book().search('Invalidenstrasse 44', 50, OWNER),
    'entries by id': () => book().byIds([1_000_003, 1_000_006], CUSTOMER),
    'the size of a book': () => book().hasEntries(50_000, OWNER),
  };
  for (const [name, read] of Object.entries(READS))
    it(`read ${name} by indexes`, async () => {
      queries.length = 0;
      await read();
      const ofBooks = queries.filter((query) => /"(addresses|address_search)"\./.test(query));
      expect(ofBooks).not.to.be.empty;
      for (const query of ofBooks) {
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
          `explain (analyze, costs off, timing off) ${query}`,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan, query).not.to.match(/Seq Scan on (addresses|texts)/);
        for (const [, count] of plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g))
          expect(Number(count), plan).to.be.at.most(OF_ONE_OWNER);
      }
    });
});

/** The statement with its parameters as literals. */
const inlined = (text: string, parameters: readonly unknown[]): string =>
  text.replace(/\$(\d+)/g, (_all, number: string) => literal(parameters[Number(number) - 1]));

const literal = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return typeof value === 'string' ? pg.escapeLiteral(value) : String(value as number);
};
