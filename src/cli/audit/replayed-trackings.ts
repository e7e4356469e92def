/** Trackings as they were known at a moment, folded from the log alone. */
import { EVENT_TYPES } from '../../areas/index.js';
import { decoded } from '../../events/core/codec.js';
import type { EventLog, StoredEvent } from '../../events/core/log.js';
import { normalizeNumber } from '../../events/otep/check/subject.js';
import type { Subject } from '../../events/otep/model.js';
import {
  identifiersOf,
  TRACKING_PREFIX,
  TrackingIdentified,
  TrackingOpened,
  trackingStream,
} from '../../events/trackings/events.js';
import { standings } from '../../projections/core/checkpoints.js';
import { until, type Moment } from '../../projections/rebuild/moment.js';
import { timeline, trackingOf, type TrackingRow } from '../../projections/trackings/read-model.js';
import { createTrackingQueries, meantFirst } from '../../projections/trackings/queries.js';
import type { Engines } from '../../engines/open.js';
import type { Context } from '../command.js';
import { progressNotes } from '../progress-notes.js';

export interface ReplayedTracking {
  readonly row: TrackingRow;
  /** The last event that went into it. */
  readonly last: StoredEvent;
}

export interface Replayed {
  /** Most recently active first. */
  readonly known: readonly ReplayedTracking[];
  /** The first event under this number, where nothing was known yet; undefined: the log does not name it at all. */
  readonly first: StoredEvent | undefined;
}

const PAGE = 1_000;

/**
 * The trackings that `number` meant at `moment`. The read model serves as an index only, and where it knows nothing the
 * whole log is searched.
 */
export async function replayTrackings(
  number: string,
  moment: Moment,
  { log, pool, projectionPool }: Engines,
  context: Context,
): Promise<Replayed> {
  const [own, others] = identifiersFor(number);
  const identifiers = [...own, ...others];
  const position = (await standings(projectionPool)).find(({ name }) => name === timeline.name)!.position;
  const queries = createTrackingQueries(pool);
  const indexed = (await Promise.all(identifiers.map((identifier) => queries.byIdentifier(identifier))))
    .flat()
    .map(({ id }) => trackingStream(id));
  const streams = new Set([...indexed, ...(await search(log, position, identifiers, context))]);
  if (streams.size === 0) for (const stream of await search(log, '', identifiers, context)) streams.add(stream);

  const found: ReplayedTracking[] = [];
  let first: StoredEvent | undefined;
  for (const events of (await log.readMany([...streams])).values()) {
    if (!first || events[0]!.position < first.position) first = events[0];
    const then = until(events, moment);
    if (then.length > 0)
      found.push({ row: trackingOf(then.map((event) => decoded(event, EVENT_TYPES))), last: then.at(-1)! });
  }
  const named = (some: readonly string[]) =>
    found.filter(({ row }) =>
      [row.number, ...identifiersOf(row.subject)].some((identifier) => some.includes(identifier)),
    );
  const byNumber = named(own);
  const known = byNumber.length > 0 ? byNumber : named(others);
  const meant = meantFirst(known.map(({ row }) => row));
  return { known: [...known].sort((a, b) => meant.indexOf(a.row) - meant.indexOf(b.row)), first };
}

/** As readers look it up: the number itself goes before the other kinds of identifiers. */
function identifiersFor(number: string): [own: string[], others: string[]] {
  const normal = normalizeNumber(number);
  const sscc = number.replace(/^\(?00\)?(?=\d{18}$)/, '');
  return [
    normal === undefined ? [] : [normal],
    [`sscc:${sscc}`, ...['piece', 'external', 'package', 'order'].map((kind) => `${kind}:${number}`)],
  ];
}

/** Streams that an event behind `from` gives one of the identifiers. */
async function search(
  log: EventLog,
  from: string,
  identifiers: readonly string[],
  { signal, note }: Context,
): Promise<string[]> {
  const head = await log.head();
  if (from >= head) return [];
  const found: string[] = [];
  const progress = progressNotes('searching the log', note);
  let seen = 0;
  for await (const batch of log.subscribe(from, { prefixes: [TRACKING_PREFIX], batch: PAGE, signal })) {
    for (const { type, stream, data } of batch.events) {
      if (type !== TrackingOpened.type && type !== TrackingIdentified.type) continue;
      if (identifiersOf(data['subject'] as Subject).some((identifier) => identifiers.includes(identifier)))
        found.push(stream);
    }
    progress((seen += batch.events.length));
    if (batch.position >= head) return found;
  }
  signal.throwIfAborted();
  return found;
}
