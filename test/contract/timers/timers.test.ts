/** Timers: deadlines apply whether or not a timer runner is active, and lead to one event each. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { EVENT_TYPES, PROJECTIONS } from '../../../src/areas/index.js';
import { alliances, type AllianceCommand, type AllianceChange } from '../../../src/commands/alliances/decider.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { startTimers, type Expiring, type TimerRunner } from '../../../src/commands/timers/runner.js';
import { ALLIANCE_PREFIX, allianceStream } from '../../../src/events/alliances/events.js';
import { MIN_LEASE_SECONDS, timeLimits } from '../../../src/events/core/time-limits.js';
import { createTimerQueries } from '../../../src/projections/timers/queries.js';
import { WAIT_LIMIT_MS, eventually } from '../../support/eventually.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { listed } from '../log/contract/opened.js';

const BEGIN = Date.parse('2026-03-02T10:00:00Z');
const MINUTE = 60_000;
const GRANTS = 250;
const LIMITS = timeLimits(MIN_LEASE_SECONDS);
const TWO_ROUNDS_MS = 2.2 * LIMITS.timerEveryMs;

describe('timers', () => {
  let core: TestCore;
  let now = BEGIN;
  let alliance = 0;
  const runners: TimerRunner[] = [];
  before(async () => {
    core = await openTestCore({ now: () => now });
    core.run();
  });
  // Also stops the runners of a failed test.
  afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())));
  after(() => core?.close());

  const handler = () => {
    const { log, keyRing } = core.engines;
    return createHandler({ decider: alliances, types: EVENT_TYPES, log, keyRing, now: () => now });
  };
  const queries = () => createTimerQueries(core.engines.projectionPool, LIMITS);
  const run = (expiring: Expiring = handler(), owner = randomUUID()) => {
    const runner = startTimers({
      queries: queries(),
      expiring: new Map([[ALLIANCE_PREFIX, expiring]]),
      owner,
      every: LIMITS.timerEveryMs,
      now: () => now,
      settled: (position) => core.progress.waitFor('timers', position, WAIT_LIMIT_MS),
      onError: (error) => failures.push(String(error)),
    });
    runners.push(runner);
    return runner;
  };
  const failures: string[] = [];
  const stop = (runner: TimerRunner) => runner.stop();

  /** An alliance of the businesses 1 and 2, with grants of business 1 that end in a minute. */
  async function granted(grants: number) {
    const id = (alliance += 1);
    const handle = handler();
    const send = (business: number, body: AllianceChange, at = now) => {
      const command: AllianceCommand = { ...body, commandId: randomUUID(), id, business, by: business, at };
      return handle(allianceStream(id), command, CAUSE);
    };
    await send(1, { do: 'found', name: 'North', purpose: '', displayName: 'One' });
    await send(1, { do: 'invite', member: 2, steward: false });
    await send(2, { do: 'join', displayName: 'Two' });
    const until = new Date(now + MINUTE).toISOString();
    await Promise.all(
      Array.from({ length: grants }, () =>
        send(1, { do: 'grant', kind: 'orders', member: undefined, filter: {}, until }),
      ),
    );
    return { id, send };
  }

  /** How often each grant ended. */
  async function ends(id: number): Promise<Map<unknown, number>> {
    const counts = new Map<unknown, number>();
    for (const { type, data } of await listed(core.engines.log.read(allianceStream(id))))
      if (type === 'AllianceGrantEnded') counts.set(data['grant_id'], (counts.get(data['grant_id']) ?? 0) + 1);
    return counts;
  }

  const allEnded = (id: number, count: number) =>
    eventually(async () => (await ends(id)).size >= count, `the end of ${count} grants of alliance ${id}`);
  const each = (count: number) => new Map(Array.from({ length: count }, (_, index) => [index + 1, 1] as const));

  it('timers 1: 1,000 deadlines apply to every command while the runner is stopped, and are written once', async () => {
    const made = [];
    for (let index = 0; index < 4; index++) made.push(await granted(GRANTS));
    now += 5 * MINUTE;
    await core.caughtUp();
    expect(await queries().backlog(now)).to.deep.equal({ due: 4 * GRANTS, late: 4 * MINUTE });
    for (const { send } of made) {
      // There is nothing to revoke, and room for the same number of grants.
      expect(await send(1, { do: 'revoke', grantId: 1 })).to.include({ changed: false });
      const more = await send(1, { do: 'grant', kind: 'tracking', member: 2, filter: {}, until: undefined });
      expect(more.reply.grantId).to.equal(GRANTS + 1);
    }
    const runner = run();
    await Promise.all(made.map(({ id }) => allEnded(id, GRANTS)));
    await core.caughtUp();
    await sleep(TWO_ROUNDS_MS);
    for (const { id } of made) expect(await ends(id)).to.deep.equal(each(GRANTS));
    expect(await queries().backlog(now)).to.deep.equal({ due: 0, late: 0 });
    await stop(runner);
  });

  it('timers 1: an invitation without a response expires, and can be sent again', async () => {
    const { id, send } = await granted(0);
    await send(1, { do: 'invite', member: 3, steward: false });
    const runner = run();
    now += 31 * 24 * 60 * MINUTE;
    const types = async () => (await listed(core.engines.log.read(allianceStream(id)))).map(({ type }) => type);
    await eventually(async () => (await types()).includes('AllianceInvitationExpired'), 'the end of the invitation');
    await send(1, { do: 'invite', member: 3, steward: false });
    expect((await types()).at(-1)).to.equal('AllianceMemberInvited');
    await stop(runner);
  });

  it('timers 2: two runners, one killed during a round: one event per timer', async () => {
    const { id } = await granted(GRANTS);
    now += 5 * MINUTE;
    await core.caughtUp();
    const script = fileURLToPath(new URL('../../support/processes/run-timers.js', import.meta.url));
    const killedProcess = spawn(process.execPath, [script, core.url, randomUUID(), String(GRANTS / 2), String(now)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await once(killedProcess, 'exit');
    const written = (await ends(id)).size;
    expect(written).to.be.within(1, GRANTS - 1);
    // The ranges of the dead runner are free after a moment, although it never released its lease.
    const [one, two] = [run(), run()];
    await allEnded(id, GRANTS);
    await sleep(TWO_ROUNDS_MS);
    expect(await ends(id)).to.deep.equal(each(GRANTS));
    await Promise.all([stop(one), stop(two)]);
  });

  it('timers 2: two runners with the same timer at once write one event', async () => {
    const { id } = await granted(20);
    now += 5 * MINUTE;
    await core.caughtUp();
    // Both runners always own all ranges.
    const careless = (owner: string) =>
      startTimers({
        queries: { ...queries(), takeRanges: () => Promise.resolve([0, 1, 2, 3]) },
        expiring: new Map([[ALLIANCE_PREFIX, handler()]]),
        owner,
        every: LIMITS.timerEveryMs,
        now: () => now,
        settled: () => Promise.resolve(),
        onError: (error) => failures.push(String(error)),
      });
    const both = [careless(randomUUID()), careless(randomUUID())];
    runners.push(...both);
    await allEnded(id, 20);
    await sleep(TWO_ROUNDS_MS);
    await Promise.all(both.map(stop));
    expect(await ends(id)).to.deep.equal(each(20));
  });

  it('a timer that its stream rejects runs once; a failed one runs again later, and blocks no other', async () => {
    const { id } = await granted(3);
    now += 5 * MINUTE;
    await core.caughtUp();
    const sent: string[] = [];
    const handle = handler();
    const runner = run(async (stream, timer, cause) => {
      if (stream !== allianceStream(id)) return handle(stream, timer, cause);
      sent.push(timer.name);
      if (timer.name === 'grant-1') return { reply: undefined, changed: false, position: undefined };
      if (timer.name === 'grant-2') throw new TypeError('broken');
      return handle(stream, timer, cause);
    });
    await eventually(() => sent.length >= 3, 'three timers');
    await sleep(TWO_ROUNDS_MS);
    expect(sent.sort()).to.deep.equal(['grant-1', 'grant-2', 'grant-3']);
    expect(failures.splice(0)).to.deep.equal(['TypeError: broken']);
    expect((await queries().backlog(now)).due, 'the failed one').to.equal(1);
    now += MINUTE;
    await eventually(() => sent.length >= 4, 'the one that failed');
    await sleep(TWO_ROUNDS_MS);
    expect(sent.filter((name) => name === 'grant-2')).to.have.length(2);
    expect(sent.filter((name) => name === 'grant-1')).to.have.length(1);
    failures.length = 0;
    await stop(runner);
  });

  it('timers 3: a rebuild gives the same rows', async () => {
    await granted(3);
    await core.caughtUp();
    const { rows } = await core.engines.pool.query('select from timers.timers');
    expect(rows.length).to.be.above(2);
    const projection = PROJECTIONS.find(({ name }) => name === 'timers')!;
    for (const batch of [7, 5_000]) {
      const { found, events } = await core.replay(projection, false, batch);
      expect(found).to.deep.equal([]);
      expect(events).to.be.above(1_000);
    }
    expect(failures).to.deep.equal([]);
  });
});
