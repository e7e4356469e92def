/**
 * Cursors of the changes of a number, for readers that poll. If the number has one tracking, they are the revisions of
 * its stream. Pure.
 */
import type { TrackingRow } from './row.js';

/**
 * A cursor for each scan and retraction, by the id of the stored event. In the order of the log, each cursor is larger
 * than the ones before, also if additional events are added to any of the trackings: it is the sum of the revisions
 * that the trackings had at that time.
 */
export function cursorsOf(rows: readonly TrackingRow[]): {
  readonly cursors: ReadonlyMap<string, number>;
  readonly revision: number;
} {
  const cursors = new Map<string, number>();
  if (rows.length === 1) {
    for (const { id, revision } of [...rows[0]!.scans, ...rows[0]!.retractions]) cursors.set(id, revision);
    return { cursors, revision: rows[0]!.revision };
  }
  const changes = rows
    .flatMap(({ scans, retractions }, row) =>
      [...scans, ...retractions].map(({ id, revision, position }) => ({ id, revision, position, row })),
    )
    .sort((a, b) => (a.position < b.position ? -1 : 1));
  const counts = rows.map(() => 0);
  const total = () => counts.reduce((sum, count) => sum + count, 0);
  for (const { id, revision, row } of changes) {
    counts[row] = revision + 1;
    cursors.set(id, total() - 1);
  }
  return { cursors, revision: total() - 1 };
}
