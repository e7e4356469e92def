/** Hot queries must not read whole tables before PostgreSQL has statistics of them, such as after a restore. */
import { expect } from 'chai';
import pg from 'pg';
import { PENDING, REMOVE } from '../../../src/projections/orders/policy-queue.js';
import { HEADS } from '../../../src/projections/trackings/queries.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const ROWS = 20_000;

describe('plans without statistics', () => {
  let t: TestService;
  let db: pg.Client;
  before(async () => {
    t = await startTestService();
    db = new pg.Client({ connectionString: t.databaseUrl });
    await db.connect();
    await db.query(
      `insert into timeline.trackings (id, owner_kind, owner_id, number, generation, subject, subjects, writers, former_writers, revision, last_active, recorded_at, opened, opened_at, scans, retractions)
       select gen_random_uuid(), 'provider', 'p', 'N' || n, 0, '{}', '[]', '{}', '{}', 1, '', '', '', '', repeat('s', 1000), '' from generate_series(1, $1::int) n`,
      [ROWS],
    );
    await db.query(`insert into timeline.identifiers select 'I' || number, id, '', '' from timeline.trackings`);
  });
  after(async () => {
    await db?.end();
    await t?.stop();
  });

  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    it(`a number is found by indexes: ${mode}`, async () => {
      await db.query(`set plan_cache_mode = ${mode}`);
      await db.query(`prepare heads_${mode} (text[]) as ${HEADS}`);
      const { rows } = await db.query<{ 'QUERY PLAN': unknown }>(
        `explain (format json) execute heads_${mode} ('{N1,IN2,absent}')`,
      );
      const plan = JSON.stringify(rows[0]!['QUERY PLAN']);
      expect(plan).to.include('trackings_number_idx');
      expect(plan).not.to.include('Seq Scan');
    });

  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    it(`an event leaves the queue of orders by its key: ${mode}`, async () => {
      // A copy, because the service works on its queue. PostgreSQL takes it for empty.
      await db.query('drop table if exists queue');
      await db.query(`create table queue (like ${PENDING} including all) with (autovacuum_enabled = false)`);
      await db.query('insert into queue select $1, 0, 0, 0, 0, null, 0', ['first']);
      await db.query('vacuum analyze queue');
      await db.query(
        `insert into queue select 'order-' || n, 1, n::text, n, 1, null, '' from generate_series(1, $1::int) n`,
        [ROWS],
      );
      await db.query(`set plan_cache_mode = ${mode}`);
      await db.query(`prepare remove_${mode} (text[], int[]) as ${REMOVE.replaceAll(PENDING, 'queue')}`);
      const { rows } = await db.query<{ 'QUERY PLAN': unknown }>(
        `explain (format json) execute remove_${mode} ('{order-1,order-2}', '{1,2}')`,
      );
      const plan = JSON.stringify(rows[0]!['QUERY PLAN']);
      expect(plan).to.match(/"Index Cond":"\(\(stream = removed.stream\) AND \(revision = removed.revision\)\)"/);
      expect(plan).to.include('Tid Scan');
      expect(plan).not.to.include('Seq Scan');
    });
});
