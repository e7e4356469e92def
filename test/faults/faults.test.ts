/**
 * Breaks a running service in every way that its parts can fail, at random moments and under load, FAULT_ROUNDS times.
 * After each fault, every acknowledged event is there once, and the read models equal a fold of the log. Kafka has
 * every event in order per key, and no request hangs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect } from 'chai';
import { startKafka, type TestKafka } from '../support/processes/kafka.js';
import { startLoad } from '../support/processes/load.js';
import { startTestService } from '../support/worlds/service.js';
import { startWorld, type World } from './world/world.js';
import { skip } from '../support/run-summary.js';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 10);
const OUTAGE_SECONDS = Number(process.env['FAULT_OUTAGE_SECONDS'] ?? 30);
/** Twice the maximum response time: a response takes at most half of `LEASE_SECONDS`. */
const LEASE_SECONDS = OUTAGE_SECONDS;

const rounds = (what: string, run: (this: Mocha.Context) => Promise<void>): void => {
  for (let round = 1; round <= ROUNDS; round++) it(`${what}${ROUNDS > 1 ? ` (${round})` : ''}`, run);
};
const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

describe('faults', () => {
  describe('with the log in Postgres', () => {
    let kafka: TestKafka | string;
    let world: World;
    before(async () => {
      kafka = await startKafka();
      world = await startWorld({
        engine: 'postgres',
        smallDisk: true,
        leaseSeconds: LEASE_SECONDS,
        ...(typeof kafka !== 'string' && { kafka }),
      });
    });
    after(async () => {
      await world?.close();
      if (typeof kafka !== 'string') await kafka?.close();
    });

    rounds('an api process is killed', () => world.endure(() => anyOf(world.apis).kill()));
    rounds('a projector is killed', () => world.endure(() => anyOf(world.projectors).kill()));
    rounds('the relay is killed', () => world.endure(() => world.relay.kill()));
    rounds('Postgres is killed and restarted', () =>
      world.endure(async () => {
        await world.postgres.kill();
        await sleep(Math.random() * 3_000);
        await world.postgres.revive();
      }),
    );
    rounds('connections to Postgres are reset repeatedly', () => world.endure(() => resetting(world)));
    rounds('Postgres is slow', () => world.endure(() => slowed(world, 150)));
    rounds('Postgres does not respond', () => world.endure(() => silenced(world)));
    rounds('Kafka is stopped and restarted', async function () {
      if (typeof kafka === 'string') return skip(this, kafka);
      if (!kafka.process) return skip(this, 'the broker is not ours to stop');
      const { process } = kafka;
      await world.endure(async () => {
        await process.end(anyOf(['SIGTERM', 'SIGKILL'] as const));
        await sleep(2_000 + Math.random() * 3_000);
        await process.start();
      });
    });
    rounds('the disk of the database is full', async function () {
      const { fillDisk } = world.postgres;
      if (!fillDisk) return skip(this, 'no small disk here');
      await world.endure(async () => {
        const empty = await fillDisk();
        await sleep(3_000 + Math.random() * 3_000);
        await empty();
        await sleep(1_000);
        await world.postgres.revive();
      });
    });
  });

  describe('with the log in EventStoreDB', () => {
    let world: World;
    before(async () => void (world = await startWorld({ engine: 'eventstore', leaseSeconds: LEASE_SECONDS })));
    after(() => world?.close());

    rounds('an api process is killed', () => world.endure(() => anyOf(world.apis).kill()));
    rounds('a projector is killed', () => world.endure(() => anyOf(world.projectors).kill()));
    rounds('the log server does not respond', () => world.endure(() => silenced(world)));
    rounds('the log server refuses connections', () =>
      world.endure(async () => {
        await world.line.close();
        await sleep(OUTAGE_SECONDS * 1_000);
        await world.line.open();
      }),
    );
    rounds('the log server is slow', () => world.endure(() => slowed(world, 150)));
    rounds('connections to the log server are reset repeatedly', () => world.endure(() => resetting(world)));
    rounds('every subscription is cut at each event', () =>
      world.endure(async () => {
        world.eventStore!.faults.cutAtEachEvent = true;
        await sleep(5_000);
        world.eventStore!.faults.cutAtEachEvent = false;
      }),
    );
    rounds('Postgres, with the read models, is killed and restarted', () =>
      world.endure(async () => {
        await world.postgres.kill();
        await sleep(Math.random() * 3_000);
        await world.postgres.revive();
      }),
    );
  });

  describe('with a clock that steps', () => {
    rounds('an hour forward and back, and a day back', async () => {
      let step = 0;
      const service = await startTestService({ now: () => Date.now() + step, logger: pino({ level: 'silent' }) });
      try {
        const load = startLoad({
          urls: [service.url],
          key: service.demo.provider.key,
          numbers: ['CLOCK1', 'CLOCK2', 'CLOCK3'],
          connections: 4,
          pause: 20,
        });
        for (const next of [3_600_000, 0, -86_400_000, 0]) {
          await sleep(300 + Math.random() * 500);
          step = next;
        }
        const done = load.acknowledged.size;
        while (load.acknowledged.size < done + 50) await sleep(10);
        await load.stop();
        expect(load.wrong).to.deep.equal([]);
        expect(load.unanswered).to.deep.equal([]);
        const expectedTimes = new Set<string>();
        const head = await service.service.engines.log.head();
        for (const number of ['CLOCK1', 'CLOCK2', 'CLOCK3']) {
          const { json } = await service.api(`/otep/trackings/${number}`, { headers: { 'x-event-position': head } });
          for (const { event_id } of json.events as { event_id: string }[]) expectedTimes.add(event_id);
        }
        expect([...load.acknowledged].filter((id) => !expectedTimes.has(id))).to.deep.equal([]);
      } finally {
        await service.stop();
      }
    });
  });
});

async function resetting({ line }: World): Promise<void> {
  for (let cut = 0; cut < 10; cut++) {
    line.cut();
    await sleep(Math.random() * 500);
  }
}

async function slowed({ line }: World, millis: number): Promise<void> {
  line.slow(millis);
  await sleep(5_000);
  line.slow(0);
}

async function silenced({ line, waiting: waitingOf }: World): Promise<void> {
  line.silence();
  const waiting = waitingOf();
  await sleep(OUTAGE_SECONDS * 1_000);
  const waitingCount = waiting();
  line.speak();
  expect(waitingCount, 'requests that were kept waiting for as long as it was silent').to.equal(0);
}
