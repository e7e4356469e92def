/**
 * Late pages of a long list of assignments, with statistics as autovacuum leaves them. The number of rows that a page
 * reads does not grow with the number of rows before it.
 */
import { expect } from 'chai';
import type { Pool } from 'pg';
import { createAssignmentQueries, type AssignmentFilter } from '../../../src/projections/assignments/queries.js';
import { ANY_BROKER, PILE } from '../../../src/projections/assignments/read-model.js';
import { openTestCore, type TestCore } from '../../support/worlds/test-core.js';

const MANY = 60_000;
const [BUSINESS, BROKER, PER_PAGE] = [1, 7, 50];

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** The number of assignment rows that a plan read. */
const readBy = (plan: Plan): number =>
  (plan['Relation Name'] === 'assignments'
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), 0);

describe('a page of many assignments', () => {
  let core: TestCore;
  before(async () => {
    core = await openTestCore();
    const { pool } = core.engines;
    await pool.query(
      `insert into assignments.assignments (id, business, number, order_id, broker_id, status, note, assigned_at)
       select n, ${BUSINESS}, n, n, ${BROKER}, 'active', json_build_object('id', gen_random_uuid(), 'data', '{}'::json), '2026-11-20T10:00:00.000Z' from generate_series(1, ${MANY}) n`,
    );
    await pool.query(
      `insert into assignments.piles select ${BUSINESS}, b, n / ${PILE}, count(*), 0, 0 from generate_series(1, ${MANY}) n, unnest(array[${BROKER}, ${ANY_BROKER}]) b group by b, n / ${PILE}`,
    );
    await pool.query('analyze assignments.assignments; analyze assignments.piles; analyze orders.orders');
  });
  after(() => core.close());

  const FILTERS: Record<string, Partial<AssignmentFilter>> = {
    'of a business': {},
    active: { status: 'active' },
    'of a contractor': { brokerId: BROKER },
  };
  for (const [name, filter] of Object.entries(FILTERS)) {
    it(`is found without reading the rows before it: ${name}`, async () => {
      const { pool, keyRing } = core.engines;
      const numbers: number[] = [];
      const counts: number[] = [];
      /** Runs each statement twice: under `explain analyze`, which counts the rows it reads, and unchanged. */
      const explaining = {
        async query(statement: { text: string; values: unknown[] }) {
          const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
            `explain (analyze, format json) ${statement.text}`,
            statement.values,
          );
          counts.push(readBy(rows[0]!['QUERY PLAN'][0].Plan));
          return pool.query(statement);
        },
      } as unknown as Pool;
      for (const offset of [0, MANY / 2, MANY - PER_PAGE]) {
        const { total, assignments } = await createAssignmentQueries({ pool: explaining, keyRing }).list({
          business: BUSINESS,
          ...filter,
          offset,
          limit: PER_PAGE,
        } as AssignmentFilter);
        expect([total, assignments.length]).to.deep.equal([MANY, PER_PAGE]);
        numbers.push(assignments[0]!.id);
      }
      expect(numbers).to.deep.equal([MANY, MANY / 2, PER_PAGE]);
      for (const count of counts) expect(count).to.be.within(PER_PAGE, 3 * PILE);
    });
  }
});
