/**
 * Finds the leaf of an event in the tree: first the tile that contains its position, then the index by counting. So no
 * table needs a row per event.
 */
import type { Pool } from 'pg';
import type { EventLog, Position, StoredEvent } from '../../events/core/log.js';
import { TILE_WIDTH } from './tile-edge.js';

export interface Leaf {
  readonly index: number;
  readonly event: StoredEvent;
}

/**
 * Returns the event at this position and its index. Undefined if there is no event at this position, or if the tree has
 * not reached it.
 */
export async function leafAt(
  position: Position,
  { pool, log }: { readonly pool: Pool; readonly log: EventLog },
): Promise<Leaf | undefined> {
  const { rows } = await pool.query<{ index: string; before: Position }>(
    `select t.index, coalesce((select p.last_position from log_tree.tiles p where p.level = 0 and p.index = t.index - 1), '') as before
       from log_tree.tiles t where t.level = 0 and t.last_position >= $1 order by t.last_position limit 1`,
    [position],
  );
  if (!rows[0]) return undefined;
  let index = Number(rows[0].index) * TILE_WIDTH;
  const found = new AbortController();
  try {
    for await (const { events } of log.subscribe(rows[0].before, { batch: TILE_WIDTH, signal: found.signal })) {
      for (const event of events) {
        if (event.position === position) return { index, event };
        if (event.position > position) return undefined;
        index++;
      }
    }
    return undefined;
  } finally {
    found.abort();
  }
}
