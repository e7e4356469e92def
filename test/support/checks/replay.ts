/** Checks that a rebuild equals the live read models: replaying the log gives the same rows as following it. */
import { expect } from 'chai';
import { EVENT_TYPES, PROJECTIONS } from '../../../src/areas/index.js';
import { rebuild } from '../../../src/projections/rebuild/rebuild.js';
import { isFullDepth } from '../depth.js';
import type { TestService } from '../worlds/service.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

/**
 * Rebuilds the read models with these names, which must have processed events, and compares them with the live ones. At
 * full depth all other read models are rebuilt too. Most of that time is spent on creating 300 tables for them.
 */
export async function expectSameReplay(
  {
    service: {
      engines: { log, projectionPool: pool },
      progress,
    },
  }: TestService,
  fed: readonly string[],
): Promise<void> {
  const chosen = PROJECTIONS.filter(({ name }) => isFullDepth || fed.includes(name));
  expect(
    chosen.map(({ name }) => name),
    'names of read models',
  ).to.include.members([...fed]);
  const head = await log.head();
  await Promise.all(chosen.map(async ({ name }) => progress.waitFor(name, head, WAIT_LIMIT_MS)));
  for (const projection of chosen) {
    const { differences, events } = await rebuild(projection, { log, pool, types: EVENT_TYPES, switchOver: false });
    expect(differences, projection.name).to.equal(0);
    if (fed.includes(projection.name)) expect(events, projection.name).to.be.greaterThan(0);
  }
}
