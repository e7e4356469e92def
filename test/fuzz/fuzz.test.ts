/**
 * Any input from any caller gets a response and causes no fault. Rejected inputs store nothing, and memory is released.
 * FUZZ_INPUTS sets the number of inputs (100,000 in CI, a million by `npm run fuzz`). SEED repeats a run, and FUZZ_ONLY
 * one input of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { START } from '../../src/events/core/log.js';
import { checkpoints } from '../../src/projections/core/checkpoints.js';
import { usedMegabytes } from '../support/checks/memory.js';
import { storedEvents } from '../support/checks/stored-events.js';
import { WAIT_LIMIT_MS } from '../support/eventually.js';
import { call } from '../support/clients/http.js';
import { startSenderThread, type SenderThread } from '../support/fuzz/sender-thread.js';
import { openFuzzTarget, type FuzzTarget } from '../support/fuzz/fuzz-target.js';
import { rowsOf } from '../support/fuzz/rows.js';
import { startSecondService, type SecondService } from '../support/fuzz/second-service.js';
import type { BatchOutcome } from '../support/fuzz/batch.js';
import { SEED } from '../support/worlds/seed.js';

const INPUTS = Number(process.env['FUZZ_INPUTS'] ?? 100_000);
const ONLY = process.env['FUZZ_ONLY'];
/** After each batch, the test reads the stored events from the log, and signs callers in again that were signed out. */
const BATCH = 5_000;
/** Number of inputs between two progress lines. */
const TOLD = 10_000;
/** Number of rejected inputs that are sent again. */
const REPEATED_INPUTS = 1_000;
/** Maximum number of reported faults; the run ends at the last of them. */
const MAX_FAULTS = 30;

describe(`${INPUTS.toLocaleString('en')} unexpected inputs (SEED=${SEED})`, function () {
  this.timeout(0);
  let target: FuzzTarget;
  let secondService: SecondService;
  let senderThread: SenderThread;
  const faults: string[] = [];
  const refused: number[] = [];
  const statuses = new Map<number, number>();
  const reached = new Set<string>();
  before(async () => {
    target = await openFuzzTarget();
    secondService = await startSecondService(target.world.test.databaseUrl);
    // The fonts of labels stay in memory from their first use, so they must not count as growth.
    const order = await target.world.orders.order('client_admin');
    for (const url of [target.world.test.url, secondService.url]) {
      const { status, text } = await call(`${url}/api/v1/orders/${order}/label`, {
        key: target.keys.get('client_admin')!,
      });
      expect(status, text.slice(0, 300)).to.equal(200);
    }
    senderThread = startSenderThread({
      urls: [target.world.test.url, secondService.url],
      seed: SEED,
      inputs: target.inputs,
    });
  });
  after(async () => {
    await senderThread?.close();
    await secondService?.stop();
    await target?.close();
  });

  /** Megabytes of each of the two services. */
  const alive = async (): Promise<readonly number[]> => [usedMegabytes(), (await secondService.state()).usedMegabytes];

  async function sendInputs(indexes: readonly number[], showing = false): Promise<BatchOutcome> {
    const outcome = await senderThread.send({
      indexes,
      keys: target.keys,
      maxFaults: MAX_FAULTS - faults.length,
      listsRequests: showing,
    });
    faults.push(...outcome.faults);
    for (const [status, count] of outcome.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
    for (const name of outcome.reached) reached.add(name);
    return outcome;
  }

  it('get a response without a fault or a hang, store nothing if rejected, and memory is released', async () => {
    if (ONLY !== undefined) return void console.log((await sendInputs([Number(ONLY)], true)).shown.join('\n'));
    const { log } = target.world.test.service.engines;
    let position = await log.head();
    let settled: readonly number[] = [0, 0];
    const started = performance.now();
    for (let from = 0; from < INPUTS && faults.length < MAX_FAULTS; from += BATCH) {
      const refusedIds = new Map<string, number>();
      const to = Math.min(from + BATCH, INPUTS);
      for (const { index, requestId } of (await sendInputs(numbers(from, to))).refused) {
        if (refused.length < REPEATED_INPUTS || index % 97 === 0) refused.push(index);
        if (requestId !== undefined) refusedIds.set(requestId, index);
      }
      for (const { type, metadata } of await storedEvents(log, position)) {
        const index = refusedIds.get(String(metadata['correlationId']));
        if (index !== undefined) faults.push(`FUZZ_ONLY=${index} was refused and stored ${type}`);
      }
      position = await log.head();
      await target.renew();
      // The caches are full after half of the inputs; later their size fluctuates.
      if (from < INPUTS / 2) settled = (await alive()).map((now, at) => Math.max(now, settled[at]!));
      if (to % TOLD === 0) tellProgress(to, started, await alive());
    }
    expect(faults, `SEED=${SEED}`).to.deep.equal([]);
    expect([...target.errors, ...secondService.errors], 'logged as errors').to.deep.equal([]);
    // Pending work ends within seconds, and its memory is released then.
    const grown = (now: readonly number[]) => now.some((megabytes, at) => megabytes >= settled[at]! * 1.1);
    let current = await alive();
    for (let wait = 0; wait < 15 && grown(current); wait++) {
      await sleep(1_000);
      current = await alive();
    }
    expect(grown(current), `${inMegabytes(current)} of ${inMegabytes(settled)}`).to.equal(false);
  });

  it('reach their targets', () => {
    if (ONLY !== undefined) return;
    const countOf = (from: number) =>
      [...statuses].reduce((sum, [status, count]) => sum + (Math.floor(status / 100) === from ? count : 0), 0);
    console.log(`      ${reached.size} names answered with success; ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect(countOf(2), 'accepted').to.be.above(INPUTS / 20);
    expect(countOf(4), 'refused').to.be.above(INPUTS / 4);
  });

  it('leave every read model complete and running', async () => {
    if (ONLY !== undefined) return;
    const { log, pool } = target.world.test.service.engines;
    // Everything derived from the log, including the read models.
    for (const { name } of await checkpoints(pool))
      expect(await target.world.test.service.progress.waitFor(name, await log.head(), WAIT_LIMIT_MS), name).to.equal(
        true,
      );
    expect((await pool.query('select stream from projections.quarantine')).rows).to.deep.equal([]);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect((await secondService.state()).polluted).to.equal(false);
    expect((await storedEvents(log, START)).length).to.be.above(0);
  });

  it('leave no row behind if they are rejected', async () => {
    if (ONLY !== undefined) return;
    const { pool } = target.world.test.service.engines;
    const some = refused.slice(-REPEATED_INPUTS);
    for (let from = 0; from < some.length; from += 50) {
      const before = await rowsOf(pool);
      const again = some.slice(from, from + 50);
      // A repeated input may be accepted because the state has changed in the meantime.
      if ((await sendInputs(again)).refused.length < again.length) continue;
      const grown = [...(await rowsOf(pool))].filter(([table, count]) => count > before.get(table)!);
      expect(grown, `by one of ${again.join()}`).to.deep.equal([]);
    }
    expect(faults, `SEED=${SEED}, sent once more`).to.deep.equal([]);
  });
});

const inMegabytes = (sizes: readonly number[]): string => sizes.map((size) => `${size.toFixed()} MB`).join(' and ');

function tellProgress(sent: number, started: number, sizes: readonly number[]): void {
  const seconds = (performance.now() - started) / 1_000;
  console.log(`      ${sent} inputs, ${(sent / seconds).toFixed()} a second, ${inMegabytes(sizes)}`);
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
