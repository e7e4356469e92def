/** Converts hits of the read model to EPCIS events, page by page. Each full event is built from its timeline. */
import { instantAt } from '../../../events/otep/time.js';
import type { EpcisHit, EpcisQueries, EpcisQuery, Cursor } from '../../../projections/captures/epcis-queries.js';
import { journeyOfLife } from '../../../projections/trackings/journeys.js';
import { livesOf } from '../../../projections/trackings/lives.js';
import type { TrackingQueries } from '../../../projections/trackings/queries.js';
import type { JsonRecord } from '../../../serializers/epcis/records.js';
import { writeEvents } from '../../../serializers/epcis/write.js';
import type { Parts } from '../../core/parts.js';

export interface PageOptions extends Parts<'keyRing' | 'now'> {
  readonly find: EpcisQueries;
  readonly trackings: Pick<TrackingQueries, 'byId'>;
}

export interface Page {
  readonly events: readonly JsonRecord[];
  /** Cursor of the next page; omitted on the last page. */
  readonly next?: Cursor;
}

/** Maximum number of hits per request. A page of rare events may be short or empty and still have a next page. */
const MAX_HITS = 1_000;
const CHUNK_SIZE = 200;

/** The query covers only the caller's own shipments. `holds` filters the events in EPCIS format. */
export async function readPage(
  query: Omit<EpcisQuery, 'limit'>,
  matches: (event: JsonRecord) => boolean,
  perPage: number,
  options: PageOptions,
): Promise<Page> {
  const events: JsonRecord[] = [];
  let after = query.after;
  for (let readCount = 0; readCount < MAX_HITS; readCount += CHUNK_SIZE) {
    const limit = Math.min(CHUNK_SIZE, Math.max(perPage + 1, 50));
    const hits = await options.find({ ...query, limit, ...(after && { after }) });
    const eventsById = await readEvents(hits, options);
    for (const { instant, id } of hits) {
      // A retracted event has two entries with the same id: the event and its error declaration.
      const all = eventsById.get(id) ?? [];
      for (const [index, event] of all.entries()) {
        if (index === 0 && after?.inclusive && after.id === id) continue;
        if (!matches(event)) continue;
        if (events.length === perPage) return { events, next: index === 0 ? after! : { instant, id, inclusive: true } };
        events.push(event);
      }
      after = { instant, id, inclusive: false };
    }
    if (hits.length < limit) return { events };
  }
  return { events, ...(after && { next: after }) };
}

/** The EPCIS events of each hit, by the id of the hit. */
async function readEvents(
  hits: readonly EpcisHit[],
  { trackings, keyRing, now }: PageOptions,
): Promise<ReadonlyMap<string, readonly JsonRecord[]>> {
  const ids = [...new Set(hits.map(({ tracking }) => tracking))];
  const [rows, keys] = await Promise.all([Promise.all(ids.map(trackings.byId)), keyRing.existing(ids)]);
  const eventsById = new Map<string, JsonRecord[]>();
  for (const row of rows) {
    if (!row) continue;
    for (const life of livesOf([row])) {
      for (const event of writeEvents(journeyOfLife(life, { kind: 'full', keys }, instantAt(now())))) {
        const id = (event['eventID'] as string).slice('urn:uuid:'.length);
        eventsById.set(id, [...(eventsById.get(id) ?? []), event]);
      }
    }
  }
  return eventsById;
}
