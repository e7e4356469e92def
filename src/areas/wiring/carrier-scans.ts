/**
 * Writes the events of carriers to the timelines of parcels with a label, as scans of the provider of the carrier
 * account. Messages and polls use it: a repeated event has the same id, so it is stored once. Numbers for which the
 * business has no label of the account change nothing.
 */
import type { RecordUnmapped } from '../../api/areas/trackings/mapping.js';
import type { Parts } from '../../api/core/parts.js';
import type { Commands } from '../../commands/commands.js';
import type { Cause } from '../../commands/core/handle.js';
import type { EventOutcome } from '../../commands/trackings/ingest.js';
import type { CarrierAdapter, CarrierTrackingEvent } from '../../engines/outside/carriers/port.js';
import type { LabelParcels } from '../../engines/postgres/label-parcels.js';
import { groupedBy } from '../../events/core/grouped-by.js';
import type { EventLog } from '../../events/core/log.js';
import { labelStream } from '../../events/labels/events.js';
import { trackingOfPackage } from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { CarrierAccount } from '../../projections/carrier-accounts/queries.js';
import type { LabelQueries } from '../../projections/labels/queries.js';
import { readCarrierEvent, type CarrierProvider, type CarrierScan } from './carrier-events.js';
import type { CarrierProviders } from './carrier-providers.js';

/** Maximum wait for the read model of label orders, in milliseconds. */
const WAIT_MS = 10_000;
/** Events of one append. */
const BATCH = 500;
const NO_ACCESS: ReadonlySet<string> = new Set(['UNKNOWN_SHIPMENT', 'NOT_YOUR_SHIPMENT']);

export interface CarrierScansOptions extends Parts<'logger' | 'now' | 'progress'> {
  readonly log: Pick<EventLog, 'head'>;
  readonly ingest: Commands['ingest'];
  readonly follow: Commands['followLabels'];
  readonly labels: Pick<LabelQueries, 'byTrackingNumber'>;
  readonly parcels: Pick<LabelParcels, 'of'>;
  readonly providers: CarrierProviders;
  readonly recordUnmapped: RecordUnmapped;
}

type Account = Pick<CarrierAccount, 'id' | 'business' | 'adapter'>;

/** By tracking number. */
export interface WrittenScans {
  readonly statuses: ReadonlyMap<string, readonly string[]>;
  readonly failed: ReadonlyMap<string, unknown>;
}

export type CarrierScans = ReturnType<typeof createCarrierScans>;

export function createCarrierScans(options: CarrierScansOptions) {
  const { log, ingest, follow, labels, parcels, providers, recordUnmapped, logger, now, progress } = options;

  /** Returns the OTEP statuses of the scans. Throws if the events must be written again. */
  async function writeNumber(
    account: Account,
    number: string,
    events: readonly CarrierTrackingEvent[],
    provider: CarrierProvider,
  ): Promise<string[]> {
    const tracking = trackingOfPackage(account.business, number);
    const parcel = (await parcels.of([tracking])).get(tracking);
    const own = events.filter(({ remote_id: id }) => !parcel || id === undefined || id === parcel.remoteId);
    const scans = own.flatMap((event) => readOrWarn(account, event, provider));
    const statuses: string[] = [];
    for (let at = 0; at < scans.length; at += BATCH)
      statuses.push(...(await writeScans(account, { number, tracking }, scans.slice(at, at + BATCH), provider.id)));
    return statuses;
  }

  /** An event that cannot be stored must not prevent the others. */
  function readOrWarn(account: Account, event: CarrierTrackingEvent, provider: CarrierProvider): CarrierScan[] {
    const read = readCarrierEvent(event, provider, now());
    if ('pushed' in read) return [read];
    logger.warn({ carrierAccount: account.id, codes: read.codes }, 'an event of a carrier is not readable');
    return [];
  }

  async function writeScans(
    account: Account,
    { number, tracking }: { readonly number: string; readonly tracking: string },
    scans: readonly CarrierScan[],
    provider: string,
  ): Promise<string[]> {
    const cause: Cause = {
      correlationId: derivedId('carrier scans', tracking),
      actor: { kind: 'provider', id: provider },
      channel: 'system',
      business: String(account.business),
    };
    const write = async () => {
      const pusher = { id: provider, kind: 'carrier', mayOpen: false } as const;
      const timeline = {
        subject: { tracking_number: number },
        events: scans.map(({ pushed }) => pushed),
        targets: [{ id: tracking }] as const,
      };
      return (await ingest(pusher, [timeline], cause)).outcomes[0]!;
    };
    let outcomes = await write();
    if (outcomes.every(isWithoutAccess)) {
      if (!(await isLabelled(account, number))) return [];
      outcomes = await write();
    }
    const added = scans.filter((_, index) => outcomes[index]!.outcome === 'accepted');
    const unmapped = added.flatMap((scan) => scan.unmapped);
    if (unmapped.length > 0) recordUnmapped(provider, unmapped);
    return scans.flatMap(({ pushed: { scan } }, index) =>
      scan && outcomes[index]!.outcome !== 'rejected' ? [scan.status_code] : [],
    );
  }

  /** Whether the account has a label of the number. Then its timeline is open: a process may have ended before that. */
  async function isLabelled({ id, business }: Account, number: string): Promise<boolean> {
    const head = await log.head();
    if (!(await progress.waitFor('labels', head, WAIT_MS)))
      throw new Error(`The read model of label orders has not reached position ${head} in time.`);
    const order = await labels.byTrackingNumber(number, { business });
    if (order?.account_id !== id) return false;
    await follow(labelStream(order.id));
    return true;
  }

  return {
    /**
     * Writes events of the parcels of an account. Returns the OTEP statuses of the scans by number, and the errors of the
     * numbers whose events must be written again: a number that fails does not prevent the others.
     */
    async write(
      account: Account,
      adapter: CarrierAdapter,
      events: readonly CarrierTrackingEvent[],
    ): Promise<WrittenScans> {
      const statuses = new Map<string, readonly string[]>();
      const failed = new Map<string, unknown>();
      if (events.length === 0) return { statuses, failed };
      const provider = await providers.of(account, adapter);
      const byNumber = groupedBy(events, ({ tracking_number: number }) => number);
      for (const [number, some] of byNumber)
        try {
          statuses.set(number, await writeNumber(account, number, some, provider));
        } catch (error) {
          failed.set(number, error);
        }
      return { statuses, failed };
    },
  };
}

const isWithoutAccess = (outcome: EventOutcome): boolean =>
  outcome.outcome === 'rejected' && 'code' in outcome && NO_ACCESS.has(outcome.code);
