/**
 * Whatever is sent, by whomever: an answer, no fault, nothing stored by what was refused, and memory that comes back.
 * FUZZ_INPUTS says how many (40,000 in CI, a million by `npm run fuzz`); SEED repeats a run, and FUZZ_ONLY one input
 * of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { START } from '../../src/events/core/log.js';
import { standings } from '../../src/projections/core/checkpoints.js';
import { living } from '../support/checks/memory.js';
import { stored } from '../support/checks/stored.js';
import { diceOf } from '../support/fuzz/dice.js';
import { faultOf, isBehind, isRefused, shown } from '../support/fuzz/judge.js';
import { openRange, type Range } from '../support/fuzz/range.js';
import { rowsOf } from '../support/fuzz/rows.js';
import { createSender, type Reply, type Sender } from '../support/fuzz/send.js';
import type { Shot } from '../support/fuzz/shot.js';
import { SEED } from '../support/worlds/seed.js';

const INPUTS = Number(process.env['FUZZ_INPUTS'] ?? 100_000);
const ONLY = process.env['FUZZ_ONLY'];
const AT_ONCE = 12;
/** Seconds that a read may ask to come again. */
const BEHIND_AGAIN = 10;
/** Behind each so many, the log is asked what was stored, and who was signed out signs in again. */
const BATCH = 5_000;
/** Of those that were refused, so many are sent once more. */
const AGAIN = 1_000;
/** Faults that are told; a run ends at the last of them. */
const MOST_FAULTS = 30;

describe(`${INPUTS.toLocaleString('en')} inputs that nobody expects (SEED=${SEED})`, function () {
  this.timeout(0);
  let range: Range;
  let sender: Sender;
  const faults: string[] = [];
  const refused: number[] = [];
  const statuses = new Map<number, number>();
  const reached = new Set<string>();
  before(async () => {
    range = await openRange();
    sender = createSender(range.world.test.url, AT_ONCE);
  });
  after(async () => {
    sender?.close();
    await range?.close();
  });

  const shotAt = (index: number) => range.shotOf(diceOf(SEED, index));

  async function fire(index: number, shot: Shot): Promise<Reply> {
    const send = () => sender.send(shot, range.keyOf(shot.caller));
    let reply = await send();
    // Said while all write at once; a read model that stays behind says it for ever.
    for (let again = 1; again <= BEHIND_AGAIN && isBehind(reply); again++) {
      await sleep(1_000);
      reply = await send();
    }
    const fault = faultOf(shot, reply);
    if (fault !== undefined) faults.push(`FUZZ_ONLY=${index} ${fault}\n${shown(shot, reply)}`);
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    if (reply.status >= 200 && reply.status < 300) reached.add(shot.name);
    return reply;
  }

  /** Some at once; `seen` is told of each that was refused. */
  async function fireAll(indexes: Iterable<number>, seen: (index: number, reply: Reply) => void): Promise<void> {
    const queue = indexes[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = queue.next(); !next.done && faults.length < MOST_FAULTS; next = queue.next()) {
          const shot = shotAt(next.value);
          const reply = await fire(next.value, shot);
          if (isRefused(shot, reply)) seen(next.value, reply);
        }
      }),
    );
  }

  it('are answered without a fault or a hang, what is refused stores nothing, and memory comes back', async () => {
    if (ONLY !== undefined) {
      const shot = shotAt(Number(ONLY));
      return void console.log(shown(shot, await fire(Number(ONLY), shot)));
    }
    const { log } = range.world.test.service.engines;
    let position = await log.head();
    let settled = 0;
    const started = performance.now();
    for (let from = 0; from < INPUTS && faults.length < MOST_FAULTS; from += BATCH) {
      const refusedIds = new Map<string, number>();
      await fireAll(numbers(from, Math.min(from + BATCH, INPUTS)), (index, reply) => {
        if (refused.length < AGAIN || index % 97 === 0) refused.push(index);
        if (reply.requestId !== undefined) refusedIds.set(reply.requestId, index);
      });
      for (const { type, metadata } of await stored(log, position)) {
        const index = refusedIds.get(String(metadata['correlationId']));
        if (index !== undefined) faults.push(`FUZZ_ONLY=${index} was refused and stored ${type}`);
      }
      position = await log.head();
      await range.renew();
      // The caches are full by half of it; how full they are goes up and down.
      if (from < INPUTS / 2) settled = Math.max(settled, living());
      if (from % (INPUTS / 10) === 0 && from > 0) tellProgress(from, started);
    }
    expect(faults, `SEED=${SEED}`).to.deep.equal([]);
    expect(range.errors, 'logged as errors').to.deep.equal([]);
    // What was under way ends within seconds, and what it held goes with it.
    let left = living();
    for (let wait = 0; wait < 15 && left >= settled * 1.1; wait++) {
      await sleep(1_000);
      left = living();
    }
    expect(left, `of ${settled.toFixed()} MB`).to.be.below(settled * 1.1);
  });

  it('reach what they are meant for', () => {
    if (ONLY !== undefined) return;
    const told = (from: number) =>
      [...statuses].reduce((sum, [status, count]) => sum + (Math.floor(status / 100) === from ? count : 0), 0);
    console.log(`      ${reached.size} names answered with success; ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect(told(2), 'accepted').to.be.above(INPUTS / 20);
    expect(told(4), 'refused').to.be.above(INPUTS / 4);
  });

  it('leave every read model whole and going', async () => {
    if (ONLY !== undefined) return;
    const { log, pool } = range.world.test.service.engines;
    // What follows from the log, the read models among it.
    for (const { name } of await standings(pool))
      expect(await range.world.test.service.progress.waitFor(name, await log.head(), 60_000), name).to.equal(true);
    expect((await pool.query('select stream from projections.quarantine')).rows).to.deep.equal([]);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect((await stored(log, START)).length).to.be.above(0);
  });

  it('leave no row behind where they are refused', async () => {
    if (ONLY !== undefined) return;
    const { pool } = range.world.test.service.engines;
    const some = refused.slice(-AGAIN);
    for (let from = 0; from < some.length; from += 50) {
      const before = await rowsOf(pool);
      const again = some.slice(from, from + 50);
      let refusedAgain = 0;
      await fireAll(again, () => (refusedAgain += 1));
      // What had changed meanwhile may be taken the second time.
      if (refusedAgain < again.length) continue;
      const grown = [...(await rowsOf(pool))].filter(([table, count]) => count > before.get(table)!);
      expect(grown, `by one of ${again.join()}`).to.deep.equal([]);
    }
  });
});

function tellProgress(sent: number, started: number): void {
  const seconds = (performance.now() - started) / 1_000;
  console.log(`      ${sent} inputs, ${(sent / seconds).toFixed()} a second, ${living().toFixed()} MB`);
}

function* numbers(from: number, to: number): Generator<number> {
  for (let index = from; index < to; index++) yield index;
}
