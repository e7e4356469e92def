/**
 * The lives of a number that the carriers of a network share (rule N8 of the protocol): the scans of all members form
 * one set, which is divided like the scans of one owner. So the lives depend neither on the order in which the members
 * pushed, nor on other carriers. Pure.
 */
import type { NetworkNumber } from '../../events/otep/networks.js';
import { livesOf, type Life, type LifeEvent } from './lives.js';
import { namings } from './naming.js';
import type { StoredScan, TrackingRow } from './row.js';

/** A parcel of a member: all trackings of one owner with one number. */
export interface MemberParcel {
  /** Public name of the carrier. */
  readonly carrier: string;
  /** At least one. */
  readonly rows: readonly TrackingRow[];
}

/** A life with the carriers of its scans. */
export interface NetworkLife extends Life {
  /** In the order of their first scans. */
  readonly carriers: readonly string[];
}

/**
 * All lives of the number, oldest first. `asked`: the identifiers that the number may mean. A parcel with another
 * number counts only with the lives in which it had one of these identifiers.
 */
export function livesOfNetwork(
  { network, subject }: NetworkNumber,
  parcels: readonly MemberParcel[],
  asked: readonly string[],
): [NetworkLife, ...NetworkLife[]] {
  const members = parcels.map(({ carrier, rows }) => ({ carrier, rows: namedRows(rows, asked) }));
  const reported = members
    .flatMap(({ carrier, rows }) =>
      rows.map((row) => ({ row, carrier, first: rows.find(({ generation }) => generation === 0)?.id ?? rows[0]!.id })),
    )
    .sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
  const originOf = new Map(
    reported.flatMap((one) => one.row.scans.map(({ id }) => [id, { ...one, owner: one.row.owner.id }] as const)),
  );
  const carriers = new Map(reported.map(({ row, carrier }) => [row.owner.id, carrier]));
  /** A member may also write to a tracking of another one. */
  const carrierOf = (report: StoredScan) => carriers.get(report.provider) ?? originOf.get(report.id)!.carrier;
  const lives = livesOf(
    reported.map(({ row }) => row),
    ({ id }) => originOf.get(id)!.first,
  );
  const [oldest, ...others] = lives.map((life): NetworkLife => {
    const events = withUniqueIds(
      life.events.map((event): LifeEvent & { carrier: string } => ({ ...event, carrier: carrierOf(event.reports[0]) })),
    );
    return {
      ...life,
      planned: null,
      // Documents of the network have their own ids, which do not depend on the carrier that scanned first.
      owner: { kind: 'provider', id: `network:${network}` },
      subject,
      events,
      carriers: [...new Set(events.flatMap(({ carrier, retraction }) => (retraction ? [] : [carrier])))],
    };
  });
  return [oldest!, ...others];
}

/** The trackings with the scans of the lives that one of the identifiers names. */
function namedRows(rows: readonly TrackingRow[], asked: readonly string[]): readonly TrackingRow[] {
  if (asked.includes(rows[0]!.number)) return rows;
  const lives = livesOf(rows);
  const named = lives.filter(({ subject }) =>
    namings(subject, { since: '', since_at: '' }).some(({ identifier }) => asked.includes(identifier)),
  );
  if (named.length === lives.length || named.length === 0) return rows;
  const ids = new Set(named.flatMap(({ events }) => events.flatMap(({ reports }) => reports.map(({ id }) => id))));
  return rows.map((row) => ({ ...row, scans: row.scans.filter(({ id }) => ids.has(id)) }));
}

/** Two carriers may use the same id. Then the event of the first carrier by name keeps it; the others get their UUID. */
function withUniqueIds<E extends LifeEvent & { readonly carrier: string }>(events: readonly E[]): E[] {
  const owners = new Map<string, string>();
  for (const { event_id, carrier } of events) {
    const owner = owners.get(event_id);
    if (owner === undefined || carrier < owner) owners.set(event_id, carrier);
  }
  return events.map((event) =>
    owners.get(event.event_id) === event.carrier ? event : { ...event, event_id: `urn:uuid:${event.id}` },
  );
}
