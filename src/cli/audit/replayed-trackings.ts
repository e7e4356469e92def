/** Trackings as they were known at a given moment, built from the log alone. */
import { EVENT_TYPES } from '../../areas/index.js';
import { decoded } from '../../events/core/codec.js';
import type { EventLog, StoredEvent } from '../../events/core/log.js';
import type { Subject } from '../../events/otep/model.js';
import type { Network, NetworkNumber } from '../../events/otep/networks.js';
import { ProviderNetworkSet, providerStream } from '../../events/providers/events.js';
import {
  TRACKING_PREFIX,
  TrackingIdentified,
  TrackingOpened,
  trackingStream,
  type Owner,
} from '../../events/trackings/events.js';
import { checkpoints } from '../../projections/core/checkpoints.js';
import { until, type Moment } from '../../projections/rebuild/moment.js';
import { namings, openIdentifiers, type Naming } from '../../projections/trackings/naming.js';
import { timeline } from '../../projections/trackings/read-model.js';
import { trackingOf } from '../../projections/trackings/fold.js';
import type { TrackingRow } from '../../projections/trackings/row.js';
import { chooseNetwork } from '../../projections/trackings/network-choice.js';
import { holderIn, rank, type Candidate, type Named } from '../../projections/trackings/rank.js';
import { createTrackingQueries } from '../../projections/trackings/queries.js';
import type { Engines } from '../../engines/open.js';
import type { Context } from '../command.js';
import { progressNotes } from '../progress-notes.js';

/** A parcel of one owner, as it was recorded at the moment. */
export interface ReplayedParcel {
  readonly owner: Owner;
  /** All trackings of its number, oldest first. */
  readonly rows: readonly [TrackingRow, ...TrackingRow[]];
  /** The last event that was applied. */
  readonly last: StoredEvent;
}

export interface Replayed {
  /** In the order in which a lookup of the number considers them. */
  readonly known: readonly ReplayedParcel[];
  /** Present if members of a network had the number at the moment: their parcels, whose scans are merged. */
  readonly network?: { readonly number: NetworkNumber; readonly parcels: readonly ReplayedParcel[] };
  /**
   * The first event under this number if nothing was known yet at the moment; undefined if the log does not contain the
   * number.
   */
  readonly first: StoredEvent | undefined;
}

const PAGE = 1_000;

/**
 * Returns the trackings that `number` referred to at `moment`. The read model serves only as an index. If it does not
 * contain the number, the whole log is searched.
 */
export async function replayTrackings(
  number: string,
  moment: Moment,
  { log, pool, projectionPool }: Engines,
  context: Context,
): Promise<Replayed> {
  const open = openIdentifiers(number);
  const identifiers = [...open, `package:${number}`, `order:${number}`];
  const position = (await checkpoints(projectionPool)).find(({ name }) => name === timeline.name)!.position;
  const queries = createTrackingQueries(pool);
  const indexed = (await Promise.all(identifiers.map((identifier) => queries.byIdentifier(identifier))))
    .flat()
    .map(({ id }) => trackingStream(id));
  const streams = new Set([...indexed, ...(await search(log, position, identifiers, context))]);
  if (streams.size === 0) for (const stream of await search(log, '', identifiers, context)) streams.add(stream);

  const replayed = new Map<string, { row: TrackingRow; last: StoredEvent; namings: readonly Naming[] }>();
  let first: StoredEvent | undefined;
  for (const stored of (await log.readMany([...streams])).values()) {
    if (!first || stored[0]!.position < first.position) first = stored[0];
    const events = until(stored, moment).map((event) => decoded(event, EVENT_TYPES));
    if (events.length === 0) continue;
    const row = trackingOf(events);
    replayed.set(row.id, { row, last: events.at(-1)!, namings: namingsOf(events) });
  }
  const byId = (id: string) => Promise.resolve(replayed.get(id)?.row);
  const named = (names: readonly string[]) => {
    const candidates = [...replayed.values()].flatMap(({ row, namings }) => {
      const naming = namings.find(({ identifier }) => names.includes(identifier));
      return naming ? [{ ...row, since: naming.since, since_at: naming.since_at }] : [];
    });
    return rank(candidates, names, byId);
  };
  // Same rule as for reads: numbers that only the owner knows are used only if no public number matches.
  const parcels = await named(open);
  const { named: chosen, network } =
    parcels.length === 0
      ? {}
      : await chooseNetwork(number, parcels, {
          networksOf: (providers) => networksAt(moment, providers, log),
          holder: (some) => holderIn(some, byId, undefined),
        });
  const toParcel = ({ owner, trackings: [one, ...others] }: Named<TrackingRow & Candidate>): ReplayedParcel => {
    const rows: [TrackingRow, ...TrackingRow[]] = [one, ...others];
    const last = rows
      .map(({ id }) => replayed.get(id)!.last)
      .reduce((latest, event) => (event.position > latest.position ? event : latest));
    return { owner, rows, last };
  };
  const known = chosen ? [chosen, ...parcels.filter((one) => one !== chosen)] : await named(identifiers);
  return {
    known: known.map(toParcel),
    ...(network && { network: { number: network.number, parcels: network.parcels.map(toParcel) } }),
    first,
  };
}

/** The networks of which the providers were members at the moment. */
async function networksAt(
  moment: Moment,
  providers: readonly string[],
  log: EventLog,
): Promise<ReadonlyMap<string, Network>> {
  const streams = await log.readMany(providers.map(providerStream));
  return new Map(
    providers.flatMap((id) => {
      const changes = until(streams.get(providerStream(id)) ?? [], moment).filter(
        ({ type }) => type === ProviderNetworkSet.type,
      );
      const network = changes.at(-1)?.data['network'] as Network | null | undefined;
      return network ? [[id, network] as const] : [];
    }),
  );
}

/** Returns the identifiers of the tracking, oldest first. */
const namingsOf = (events: readonly StoredEvent[]): Naming[] =>
  events.flatMap(({ type, data, position, metadata }) => {
    if (type !== TrackingOpened.type && type !== TrackingIdentified.type) return [];
    const named = { since: position, since_at: metadata['recorded_at'] as string };
    const { subject, number } = data as unknown as { readonly subject: Subject; readonly number?: string };
    return [...(number === undefined ? [] : [{ identifier: number, ...named }]), ...namings(subject, named)];
  });

/** Returns the streams in which an event after `from` assigns one of the identifiers. */
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
      if (
        namings(data['subject'] as Subject, { since: '', since_at: '' }).some(({ identifier }) =>
          identifiers.includes(identifier),
        )
      )
        found.push(stream);
    }
    progress((seen += batch.events.length));
    if (batch.position >= head) return found;
  }
  signal.throwIfAborted();
  return found;
}
