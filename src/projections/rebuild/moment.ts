/** A moment in the log's past, named by a time or by a position. */
import type { Position, StoredEvent } from '../../events/core/log.js';
import { instantOf, type Instant } from '../../events/otep/time.js';

export type Moment = { readonly instant: Instant } | { readonly position: Position };

/**
 * The events that were in the stream at that moment. Clocks of several processes may differ, so the order of the log
 * goes before the times: everything up to the last event that was recorded by then.
 */
export function until(events: readonly StoredEvent[], moment: Moment): readonly StoredEvent[] {
  const known =
    'instant' in moment
      ? ({ metadata }: StoredEvent) => instantOf(metadata['recorded_at'] as string)! <= moment.instant
      : ({ position }: StoredEvent) => position <= moment.position;
  return events.slice(0, events.findLastIndex(known) + 1);
}
