/** Compares the events of a document: duplicates, retractions, and the events in effect. */
import { canonical } from '../../tree/canonical.js';
import { derivedEventId } from '../identity.js';
import { compareScans, type Scan } from '../timeline.js';
import { report, type Findings } from './findings.js';
import { scanOf, type InputEvent } from './event.js';

export interface Entry {
  /** JSON Pointer of the event. */
  readonly path: string;
  readonly event: InputEvent;
  /** The producer's id, or the derived one. */
  readonly id: string;
}

/** An entry with a status, which therefore has a position in the order of rule 1. */
export interface ScanEntry extends Entry {
  readonly scan: Scan;
}

export const entryOf = (event: InputEvent, path: string): Entry => ({
  path,
  event,
  id: event.eventId ?? derivedOf(event),
});

const derivedOf = (event: InputEvent, reason?: string): string =>
  derivedEventId(
    event.source?.provider ?? '',
    event.instant,
    event.raw?.code ?? event.statusCode ?? event.retracts ?? '',
    reason,
  );

export function scanEntries(entries: readonly Entry[]): ScanEntry[] {
  return entries.flatMap((entry) => {
    const { statusCode, recordedAt } = entry.event;
    if (statusCode === undefined) return [];
    return [
      {
        ...entry,
        scan: scanOf(
          { ...entry.event, statusCode },
          { eventId: entry.id, ...(recordedAt !== undefined && { recordedAt }) },
        ),
      },
    ];
  });
}

/**
 * Removes duplicates. As on ingest, an event and a retraction may share an id. Two events with one id are one scan, so
 * they have the same time and the same status. Two scans without a producer's id are different if both have an incident
 * reason, and the reasons differ.
 */
export function dropDuplicates(entries: readonly Entry[], out: Findings): Entry[] {
  const seen = new Map<string, InputEvent>();
  return entries.flatMap((entry) => {
    const { event, id, path } = entry;
    const kind = event.retracts === undefined ? 'event' : 'retraction';
    const reason = event.eventId === undefined ? event.incident_reason?.code : undefined;
    const earlier = seen.get(`${kind} ${id}`);
    const separates = reason !== undefined && (earlier?.incident_reason?.code ?? reason) !== reason;
    const own = separates ? derivedOf(event, reason) : id;
    const known = seen.get(`${kind} ${own}`);
    if (known === undefined) {
      seen.set(`${kind} ${own}`, event);
      return [{ ...entry, id: own }];
    }
    report(
      out,
      isSameScan(known, event) ? 'DUPLICATE_EVENT' : 'EVENT_ID_REUSED',
      event.eventId === undefined ? path : `${path}/event_id`,
    );
    return [];
  });
}

const isSameScan = (a: InputEvent, b: InputEvent): boolean =>
  a.retracts === undefined && b.retracts === undefined
    ? a.instant === b.instant && (a.statusCode === b.statusCode || b.eventId === undefined || b.statusFromRaw)
    : contentOf(a) === contentOf(b);

const contentOf = ({ anomaly: _derived, recordedAt: _ours, ...content }: InputEvent): string => canonical(content);

/** Warns if the list is not sorted oldest first, which is the form of a document. Rule 1 sorts it anyway. */
export function checkOrder(entries: readonly ScanEntry[], out: Findings): void {
  entries.forEach((entry, index) => {
    const before = entries[index - 1];
    if (before && compareScans(before.scan, entry.scan) > 0) report(out, 'OUT_OF_ORDER', entry.path);
  });
}

export interface Sorted {
  /** In the order of rule 1. */
  readonly effective: readonly ScanEntry[];
  readonly retracted: readonly (ScanEntry & { readonly retractedBy: Entry })[];
}

/** Rule 3: removes the retracted events. `elsewhere`: ids that the document already lists as retracted. */
export function applyRetractions(entries: readonly Entry[], elsewhere: ReadonlySet<string>, out: Findings): Sorted {
  const scans = scanEntries(entries);
  const known = new Set(scans.map(({ id }) => id));
  const retractions = new Map<string, Entry>();
  for (const entry of entries) {
    const target = entry.event.retracts;
    if (target === undefined) continue;
    if (!known.has(target) && !elsewhere.has(target)) report(out, 'UNKNOWN_RETRACTED', `${entry.path}/retracts`);
    if (!retractions.has(target)) retractions.set(target, entry);
  }
  return {
    effective: scans.filter(({ id }) => !retractions.has(id)).sort((a, b) => compareScans(a.scan, b.scan)),
    retracted: scans.flatMap((entry) => {
      const retractedBy = retractions.get(entry.id);
      return retractedBy ? [{ ...entry, retractedBy }] : [];
    }),
  };
}
