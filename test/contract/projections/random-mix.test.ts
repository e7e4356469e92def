/**
 * Random histories of commands in every area (C5, G4). The read models agree with plain models in memory where an area
 * has one. Replaying the log gives the same rows in every read model. `SEED` repeats a history.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { AREAS, PROJECTIONS } from '../../../src/areas/index.js';
import { isUnavailable } from '../../../src/engines/postgres/failures.js';
import { openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import {
  beginGenerators,
  GENERATED_ACTS,
  GENERATOR_OF,
  stepOf,
  type Generators,
} from '../../support/models/mix/generators.js';
import { actsOfModels, beginModels, mixedStep, stepsTo } from '../../support/models/mix/mix.js';
import { createWorld, type Area, type Step } from '../../support/models/mix/world.js';
import { isFullDepth } from '../../support/depth.js';
import { SEED } from '../../support/worlds/seed.js';

const RUNS = isFullDepth ? 8 : 3;
/** Maximum number of additional histories for acts of models that were not reached yet. */
const FURTHER_RUNS = 10;
const STEPS = { minLength: 715, maxLength: 760 };
/** Maximum number of additional steps for acts of generators that were not reached yet, in their area alone. */
const FURTHER = 4_000;
const SECOND = 1_000;

describe('a random mix of commands', () => {
  const clock = { now: Date.parse('2026-03-02T00:00:00Z') };
  let core: TestCore;
  before(async () => (core = await openTestCore({ now: () => clock.now })));
  after(() => core?.close());

  /** `<area> <act>` of each command that changed something. */
  const accepted = new Set<string>();
  const missing = (acts: readonly string[]) => acts.filter((act) => !accepted.has(act));
  const generatedOf = (area?: string) =>
    GENERATED_ACTS.filter((one) => area === undefined || one.area === area).map((one) => `${one.area} ${one.act}`);

  it('has the rows of the models, and those of a replay in every read model', async () => {
    const ofModels = actsOfModels(SEED);
    const generators = beginGenerators({ core, clock });
    let commands = 0;
    for (let index = 0; index < RUNS + FURTHER_RUNS; index += 1) {
      const still = missing(ofModels);
      if (index >= RUNS && still.length === 0) break;
      const next = index < RUNS ? mixedStep : stepsTo(still);
      const history = fc.tuple(fc.array(next, STEPS), fc.integer({ min: 1, max: 60 }));
      const [steps, batch] = fc.sample(history, { numRuns: 1, seed: SEED + index })[0]!;
      const at = `SEED=${SEED}, run ${index + 1}`;
      const models = await beginModels(createWorld(core, clock, index + 1));
      await whileProjecting(at, batch, async () => {
        for (const [number, { area, step }] of steps.entries())
          await play({ ...generators, ...models }, area, step, `${at}, step ${number}`);
      });
      commands += steps.length;
      for (const [name, area] of Object.entries(models)) await named(`${at}, ${name}`, area.check());
    }
    await whileProjecting(`SEED=${SEED}, further steps`, 17, () => playFurther(generators));
    // The rows of all runs are still there, folded in batches of as many sizes.
    await named(`SEED=${SEED}`, expectSameRows());
    expect(commands, 'commands').to.be.at.least(RUNS * STEPS.minLength);
    const silent = missing([...ofModels, ...generatedOf()]);
    expect(silent, `SEED=${SEED}: acts of test/support/models/mix that changed nothing`).to.deep.equal([]);
    const empty = await emptyTables();
    expect(empty, `SEED=${SEED}: ${empty.join('\n')}`).to.deep.equal([]);
  });

  async function play(areas: Readonly<Record<string, Area<Step>>>, area: string, step: Step, at: string) {
    clock.now += SECOND;
    const did = await named(`${at}, ${area} ${JSON.stringify(step)}`, areas[area]!.play(step));
    if (did) accepted.add(`${area} ${step.act}`);
  }

  async function playFurther(generators: Generators): Promise<void> {
    for (const area of Object.keys(generators))
      for (const step of fc.sample(stepOf(area), FURTHER)) {
        if (missing(generatedOf(area)).length === 0) break;
        await play(generators, area, step, `SEED=${SEED}, further steps`);
      }
  }

  /** Runs commands next to a runner with this batch size, until all read models have caught up. */
  async function whileProjecting(at: string, batch: number, playing: () => Promise<void>): Promise<void> {
    const runner = core.run({ batch });
    await playing();
    await core.caughtUp();
    await runner.stop();
    // A runner retries if a busy machine did not open a connection in time.
    const errors = runner.errors.filter((error) => !isUnavailable(error));
    expect({ errors, quarantined: runner.quarantined }, at).to.deep.equal({ errors: [], quarantined: [] });
  }

  /** A failure names its place in the history. */
  const named = <T>(where: string, played: Promise<T>): Promise<T> =>
    played.catch((error: Error) => {
      error.message = `${where}: ${error.message}`;
      throw error;
    });

  async function expectSameRows(): Promise<void> {
    for (const projection of PROJECTIONS) {
      for (const batch of [13, 5_000]) {
        const { found, differences, quarantined } = await core.replay(projection, false, batch);
        expect(
          { found, differences, quarantined },
          `${projection.name} in batches of ${batch}: ${JSON.stringify(found[0])?.slice(0, 500)}`,
        ).to.deep.equal({ found: [], differences: 0, quarantined: [] });
      }
    }
  }

  /** A sentence for each table of a read model that has no rows. */
  async function emptyTables(): Promise<string[]> {
    const { pool } = core.engines;
    const { rows } = await pool.query<{ name: string; schema: string }>(
      `select format('%I.%I', schemaname, tablename) as name, schemaname as schema from pg_tables where schemaname = any ($1) order by 1`,
      [PROJECTIONS.map(({ name }) => name)],
    );
    expect(new Set(rows.map(({ schema }) => schema)), 'schemas with tables').to.have.keys(
      PROJECTIONS.map(({ name }) => name),
    );
    const empty: string[] = [];
    for (const { name, schema } of rows)
      if ((await pool.query(`select from ${name} limit 1`)).rowCount === 0)
        empty.push(
          `no command of the mix fills the table ${name}: add acts that do to ${GENERATOR_OF(areaOf(schema))}`,
        );
    return empty;
  }
});

/** The area that registers a read model. */
const areaOf = (readModel: string): string =>
  AREAS.find(({ readModels }) => readModels.some(({ name }) => name === readModel))?.name ?? '<area>';
