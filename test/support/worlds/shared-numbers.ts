/**
 * Reads of a number that several providers scanned, without a server: the scans are recorded one by one in a given
 * order, and the reader of timelines finds them by number.
 */
import type { InputEvent } from '../../../src/events/otep/check/event.js';
import type { Subject } from '../../../src/events/otep/model.js';
import type { Network } from '../../../src/events/otep/networks.js';
import { ANONYMOUS } from '../../../src/api/core/callers.js';
import { createTimelineReader, type TimelineReader } from '../../../src/api/areas/trackings/timelines.js';
import { holderIn, rank } from '../../../src/projections/trackings/rank.js';
import { namings } from '../../../src/projections/trackings/naming.js';
import type { TrackingHead, TrackingQueries } from '../../../src/projections/trackings/queries.js';
import type { TrackingRow } from '../../../src/projections/trackings/row.js';
import { FORMATS } from '../../../src/serializers/index.js';
import { fixedKeys, recordPushes } from './recording.js';

export interface SharedScan {
  readonly provider: string;
  readonly event: InputEvent;
}

export interface SharedNumber {
  readonly rows: readonly TrackingRow[];
  readonly reader: TimelineReader;
  /** The public document in a format, as text. Without `life`: the default life. */
  readonly read: (format?: string, life?: number) => Promise<string>;
}

export interface SharedNumberOptions {
  readonly number: string;
  /** The scans in the order of their pushes. */
  readonly scans: readonly SharedScan[];
  /** The networks of the providers that are members of one. */
  readonly networks: Readonly<Record<string, Network>>;
  readonly now: number;
  /** The identifiers that a provider pushes; absent: the number alone. */
  readonly subjectOf?: (provider: string) => Subject;
}

export async function recordSharedNumber({
  number,
  scans,
  networks,
  now,
  subjectOf = () => ({ tracking_number: number }),
}: SharedNumberOptions): Promise<SharedNumber> {
  const providers = [...new Set(scans.map(({ provider }) => provider))];
  const rows = await Promise.all(
    providers.map(async (provider) => {
      const own = scans.flatMap((scan, index) => (scan.provider === provider ? [{ ...scan, index }] : []));
      const { row } = await recordPushes(
        subjectOf(provider),
        own.map(({ event }) => [event]),
        { provider },
      );
      // Two positions for each push: the first push of a provider also opens its tracking.
      const positionOf = (revision: number) => place(own[Math.max(revision, 1) - 1]!.index * 2 + Math.min(revision, 1));
      return {
        ...row,
        opened: positionOf(0),
        scans: row.scans.map((scan) => ({ ...scan, position: positionOf(scan.revision) })),
        retractions: row.retractions.map((one) => ({ ...one, position: positionOf(one.revision) })),
      };
    }),
  );
  const reader = createTimelineReader({
    queries: queriesOf(rows),
    freshness: { read: (_caller, read) => read() },
    orders: { mayRead: () => false, read: () => Promise.resolve(undefined) },
    keyRing: fixedKeys(),
    now: () => now,
    baseUrl: () => 'https://example.org',
    nameOf: ({ id }) => Promise.resolve(id),
    networksOf: () => Promise.resolve(new Map(Object.entries(networks))),
  });
  return {
    rows,
    reader,
    async read(name = 'otep', life) {
      const format = FORMATS.find((one) => one.name === name)!;
      const { mediaType, serialize } = format;
      const found = await reader.find(number, { life }, ANONYMOUS);
      const chosen = { format, representation: { mediaType, serialize } };
      return (await reader.represent(found, chosen, ANONYMOUS, 'en')).body.toString();
    },
  };
}

const place = (position: number): string => String(position).padStart(10, '0');

function queriesOf(rows: readonly TrackingRow[]): TrackingQueries {
  const byId = (id: string) => Promise.resolve(rows.find((row) => row.id === id));
  const byIdentifier = (identifier: string) =>
    Promise.resolve(
      rows.flatMap((row): TrackingHead[] => {
        const since = { since: row.opened, since_at: row.opened_at };
        const names = namings(row.subject, since).map((naming) => naming.identifier);
        return row.number === identifier || names.includes(identifier) ? [{ ...row, ...since }] : [];
      }),
    );
  return {
    byId,
    byIdentifier,
    byAnyIdentifier: async (identifiers) =>
      rank((await Promise.all(identifiers.map(byIdentifier))).flat(), identifiers, byId),
    holder: (parcels) => (parcels.length === 1 ? Promise.resolve(parcels[0]!) : holderIn(parcels, byId, undefined)),
  };
}
