/**
 * Random histories of everything that can happen, against plain models in memory: the answers agree with them, the read
 * models agree with them, and replaying the log gives the same rows in every read model (C5, G4). `SEED` gives a
 * history again.
 */
import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { PROJECTIONS } from '../../../src/areas/index.js';
import { openEngineRoom, type EngineRoom } from '../../support/worlds/engine-room.js';
import { AREA_NAMES, beginMix, everyAct, mixedStep } from '../../support/models/mix/mix.js';
import { createWorld } from '../../support/models/mix/world.js';
import { SEED } from '../../support/worlds/seed.js';

const RUNS = 7;
/** What a short history rarely comes to gets further ones, up to so many in all. */
const MOST_RUNS = 14;
const STEPS = { minLength: 715, maxLength: 760 };
const SECOND = 1_000;

describe('a random mix of commands against plain models', () => {
  const clock = { now: Date.parse('2026-03-02T00:00:00Z') };
  let room: EngineRoom;
  before(async () => (room = await openEngineRoom({ now: () => clock.now })));
  after(() => room?.close());

  it('what may happen, what is known, and what a replay gives', async () => {
    const accepted = new Set<string>();
    let commands = 0;
    const missing = () => everyAct(SEED).filter((act) => !accepted.has(act));
    const histories = fc.sample(fc.tuple(fc.array(mixedStep, STEPS), fc.integer({ min: 1, max: 60 })), MOST_RUNS);
    for (const [index, [steps, batch]] of histories.entries()) {
      if (index >= RUNS && missing().length === 0) break;
      const at = `SEED=${SEED}, run ${index + 1}`;
      const runner = room.run({ batch });
      const areas = await beginMix(createWorld(room, clock, index + 1));
      for (const [number, { area, step }] of steps.entries()) {
        clock.now += SECOND;
        const did = await named(`${at}, step ${number}, ${area} ${JSON.stringify(step)}`, areas[area].play(step));
        if (did) accepted.add(`${area} ${step.act}`);
      }
      commands += steps.length;
      await room.caughtUp();
      await runner.stop();
      expect({ errors: runner.errors, quarantined: runner.quarantined }, at).to.deep.equal({
        errors: [],
        quarantined: [],
      });
      for (const area of AREA_NAMES) await named(`${at}, ${area}`, areas[area].check());
    }
    // Rows of all runs are there still, as folded in batches of as many sizes.
    await named(`SEED=${SEED}`, expectSameRows());
    expect(commands, 'commands').to.be.at.least(5_000);
    // Nothing is in the mix that never takes place, and no read model that nothing reaches.
    expect(missing(), `SEED=${SEED}: never accepted`).to.deep.equal([]);
    expect(await emptyTables(), `SEED=${SEED}: tables that no command of the mix fills`).to.deep.equal([]);
  });

  /** What fails says where in the history. */
  const named = <T>(where: string, played: Promise<T>): Promise<T> =>
    played.catch((error: Error) => {
      error.message = `${where}: ${error.message}`;
      throw error;
    });

  async function expectSameRows(): Promise<void> {
    for (const projection of PROJECTIONS) {
      for (const batch of [13, 5_000]) {
        const { found, differences, quarantined } = await room.replay(projection, false, batch);
        expect(
          { found, differences, quarantined },
          `${projection.name} in batches of ${batch}: ${JSON.stringify(found[0])?.slice(0, 500)}`,
        ).to.deep.equal({ found: [], differences: 0, quarantined: [] });
      }
    }
  }

  /** Of the schemas of all projections. */
  async function emptyTables(): Promise<string[]> {
    const { pool } = room.engines;
    const { rows } = await pool.query<{ name: string; schema: string }>(
      `select format('%I.%I', schemaname, tablename) as name, schemaname as schema from pg_tables where schemaname = any ($1) order by 1`,
      [PROJECTIONS.map(({ name }) => name)],
    );
    expect(new Set(rows.map(({ schema }) => schema)), 'schemas with tables').to.have.keys(
      PROJECTIONS.map(({ name }) => name),
    );
    const empty: string[] = [];
    const elsewhere = await replayedElsewhere();
    for (const { name, schema } of rows)
      if (!elsewhere.has(schema) && (await pool.query(`select from ${name} limit 1`)).rowCount === 0) empty.push(name);
    return empty;
  }
});

/** Read models that a test of their area feeds and replays (`expectSameReplay(test, ['addresses'])`). */
async function replayedElsewhere(): Promise<ReadonlySet<string>> {
  const folder = new URL('../../api/', import.meta.url);
  const files = await readdir(folder, { recursive: true });
  const named = files
    .filter((file) => file.endsWith('.test.js'))
    .map(async (file) => {
      const source = await readFile(new URL(file, folder), 'utf8');
      const lists = [...source.matchAll(/expectSameReplay\([^[)]+\[([^\]]*)\]/g)].map(([, list]) => list!);
      return lists.flatMap((list) => [...list.matchAll(/["'](\w+)["']/g)].map(([, name]) => name!));
    });
  return new Set((await Promise.all(named)).flat());
}
