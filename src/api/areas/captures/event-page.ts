/**
 * Converts hits of the read model to EPCIS events, page by page. A captured event is returned once, as it was received.
 * Any other scan is built from its timeline.
 */
import type { EpcisHit, EpcisQueries, EpcisQuery, Cursor } from '../../../projections/captures/epcis-queries.js';
import { createPageContext } from '../../../serializers/epcis/page-context.js';
import type { JsonRecord } from '../../../serializers/epcis/records.js';
import { createEntries, type EntriesOptions, type Entry } from './event-entries.js';

export interface PageOptions extends EntriesOptions {
  readonly queries: EpcisQueries;
}

export interface Page {
  readonly events: readonly JsonRecord[];
  /** `@context` of the document. */
  readonly context: readonly unknown[];
  /** Cursor of the next page; omitted on the last page. */
  readonly next?: Cursor;
}

/** Maximum number of hits per request. A page of rare events may be short or empty and still have a next page. */
const MAX_HITS = 1_000;
const CHUNK_SIZE = 200;

/** The query covers only the caller's own shipments. `matches` filters the events in EPCIS format. */
export async function readPage(
  query: Omit<EpcisQuery, 'limit'>,
  matches: (entry: Entry) => boolean,
  perPage: number,
  options: PageOptions,
): Promise<Page> {
  const events: JsonRecord[] = [];
  const context = createPageContext();
  const page = (next?: Cursor): Page => ({ events, context: context.toContext(), ...(next && { next }) });
  const entriesOf = createEntries(query, options);
  let after = query.after;
  for (let readCount = 0; readCount < MAX_HITS; readCount += CHUNK_SIZE) {
    const limit = Math.min(CHUNK_SIZE, Math.max(perPage + 1, 50));
    const hits = await options.queries.find({ ...query, limit, ...(after && { after }) });
    const entries = await entriesOf(hits);
    for (const hit of hits) {
      const all = entries.get(hit.id);
      if (!all) return page(after);
      const skip = after?.id === hit.id && after.instant === hit.instant ? (after.skip ?? 0) : 0;
      for (const [index, entry] of all.entries()) {
        if (index < skip || !matches(entry)) continue;
        // Events whose documents contradict each other in a term are not on one page.
        if (events.length === perPage || !context.add(entry.context)) return page({ ...cursorAt(hit), skip: index });
        events.push(entry.event);
      }
      after = cursorAt(hit);
    }
    if (hits.length < limit) return page();
  }
  return page(after);
}

const cursorAt = ({ instant, id }: EpcisHit): Cursor => ({ instant, id });
