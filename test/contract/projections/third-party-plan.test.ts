/** A provider pulls its next orders by an index, however many offers are open. */
import { expect } from 'chai';
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Database } from '../../../src/projections/core/database.js';
import { createThirdPartyQueries } from '../../../src/projections/third-party/queries.js';
import { atDepth } from '../../support/depth.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const OFFERS = atDepth(100_000, 20_000);
const PROVIDERS = 20;
const LIMIT = 51;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('the orders of a provider', () => {
  let t: TestService;
  let pool: pg.Pool;
  const sent: CompiledQuery[] = [];
  let queries: ReturnType<typeof createThirdPartyQueries>;
  before(async () => {
    t = await startTestService();
    pool = new pg.Pool({ connectionString: t.databaseUrl, max: 1 });
    const database = new Kysely<Database>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void sent.push(query),
    });
    queries = createThirdPartyQueries({ database, keyRing: t.service.engines.keyRing });
    await pool.query('alter table third_party_offers.providers set (autovacuum_enabled = false)');
    await pool.query(
      `insert into third_party_offers.providers (order_id, provider, status, position, respond_by, status_since, missed, sealed)
       select n, 'p' || n % $2, case when n % 10 = 0 then 'taken' else 'offered' end, lpad(n::text, 20, '0'), '2999', '', '[]', '[]'
         from generate_series(1, $1::int) n`,
      [OFFERS, PROVIDERS],
    );
  });
  after(async () => {
    await pool?.end();
    await t?.stop();
  });

  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    for (const statistics of ['without', 'with'])
      it(`are read by their index, one page each time: ${mode}, ${statistics} statistics`, async () => {
        if (statistics === 'with') await pool.query('analyze third_party_offers.providers');
        await pool.query(`set plan_cache_mode = ${mode}`);
        for (const after of [undefined, String(OFFERS >> 1).padStart(20, '0')]) {
          sent.length = 0;
          const found = await queries.parts('p7', { status: 'offered', after, limit: LIMIT, now: Date.now() });
          expect(found).to.have.length(LIMIT);
          const { sql, parameters } = sent[0]!;
          const values = parameters.map((value) => (typeof value === 'number' ? value : `'${String(value)}'`));
          const name = `pull_${mode}_${statistics}_${after === undefined ? 'first' : 'later'}`;
          await pool.query(`prepare ${name} as ${sql}`);
          const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
            `explain (analyze, format json) execute ${name} (${values.join(', ')})`,
          );
          const nodes = nodesOf(rows[0]!['QUERY PLAN'][0].Plan);
          const scans = nodes.filter((node) => node['Node Type'].includes('Scan'));
          expect(scans.map((node) => node['Index Name'])).to.deep.equal(['providers_provider_status_position_idx']);
          expect(scans[0]!['Actual Rows'] + (scans[0]!['Rows Removed by Filter'] ?? 0)).to.equal(LIMIT);
          expect(nodes.map((node) => node['Node Type'])).not.to.include('Sort');
        }
      });
});
