/**
 * Shared code of `audit verify` and `audit rebuild`: replays a read model next to the live one and reports differences.
 */
import { EVENT_TYPES } from '../../areas/index.js';
import type { Engines } from '../../engines/open.js';
import type { Projection } from '../../projections/core/projection.js';
import { rebuild } from '../../projections/rebuild/rebuild.js';
import type { Difference } from '../../projections/rebuild/compare.js';
import type { Context } from '../command.js';
import { progressNotes } from '../progress-notes.js';

/** Prints every difference and a final line. Returns true if the live read model was equal, byte for byte. */
export async function replayAndCompare(
  projection: Projection,
  switchOver: boolean,
  { log, projectionPool }: Engines,
  context: Context,
): Promise<boolean> {
  const { print, note, signal } = context;
  const { name } = projection;
  const started = Date.now();
  const { events, position, differences, quarantined } = await rebuild(projection, {
    log,
    pool: projectionPool,
    types: EVENT_TYPES,
    switchOver,
    signal,
    onProgress: progressNotes(name, note),
    onDifference: (difference) => print(describe(name, difference)),
  });
  for (const { stream, position, error } of quarantined)
    await print(`${name}: ${stream} is skipped from ${position} on: ${error}`);
  const seconds = ((Date.now() - started) / 1_000).toFixed(2);
  await print(
    `${name}: ${events} events up to ${position === '' ? 'the start of the log' : position}, ${seconds} s, ${verdict(differences)}${switchOver ? ', replaced' : ''}`,
  );
  return differences === 0;
}

const verdict = (differences: number | undefined): string =>
  differences === undefined
    ? 'the current one was created by another version'
    : differences === 0
      ? 'equal'
      : `${differences} ${differences === 1 ? 'difference' : 'differences'}`;

const describe = (name: string, { table, key, live, replayed }: Difference): string =>
  `${name}.${table} ${key}\n  live:     ${live ?? 'no such row'}\n  replayed: ${replayed ?? 'no such row'}`;
