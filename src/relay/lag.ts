/** How old the first event is that no relay has sent yet, by the stored position: true in every process, also when none works. */
import type { Pool } from 'pg';
import { START, type EventLog } from '../events/log.js';
import { standings } from '../projections/checkpoints.js';
import { RELAY } from './relay.js';

/** Milliseconds; 0 when everything was sent. Throws when database or log do not answer. */
export async function relayLag({ log, pool, now }: { readonly log: EventLog; readonly pool: Pool; readonly now: () => number }): Promise<number> {
  const position = (await standings(pool)).find(({ name }) => name === RELAY.name)?.position ?? START;
  if (position >= (await log.head())) return 0;
  const found = new AbortController();
  for await (const { events } of log.subscribe(position, { batch: 1, signal: found.signal })) {
    const recorded = Date.parse(String(events[0]?.metadata['recorded_at']));
    if (events.length === 0) continue;
    found.abort();
    return Number.isNaN(recorded) ? 0 : Math.max(0, now() - recorded);
  }
  return 0;
}
