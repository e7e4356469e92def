/**
 * Every list that takes `cursor`: the pages that follow `next_cursor` contain the same rows as one large page, each row
 * once, over REST and GraphQL (docs/api-style.md, rule 20).
 */
import { expect } from 'chai';
import pg from 'pg';
import { createSchema } from '../../../src/api/graphql/schema.js';
import { pageInput } from '../../../src/api/core/pages.js';
import type { Operation } from '../../../src/api/core/operation.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { EXAMPLE_ROW, addRow } from '../../support/access/example-row.js';
import { ACCESS, type Input } from '../../support/access/table.js';
import { openWorld, type World } from '../../support/access/world.js';
import { eventuallyPasses } from '../../support/eventually.js';
import { toCamelCase, overGraphQL, overRest } from '../../support/clients/rest-and-graphql.js';

/** Lists that are read without the filter of the access table. */
const UNFILTERED = ['wmsInventory'];
/**
 * Lists with few rows in this world. The pages of the first four come from page-of-rows.ts, the pages of
 * `ordersExceptions` from the query of `orders`. The tests of `effects` are in test/api/effects.
 */
const SHORT = [
  'accessibleClients',
  'allianceMembers',
  'developerOutbox',
  'routePlanExplain',
  'ordersExceptions',
  'effects',
];
const ROWS = 5;
/** Pending work changes its rows. A job that has ended still names its last step. */
const UNDER_WAY = /"status":"(queued|running|requested|solving)"/;

type Page = Readonly<Record<string, unknown>>;

/** The rows of the only list, or of the one that has rows. */
const rowsOf = (page: Page): readonly unknown[] => {
  const lists = Object.entries(page).flatMap(([name, member]) =>
    Array.isArray(member) && name !== 'errors' ? [member] : [],
  );
  return lists.find((list) => list.length > 0) ?? [];
};

describe('cursors of lists', () => {
  const all = describeOperations();
  const schema = createSchema(all, []);
  const lists = all.filter(
    ({ input, canonical }) => input.shape['cursor'] === pageInput.cursor && canonical === undefined,
  );
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world?.stop());

  const read = async (operation: Operation, input: Input): Promise<Page> => {
    const key = await world.keyOf(ACCESS[operation.name]!.roles[0]!);
    const { status, body, text } = await overRest(world.test.url, operation, input, key);
    expect(status, `${operation.name}: ${text}`).to.equal(200);
    return body as Page;
  };
  const refused = async (operation: Operation, input: Input): Promise<string> => {
    const { status, body, text } = await overRest(
      world.test.url,
      operation,
      input,
      await world.keyOf(ACCESS[operation.name]!.roles[0]!),
    );
    expect(status, `${operation.name}: ${text}`).to.equal(400);
    return (body as { errors: { code: string }[] }).errors[0]!.code;
  };

  /** Uses at the same microsecond, so only the other columns of the key distinguish them. */
  async function addUses(alliance: number): Promise<void> {
    const pool = new pg.Pool({ connectionString: world.test.databaseUrl });
    await pool.query(
      `insert into access.alliance_uses
       select $1, 1 + n % 2, $2, $3, 1, 'orders', n::text, '2026-01-02T03:04:05.123456Z' from generate_series(1, 7) n`,
      [alliance, world.businessId, world.otherBusinessId],
    );
    await pool.end();
  }

  it('are accepted by all lists', () => expect(lists.length).to.be.at.least(29));

  const short: string[] = [];
  for (const operation of lists)
    it(`${operation.name}: covers all rows once`, async () => {
      const { name } = operation;
      const { roles, own } = ACCESS[name]!;
      const role = roles[0]!;
      const { page: _page, per_page: _size, ...named } = await own(world, role);
      const filter = UNFILTERED.includes(name) ? {} : named;
      for (let count = 0; count < ROWS && name in EXAMPLE_ROW; count += 1) await addRow(world, name, filter);
      if (name === 'allianceUses') await addUses(Number(filter['alliance_id']));
      await eventuallyPasses(async () => expect(JSON.stringify(await read(operation, filter))).not.to.match(UNDER_WAY));
      const whole = await read(operation, { ...filter, per_page: 200 });
      expect(whole['next_cursor'], name).to.equal(null);
      if (rowsOf(whole).length <= 2) short.push(name);
      const walked: unknown[] = [];
      let page = await read(operation, { ...filter, per_page: 2 });
      expect(page).to.include({ page: 1 });
      for (walked.push(...rowsOf(page)); page['next_cursor'] !== null; walked.push(...rowsOf(page))) {
        const cursor = page['next_cursor'];
        page = await read(operation, { ...filter, per_page: 2, cursor });
        expect(page).to.include({ page: null, total: whole['total'] });
        const response = await overGraphQL(
          world.test.url,
          schema,
          operation,
          { ...filter, per_page: 2, cursor },
          await world.keyOf(role),
        );
        expect(response.text, `GraphQL ${name}`).to.contain(
          `"${toCamelCase('next_cursor')}":${JSON.stringify(page['next_cursor'])}`,
        );
        expect(walked.length, `${name} does not end`).to.be.below(300);
      }
      expect(walked, name).to.have.deep.members([...rowsOf(whole)]);
      if (rowsOf(whole).length <= 2) return;
      const { next_cursor: cursor } = await read(operation, { ...filter, per_page: 1 });
      expect(await refused(operation, { ...filter, cursor, page: 2 })).to.equal('CURSOR_WITH_PAGE');
      expect(await refused(operation, { ...filter, cursor: 'x'.repeat(40) })).to.equal('INVALID_CURSOR');
      const [other, otherCursor] = first ?? [];
      if (otherCursor !== undefined && other !== name)
        expect(await refused(operation, { ...filter, cursor: otherCursor })).to.equal('CURSOR_OF_OTHER_QUERY');
      first ??= [name, String(cursor)];
    });
  let first: [name: string, cursor: string] | undefined;

  it('are tested on more than one page, except for the lists that are named here', () =>
    expect(short.filter((name) => !SHORT.includes(name))).to.deep.equal([]));
});
