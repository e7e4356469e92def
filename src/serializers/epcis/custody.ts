/**
 * Decides whether an `accepting` event is the carrier's pick-up or a later handover. Only this decision depends on
 * other events of the document.
 */
import { instantOf } from '../../events/otep/time.js';
import { subjectKey } from './foreign.js';
import { showsCustody, statusOf } from './mapping.js';
import type { EventReading, ValidReading } from './reading.js';

/**
 * `accepting` is a pick-up if no earlier event of the document shows one of its parcels in the carrier's hands. The
 * caller must consider events that are not in the document.
 */
export function settleCustody(readings: readonly EventReading[]): readonly EventReading[] {
  if (!readings.some((reading) => reading.valid && reading.accepting)) return readings;
  const first = firstInHand(readings);
  return readings.map((reading) => {
    if (!reading.valid || !reading.accepting) return reading;
    const inHand = reading.subjects.some((subject) => isBefore(first.get(subjectKey(subject)), reading));
    return {
      ...reading,
      event: { ...reading.event, status_code: statusOf('accepting', { inHand, atConsignee: false }) },
    };
  });
}

/** Returns, for each parcel, the earliest event that shows it in the carrier's hands. Retracted events are ignored. */
function firstInHand(readings: readonly EventReading[]): ReadonlyMap<string, ValidReading> {
  const valid = readings.filter((reading) => reading.valid);
  const retracted = new Set(valid.map((reading) => reading.event.retracts));
  const first = new Map<string, ValidReading>();
  for (const reading of valid) {
    if (retracted.has(reading.event.event_id) || !showsCustody(reading.event.status_code ?? '')) continue;
    for (const key of reading.subjects.map(subjectKey)) {
      if (!first.has(key) || isBefore(reading, first.get(key)!)) first.set(key, reading);
    }
  }
  return first;
}

function isBefore(a: ValidReading | undefined, b: ValidReading): boolean {
  if (a === undefined) return false;
  const [left, right] = [instantOf(a.event.occurred_at) ?? '', instantOf(b.event.occurred_at) ?? ''];
  return left === right ? a.index < b.index : left < right;
}
