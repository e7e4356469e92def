/**
 * Follows labels and the timelines of their parcels: remembers which parcels and voids must be asked about at the
 * carrier, and sends the scans of other writers to their label orders. While it holds the lease, the carriers are asked.
 */
import { decode, type EventTypes } from '../../events/core/codec.js';
import { groupedBy } from '../../events/core/grouped-by.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../api/core/parts.js';
import { DomainError } from '../../commands/core/domain-error.js';
import type { LabelReader } from '../../commands/labels/reader.js';
import type { Commands } from '../../commands/commands.js';
import { causedBy } from '../../commands/orders/following.js';
import type { Engines } from '../../engines/open.js';
import type { LabelParcel, LabelParcels } from '../../engines/postgres/label-parcels.js';
import type { LabelPolls, NewLabelPoll } from '../../engines/postgres/label-polls.js';
import { LABEL_PURCHASE, LABEL_VOID, type LabelPurchaseResult } from '../../events/labels/effects.js';
import { LABEL_PREFIX, labelOrderIdOf, labelStream } from '../../events/labels/events.js';
import { trackingOfPackage } from '../../events/orders/events.js';
import { statusCode } from '../../events/otep/codes.js';
import {
  TRACKING_PREFIX,
  TrackingEventMapped,
  TrackingEventRecorded,
  type RecordedScan,
} from '../../events/trackings/events.js';
import { startFollower, type Follower } from '../../projections/core/follower.js';
import { firstPoll } from './label-poll-times.js';

/** Its row in the checkpoint table. */
export const LABEL_SCANS = { name: 'label_scans', version: 1, prefixes: [LABEL_PREFIX, TRACKING_PREFIX] } as const;

/** Maximum number of label orders that are changed at the same time. */
const AT_ONCE = 16;
/** A kept event counts when it is mapped. */
const SCANS: ReadonlySet<string> = new Set([TrackingEventRecorded.type, TrackingEventMapped.type]);

export interface LabelScansOptions extends Parts<'progress' | 'logger' | 'now'> {
  readonly engines: Pick<Engines, 'log' | 'projectionPool' | 'holder' | 'limits'>;
  readonly types: EventTypes;
  readonly labels: Commands['labels'];
  readonly read: LabelReader;
  readonly parcels: LabelParcels;
  readonly polls: Pick<LabelPolls, 'add'>;
  /** Whether the adapter of this name can be asked about parcels. */
  readonly canPoll: (adapter: string) => boolean;
  /** Asks the carriers until the signal aborts. Does not throw. */
  readonly poll: (signal: AbortSignal) => Promise<void>;
}

export function startLabelScans(options: LabelScansOptions): Follower {
  const { engines, types, labels, read, parcels, polls, canPoll, poll, progress, logger, now } = options;
  const { log, projectionPool: pool, holder: owner, limits } = engines;

  return startFollower({
    reader: LABEL_SCANS,
    log,
    pool,
    owner,
    progress,
    background: true,
    onError: (error) => logger.error({ err: error }, 'scans of labels are not followed yet, trying again'),
    alongside: poll,
    async take({ events }, commit) {
      const added: LabelParcel[] = [];
      const begun: NewLabelPoll[] = [];
      for (const event of events) {
        if (event.type === LABEL_PURCHASE.done.type) await addBought(event, added, begun);
        if (event.type === LABEL_VOID.done.type) await addVoid(event, begun);
      }
      await followAll(events.filter(isScan), added);
      const open = begun.filter(({ begunAt }) => begunAt > now() - limits.labelPollsEndMs);
      if (added.length + open.length === 0) return;
      await commit(async (db) => {
        if (added.length > 0) await parcels.add(db, added);
        if (open.length > 0) await polls.add(db, open);
      });
    },
  });

  async function addBought(event: StoredEvent, added: LabelParcel[], begun: NewLabelPoll[]): Promise<void> {
    const { created } = await read(event.stream);
    if (!created) return;
    const { business, account_id: accountId, order_id: orderId } = created;
    const { packages, remote_id: remoteId } = event.data['result'] as unknown as LabelPurchaseResult;
    for (const { package_id: packageId, tracking_number: trackingNumber } of packages) {
      const tracking = trackingOfPackage(business, trackingNumber);
      added.push({ tracking, business, accountId, orderId, packageId, trackingNumber, remoteId });
      if (canPoll(created.adapter))
        begun.push(pollOf(event, { kind: 'tracking', orderId, about: tracking, accountId }));
    }
  }

  async function addVoid(event: StoredEvent, begun: NewLabelPoll[]): Promise<void> {
    if ((event.data['result'] as { readonly status?: string } | undefined)?.status !== 'submitted') return;
    const { created } = await read(event.stream);
    if (!created) return;
    const orderId = labelOrderIdOf(event.stream);
    begun.push(pollOf(event, { kind: 'void', orderId, about: '', accountId: created.account_id }));
  }

  function pollOf(event: StoredEvent, poll: Omit<NewLabelPoll, 'begunAt' | 'nextAt'>): NewLabelPoll {
    const begunAt = Date.parse(String(event.metadata['recorded_at']));
    return { ...poll, begunAt, nextAt: begunAt + firstPoll(poll, limits) };
  }

  /** Sends scans to their label orders, those of one order in the order of the log. `added`: parcels of this batch. */
  async function followAll(scans: readonly StoredEvent[], added: readonly LabelParcel[]): Promise<void> {
    if (scans.length === 0) return;
    const known = new Map(await parcels.of([...new Set(scans.map(trackingOf))]));
    for (const parcel of added) known.set(parcel.tracking, parcel);
    const ofLabels = scans.filter((event) => known.has(trackingOf(event)));
    const groups = [...groupedBy(ofLabels, (event) => known.get(trackingOf(event))!.orderId).values()];
    for (let at = 0; at < groups.length; at += AT_ONCE)
      await Promise.all(
        groups.slice(at, at + AT_ONCE).map(async (group) => {
          for (const event of group) await follow(event, known.get(trackingOf(event))!);
        }),
      );
  }

  async function follow(event: StoredEvent, { orderId, business, packageId }: LabelParcel): Promise<void> {
    const { status_code: statusCode_, instant, source } = decode(event, types) as unknown as RecordedScan;
    // Scans of the service follow from the order. A code without a phase changes no status.
    if (source?.type === 'platform' || !statusCode(statusCode_)) return;
    const command = { do: 'follow_scan', commandId: event.id, orderId, business, packageId } as const;
    await labels(
      labelStream(orderId),
      { ...command, statusCode: statusCode_, instant, scan: event.id },
      causedBy(event),
    ).catch((error: unknown) => {
      // A rejection must not prevent the scans that follow.
      if (!(error instanceof DomainError)) throw error;
    });
  }
}

const isScan = ({ stream, type }: StoredEvent): boolean => SCANS.has(type) && stream.startsWith(TRACKING_PREFIX);
const trackingOf = ({ stream }: StoredEvent): string => stream.slice(TRACKING_PREFIX.length);
