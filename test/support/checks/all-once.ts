/** Compares the events that were acknowledged to pushing clients with the log itself. */
import { expect } from 'chai';
import type { Load } from '../processes/load.js';
import { query } from '../worlds/database.js';

export const acknowledgedOf = (loads: readonly Load[]): Set<string> =>
  new Set(loads.flatMap(({ acknowledged }) => [...acknowledged]));

/**
 * Checks that the log contains all acknowledged events and no event twice. Events without a response may or may not be
 * there.
 */
export async function expectAllOnce(url: string, loads: readonly Load[]): Promise<void> {
  const rows = await query<{ id: string; count: number }>(
    url,
    "select data->>'event_id' as id, count(*)::int as count from log.events where type = 'TrackingEventRecorded' group by 1",
  );
  const stored = new Map(rows.map(({ id, count }) => [id, count]));
  expect(
    [...stored].filter(([, count]) => count !== 1),
    'stored twice',
  ).to.deep.equal([]);
  expect(
    [...acknowledgedOf(loads)].filter((id) => !stored.has(id)),
    'lost',
  ).to.deep.equal([]);
}
