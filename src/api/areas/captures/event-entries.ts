/** The EPCIS events of each hit: an event, and its error declaration if it was retracted. */
import { readSubject } from '../../../events/otep/check/subject.js';
import type { ReceivedEvent } from '../../../events/captures/text.js';
import { instantAt } from '../../../events/otep/time.js';
import { identifiersOf } from '../../../events/trackings/events.js';
import type { CapturedEvents } from '../../../projections/captures/captured-events.js';
import type { EpcisHit, EpcisQueries, EpcisQuery, EpcisScan } from '../../../projections/captures/epcis-queries.js';
import type { EpcisRetractionRow } from '../../../projections/captures/epcis-retractions.js';
import { journeyOfLife } from '../../../projections/trackings/journeys.js';
import { livesOf } from '../../../projections/trackings/lives.js';
import type { TrackingQueries } from '../../../projections/trackings/queries.js';
import type { TrackingRow } from '../../../projections/trackings/row.js';
import { DEFAULT_PREFIXES, prefixesOf, type Prefixes } from '../../../serializers/epcis/context.js';
import { subjectOf } from '../../../serializers/epcis/identifiers.js';
import { OWN_CONTEXT } from '../../../serializers/epcis/page-context.js';
import { listedEpcs, reduceToVisible } from '../../../serializers/epcis/received.js';
import type { JsonRecord } from '../../../serializers/epcis/records.js';
import { writeEvents } from '../../../serializers/epcis/write.js';
import type { Parts } from '../../core/parts.js';
import { loadReceivedEvents, type ReceivedEvents } from './received-events.js';

export interface EntriesOptions extends Parts<'keyRing' | 'now'> {
  readonly queries: EpcisQueries;
  readonly captured: CapturedEvents;
  readonly trackings: Pick<TrackingQueries, 'byId'>;
}

export interface Entry {
  readonly event: JsonRecord;
  /** The parts of the document's `@context` that the event needs. */
  readonly context: readonly unknown[];
  readonly prefixes: Prefixes;
}

type Entries = (hits: readonly EpcisHit[]) => Promise<ReadonlyMap<string, readonly Entry[]>>;

/**
 * Returns the entries of hits by their ids. A hit whose people were erased has no entries. If the hits have very many
 * scans, the last hits are not in the result.
 */
export function createEntries(
  { caller, descending = false, trackings: matching }: Pick<EpcisQuery, 'caller' | 'descending' | 'trackings'>,
  { queries, captured, trackings, keyRing, now }: EntriesOptions,
): Entries {
  const rowsById = new Map<string, Promise<TrackingRow | undefined>>();
  const rowOf = (id: string) => {
    const row = rowsById.get(id) ?? trackings.byId(id);
    rowsById.set(id, row);
    return row;
  };
  const written = new Map<string, Promise<ReadonlyMap<string, readonly JsonRecord[]>>>();

  /** The events of a timeline by the ids of their scans. A retracted event is followed by its error declaration. */
  async function writeTimeline(tracking: string): Promise<ReadonlyMap<string, readonly JsonRecord[]>> {
    const [row, keys] = await Promise.all([rowOf(tracking), keyRing.existing([tracking])]);
    const eventsById = new Map<string, JsonRecord[]>();
    for (const life of row ? livesOf([row]) : []) {
      for (const event of writeEvents(journeyOfLife(life, { kind: 'full', keys }, instantAt(now())))) {
        const id = (event['eventID'] as string).slice('urn:uuid:'.length);
        eventsById.set(id, [...(eventsById.get(id) ?? []), event]);
      }
    }
    return eventsById;
  }

  async function eventsOfScan({ tracking, scan }: EpcisScan): Promise<readonly JsonRecord[]> {
    const events = written.get(tracking) ?? writeTimeline(tracking);
    written.set(tracking, events);
    return (await events).get(scan) ?? [];
  }

  async function asWritten(scans: readonly EpcisScan[]): Promise<Entry[]> {
    const wanted = scans.filter(({ tracking }) => matching?.includes(tracking) ?? true);
    return (await Promise.all(wanted.map(eventsOfScan)))
      .flat()
      .map((event) => ({ event, context: OWN_CONTEXT, prefixes: DEFAULT_PREFIXES }));
  }

  /** The part of an event that is about the parcels of these scans. */
  async function partOf(event: JsonRecord, scans: readonly EpcisScan[]): Promise<JsonRecord> {
    const rows = await Promise.all(scans.map(({ tracking }) => rowOf(tracking)));
    const known = new Set(
      rows.flatMap((row) => (row ? row.subjects.flatMap(({ subject }) => identifiersOf(subject)) : [])),
    );
    const isVisible = (epc: string) => {
      const { subject } = readSubject(subjectOf(epc), { path: '' });
      return subject !== undefined && identifiersOf(subject).some((identifier) => known.has(identifier));
    };
    return listedEpcs(event).every(isVisible) ? event : reduceToVisible(event, isVisible);
  }

  /** The provider that captured an event sees all of it, other callers the part about their parcels. */
  async function entryOf({ event, context = [] }: ReceivedEvent, visible: readonly EpcisScan[]): Promise<Entry> {
    const received = event as JsonRecord;
    const { event_id, provider } = visible[0]!;
    const named = received['eventID'] === undefined ? { ...received, eventID: event_id } : received;
    const isCapturer = caller.kind === 'provider' && provider === caller.id;
    return {
      event: isCapturer ? named : await partOf(named, visible),
      context,
      prefixes: prefixesOf(received['@context'], prefixesOf(context)),
    };
  }

  async function entriesOf(
    all: readonly EpcisScan[],
    retractionOf: (scan: EpcisScan) => EpcisRetractionRow | undefined,
    received: ReceivedEvents,
  ): Promise<readonly Entry[]> {
    const visible = all.filter(({ isVisible }) => isVisible);
    const [first] = visible;
    if (!first) return [];
    if (first.hash === null) return asWritten(visible);
    const event = await received.eventOf(all);
    if (event === null) return [];
    if (event === undefined) return asWritten(visible);
    const entry = await entryOf(event, visible);
    const retracted = visible.filter(retractionOf);
    if (retracted.length === 0) return [entry];
    const declaration = await received.declarationOf(retracted.map((scan) => retractionOf(scan)!));
    return [entry, ...(declaration ? [await entryOf(declaration, visible)] : await declared(entry, retracted))];
  }

  /** The error declaration of an event that was retracted in another format, about the retracted parcels. */
  async function declared(entry: Entry, retracted: readonly EpcisScan[]): Promise<Entry[]> {
    const events = (await Promise.all(retracted.map(eventsOfScan))).flat();
    const declaration = events.find(({ errorDeclaration }) => errorDeclaration !== undefined);
    if (!declaration) return [];
    const event = await partOf(entry.event, retracted);
    return [{ ...entry, event: { ...event, errorDeclaration: declaration['errorDeclaration'] } }];
  }

  return async (hits) => {
    const scans = await queries.scansOf(hits, { caller, descending });
    const foreign = scans.filter(({ hash }) => hash !== null);
    const found = await queries.retractionsOf(foreign);
    const received = await loadReceivedEvents(captured, foreign, found);
    const byId = new Map<string, EpcisScan[]>();
    for (const scan of scans) {
      const others = byId.get(scan.id);
      if (others) others.push(scan);
      else byId.set(scan.id, [scan]);
    }
    const retractions = new Map(found.map((one) => [keyOf(one), one]));
    const entries = new Map<string, readonly Entry[]>();
    for (const [id, all] of byId)
      entries.set(id, await entriesOf(all, (scan) => retractions.get(keyOf(scan)), received));
    return entries;
  };
}

const keyOf = (one: Pick<EpcisScan, 'tracking' | 'event_id' | 'provider'>): string =>
  JSON.stringify([one.tracking, one.provider, one.event_id]);
