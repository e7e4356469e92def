/**
 * The process dies between an approval and its execution, or between the execution and its record. The execution is
 * finished once, never twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freshDatabase, query, type FreshDatabase } from '../support/worlds/database.js';
import { callTool, tokenOf } from '../support/clients/mcp.js';
import { endServiceProcesses, SHORT_LEASES, startServiceProcess } from '../support/processes/service-process.js';
import { ORDER } from '../support/worlds/orders.js';
import { startTestService } from '../support/worlds/service.js';

/** Events of this type take a minute to append. */
const slowDown = (url: string, type: string) =>
  query(
    url,
    `
  create function public.slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
  create trigger slowly before insert on log.events for each row when (new.type = '${type}') execute function public.slowly();`,
    [],
  );
const speedUp = (url: string) =>
  query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and wait_event = 'PgSleep'`,
    [],
  )
    .then(() => query(url, 'drop trigger slowly on log.events', []))
    .then(() => query(url, 'drop function public.slowly', []));

const until = (what: () => Promise<boolean>) => eventually(what, String(what));

describe('approvals whose process dies', () => {
  let database: FreshDatabase;
  let dataDir: string;
  before(async () => {
    database = await freshDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'transport-approvals-'));
  });
  after(async () => {
    await endServiceProcesses();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  for (const [when, type] of [
    ['before the execution', 'OrderCreated'],
    ['before its end is recorded', 'ProposalExecuted'],
  ] as const) {
    it(`${when}: the next process finishes it`, async () => {
      const first = await startTestService({ databaseUrl: database.url });
      const token = await tokenOf(first, 'client_admin');
      const order_ref = `kill ${type}`;
      const { structuredContent } = await callTool(
        first,
        'propose_write',
        { tool: 'create_order', arguments: { ...ORDER, order_ref } },
        { token },
      );
      const id = (structuredContent['proposal'] as { id: string }).id;
      await first.stop();

      await slowDown(database.url, type);
      const killedProcess = await startServiceProcess({ dataDir, databaseUrl: database.url, env: SHORT_LEASES });
      callTool(killedProcess, 'approve_pending_write', { proposal_id: id, confirm: true }, { token }).catch(
        () => undefined,
      );
      await until(
        async () =>
          (
            await query(
              database.url,
              'select from pg_stat_activity where datname = current_database() and wait_event = $1',
              ['PgSleep'],
            )
          ).length > 0,
      );
      await killedProcess.end('SIGKILL');
      await speedUp(database.url);
      const types = async () =>
        (
          await query<{ type: string }>(
            database.url,
            'select type from log.events where stream = $1 order by revision',
            [`proposal-${id}`],
          )
        ).map((event) => event.type);
      expect(await types()).to.deep.equal(['WriteProposed', 'ProposalApproved']);

      const next = await startTestService({ databaseUrl: database.url, now: () => Date.now() + 60_000 });
      try {
        await until(async () => (await types()).length > 2);
        expect(await types()).to.deep.equal(['WriteProposed', 'ProposalApproved', 'ProposalExecuted']);
        // A repeated creation would have created two orders with different ids.
        const made = await query(
          database.url,
          "select from log.events where type = 'OrderCreated' and metadata->>'$causationId' = (select id::text from log.events where stream = $1 and type = 'ProposalApproved')",
          [`proposal-${id}`],
        );
        expect(made).to.have.length(1);
        const { structuredContent: listed } = await callTool(next, 'get_orders', { order_ref }, { token });
        expect(listed['orders']).to.have.length(1);
      } finally {
        await next.stop();
      }
    });
  }
});
