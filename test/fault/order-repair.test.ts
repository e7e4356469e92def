/**
 * A process dies between the event of an order and the timelines of its packages: the next process completes them,
 * once.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { orderStream } from '../../src/events/orders/events.js';
import type { OrderCommand } from '../../src/commands/orders/decider.js';
import { eventually } from '../support/eventually.js';
import { freshDatabase, query, type FreshDatabase } from '../support/worlds/database.js';
import { MASTER_KEY, startTestService } from '../support/worlds/service.js';

const SCRIPT = fileURLToPath(new URL('../support/processes/order-and-hang.js', import.meta.url));

describe('orders whose process dies', () => {
  let database: FreshDatabase;
  before(async () => void (database = await freshDatabase()));
  after(() => database.drop());

  it("their timelines are completed by the next process, caused by the order's event, and only once", async () => {
    const seeding = await startTestService({ databaseUrl: database.url });
    await seeding.stop();
    const command: OrderCommand = {
      do: 'create',
      commandId: randomUUID(),
      orderId: 900,
      business: 1,
      by: 5,
      order: {
        type: 'D',
        self_delivery: true,
        delivery: { name: 'Ada', city: 'Toronto' },
        packages: [{ tracking_number: 'CRASH1' }, { tracking_number: 'CRASH2' }],
        time_windows: [],
      },
    };
    const child = spawn(process.execPath, [SCRIPT, database.url, MASTER_KEY, JSON.stringify(command)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) if (line === 'hangs') break;
    child.kill('SIGKILL');
    expect((await exited)[1]).to.equal('SIGKILL');
    const eventCounts = () =>
      query<{ cause: string; n: number }>(
        database.url,
        `select metadata->>'$causationId' as cause, count(*)::int as n from log.events where stream like 'tracking-%' and metadata->>'$correlationId' = $1 and type = 'TrackingEventRecorded' group by 1`,
        [command.commandId],
      );
    expect(await eventCounts()).to.deep.equal([]);

    const service = await startTestService({ databaseUrl: database.url });
    try {
      await eventually(async () => (await service.read('CRASH2')).status === 200, 'the second timeline');
      expect((await service.read('CRASH1')).json.current_status).to.equal('information_submitted');
      const [created] = await query<{ id: string }>(
        database.url,
        `select id from log.events where stream = $1 and type = 'OrderCreated'`,
        [orderStream(900)],
      );
      expect(await eventCounts()).to.deep.equal([{ cause: created!.id, n: 2 }]);
      // The retry of the client finds everything done.
      await service.service.commands.orders(orderStream(900), command, {
        correlationId: randomUUID(),
        actor: { kind: 'user', id: '5' },
        channel: 'rest',
        business: '1',
      });
      expect(await eventCounts()).to.deep.equal([{ cause: created!.id, n: 2 }]);
    } finally {
      await service.stop();
    }
  });
});
