/** A moment in the past of the log, given as a time or as a position. */
import type { Position, StoredEvent } from '../../events/core/log.js';
import { instantOf, type Instant } from '../../events/otep/time.js';

export type Moment = { readonly instant: Instant } | { readonly position: Position };

/**
 * Returns the events that the stream contained at that moment. The clocks of processes may differ, so log order takes
 * precedence over times. The result ends with the last event that was recorded at or before the given time.
 */
export function until(events: readonly StoredEvent[], moment: Moment): readonly StoredEvent[] {
  const known =
    'instant' in moment
      ? ({ metadata }: StoredEvent) => instantOf(metadata['recorded_at'] as string)! <= moment.instant
      : ({ position }: StoredEvent) => position <= moment.position;
  return events.slice(0, events.findLastIndex(known) + 1);
}
