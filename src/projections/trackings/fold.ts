/** The effect of each event on the row of its tracking. */
import type { StoredEvent } from '../../events/core/log.js';
import type { Subject } from '../../events/otep/model.js';
import { instantOfScan, TRACKING_PREFIX, type PlannedDelivery } from '../../events/trackings/events.js';
import { namings } from './naming.js';
import type { FoldedTracking, Tracking, TrackingRow } from './row.js';

/** Pure. Unknown events are ignored. Throws only if the stream does not begin with TrackingOpened. */
export function foldTracking(row: FoldedTracking | undefined, event: StoredEvent): FoldedTracking {
  const recorded_at = event.metadata['recorded_at'] as string;
  const named = { since: event.position, since_at: recorded_at };
  if (!row) {
    if (event.type !== 'TrackingOpened') throw new Error(`The stream has ${event.type} before TrackingOpened.`);
    const { owner, number, generation, subject } = event.data as unknown as Pick<
      Tracking,
      'owner' | 'number' | 'generation' | 'subject'
    >;
    const id = event.stream.slice(TRACKING_PREFIX.length);
    return {
      id,
      owner,
      number,
      generation,
      subject,
      subjects: [{ revision: event.revision, subject }],
      writers: [],
      former_writers: [],
      planned: null,
      revision: event.revision,
      last_active: '',
      recorded_at,
      opened: event.position,
      opened_at: recorded_at,
      scans: '',
      retractions: '',
      named: namings(subject, named),
    };
  }
  row.revision = event.revision;
  row.recorded_at = recorded_at;
  switch (event.type) {
    case 'TrackingIdentified':
      row.subject = { ...row.subject, ...(event.data['subject'] as Subject) };
      row.subjects = [...row.subjects, { revision: event.revision, subject: event.data['subject'] as Subject }];
      row.named.push(...namings({ ...(event.data['subject'] as Subject) }, named));
      break;
    case 'TrackingWriterGranted':
      row.writers = withLast(row.writers, event.data['provider'] as string);
      row.former_writers = without(row.former_writers, event.data['provider'] as string);
      break;
    case 'TrackingWriterRevoked':
      row.writers = without(row.writers, event.data['provider'] as string);
      row.former_writers = withLast(row.former_writers, event.data['provider'] as string);
      break;
    case 'TrackingDeliveryPlanned':
      row.planned = event.data as unknown as PlannedDelivery;
      break;
    case 'TrackingEventRecorded':
    case 'TrackingEventMapped':
    case 'TrackingEventAmended': {
      const instant = instantOfScan(event);
      row.scans += keptJson(event);
      if (instant > row.last_active) row.last_active = instant;
      break;
    }
    case 'TrackingEventRetracted':
    case 'TrackingRetractionWithdrawn':
      row.retractions += keptJson(event);
      break;
  }
  return row;
}

/** The stored parts of an event as JSON, followed by a comma. */
function keptJson(event: StoredEvent): string {
  const { id, revision, position, metadata, json = JSON.stringify(event.data) } = event;
  return `{"id":"${id}","revision":${revision},"position":${JSON.stringify(position)},"recorded_at":${JSON.stringify(metadata['recorded_at'])},${json.slice(1)},`;
}

const fromKept = <T>(json: string): T[] => JSON.parse(`[${json.slice(0, -1)}]`) as T[];

/** The row in the form that readers get. */
export function toRow({ scans, retractions, named: _named, ...tracking }: FoldedTracking): TrackingRow {
  return { ...tracking, scans: fromKept(scans), retractions: fromKept(retractions) };
}

/** The tracking that results from decoded events of its stream, beginning with the first event. */
export const trackingOf = (events: readonly StoredEvent[]): TrackingRow =>
  toRow(events.reduce<FoldedTracking | undefined>(foldTracking, undefined)!);

const without = (names: readonly string[], name: string): string[] => names.filter((one) => one !== name);
const withLast = (names: readonly string[], name: string): string[] => [...without(names, name), name];
