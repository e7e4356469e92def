/** A replay of the log tells what its read models have told as it grew. */
import { expect } from 'chai';
import { EVENT_TYPES, PROJECTIONS } from '../../../src/areas/index.js';
import { rebuild } from '../../../src/projections/rebuild/rebuild.js';
import type { TestService } from '../worlds/service.js';

/** Nothing to replay is no proof for the read models of these names. */
export async function expectSameReplay(
  {
    service: {
      engines: { log, projectionPool: pool },
      progress,
    },
  }: TestService,
  fed: readonly string[],
): Promise<void> {
  const head = await log.head();
  await Promise.all(PROJECTIONS.map(async ({ name }) => progress.waitFor(name, head, 5_000)));
  for (const projection of PROJECTIONS) {
    const { differences, events } = await rebuild(projection, { log, pool, types: EVENT_TYPES, switchOver: false });
    expect(differences, projection.name).to.equal(0);
    if (fed.includes(projection.name)) expect(events, projection.name).to.be.greaterThan(0);
  }
}
