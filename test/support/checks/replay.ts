/** Rebuild equals live: a replay of the log gives the same rows as following it did. */
import { expect } from 'chai';
import { EVENT_TYPES, PROJECTIONS } from '../../../src/areas/index.js';
import { rebuild } from '../../../src/projections/rebuild/rebuild.js';
import { isFullDepth } from '../depth.js';
import type { TestService } from '../worlds/service.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

/**
 * Rebuilds the read models of these names, which must have had events, and compares them with the live ones. At full
 * depth all others are rebuilt as well: most of the time goes into creating 300 tables for them.
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
