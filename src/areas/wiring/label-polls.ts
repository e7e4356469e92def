/**
 * Asks carriers about parcels and accepted voids when that is due. The accounts are independent: an account that is slow
 * or fails does not delay others. Rows stay due until the result is stored, so a process that ends loses nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Parts } from '../../api/core/parts.js';
import type { LabelReader, ReadLabelOrder } from '../../commands/labels/reader.js';
import type { CarrierTrackingEvent } from '../../engines/outside/carriers/port.js';
import type { DueLabelPoll, LabelPolls } from '../../engines/postgres/label-polls.js';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { endsJourney } from '../../events/labels/followed-scan.js';
import { labelStream } from '../../events/labels/events.js';
import { hasLabel, isVoiding, shipmentOf } from '../../events/labels/state.js';
import type { CarrierAccount, CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { CarrierCalls } from './carrier-calls.js';
import type { CarrierScans } from './carrier-scans.js';
import { nextTrackingPoll, nextVoidPoll } from './label-poll-times.js';

/** Parcels of one call. */
const BATCH = 50;
/** Maximum number of accounts that are asked at the same time. */
const MAX_ACCOUNTS = 16;
/** Minimum time between two calls to one account, in milliseconds. */
const ACCOUNT_GAP_MS = 1_000;

export interface LabelPollsOptions extends Parts<'logger' | 'now'> {
  readonly polls: Pick<LabelPolls, 'dueAccounts' | 'due' | 'ended'>;
  readonly accounts: Pick<CarrierAccountQueries, 'ofAnyBusiness'>;
  readonly calls: CarrierCalls;
  readonly scans: CarrierScans;
  readonly read: LabelReader;
  readonly refreshVoids: (orderId: number) => Promise<void>;
  readonly limits: TimeLimits;
}

/** The carrier gave no result. */
class PollFailed extends Error {
  override readonly name = 'PollFailed';
}

/** Returns a function that asks the carriers until its signal aborts. */
export function createPollCarriers(options: LabelPollsOptions): (signal: AbortSignal) => Promise<void> {
  const { polls, accounts, calls, scans, read, refreshVoids, limits, logger, now } = options;
  /** Accounts that are asked now. */
  const active = new Map<number, Promise<void>>();
  /** Accounts that are not asked before a time. `failures`: failed calls in a row. */
  const resting = new Map<number, { readonly until: number; readonly failures: number }>();

  async function round(signal: AbortSignal): Promise<void> {
    for (const [id, { until, failures }] of resting) if (failures === 0 && until <= now()) resting.delete(id);
    const free = MAX_ACCOUNTS - active.size;
    if (free === 0) return;
    const waiting = [...resting].filter(([, { until }]) => until > now()).map(([id]) => id);
    for (const id of await polls.dueAccounts([...active.keys(), ...waiting], free)) {
      const asked = ask(id, signal).finally(() => active.delete(id));
      active.set(id, asked);
    }
  }

  /** Does not throw. */
  async function ask(id: number, signal: AbortSignal): Promise<void> {
    try {
      await askAccount(id, signal);
      resting.set(id, { until: now() + ACCOUNT_GAP_MS, failures: 0 });
    } catch (error) {
      const failures = (resting.get(id)?.failures ?? 0) + 1;
      const delay = Math.min(limits.labelPollRetryMs * 2 ** (failures - 1), limits.effectMaxRetryMs);
      resting.set(id, { until: now() + delay, failures });
      if (!signal.aborted)
        logger.warn({ err: error, carrierAccount: id }, 'a carrier could not be asked, trying again');
    }
  }

  async function askAccount(id: number, signal: AbortSignal): Promise<void> {
    const account = await accounts.ofAnyBusiness(id);
    if (!account) throw new PollFailed('The account is not known.');
    if (calls.waitOf(account) > 0) throw new PollFailed('circuit_open');
    const hasFailed = (resting.get(id)?.failures ?? 0) > 0;
    // After a failure the parcels are asked about one by one, because one of them may be the cause.
    const due = await polls.due(id, hasFailed ? 1 : BATCH);
    const [first] = due;
    try {
      if (first?.kind === 'void') return await askVoids(first);
      const tracked = due.filter(({ kind }) => kind === 'tracking');
      await askTracking(account, tracked, signal);
    } catch (error) {
      if (first && hasFailed && !signal.aborted) await polls.ended([{ ...first, afterMs: limits.effectMaxRetryMs }]);
      throw error;
    }
  }

  async function askVoids(poll: DueLabelPoll): Promise<void> {
    await refreshVoids(poll.orderId);
    const { state } = await read(labelStream(poll.orderId));
    const isOpen = state.order.shipments.some((one) => isVoiding(one) && one.void?.step === 'done');
    await polls.ended([{ ...poll, afterMs: isOpen && !isOld(poll) ? nextVoidPoll(poll, limits) : undefined }]);
  }

  async function askTracking(
    account: CarrierAccount,
    due: readonly DueLabelPoll[],
    signal: AbortSignal,
  ): Promise<void> {
    const orders = new Map<number, ReadLabelOrder>();
    for (const { orderId } of due) if (!orders.has(orderId)) orders.set(orderId, await read(labelStream(orderId)));
    const isOver = (poll: DueLabelPoll) => isOld(poll) || !poll.parcel || hasEnded(orders.get(poll.orderId)!, poll);
    const open = due.filter((poll) => !isOver(poll));
    await polls.ended(due.filter(isOver).map((poll) => ({ ...poll, afterMs: undefined })));
    if (open.length === 0) return;
    const events = await track(account, open, signal);
    const { statuses, failed } = await scans.write(account, calls.adapterOf(account.adapter)!, events);
    for (const [, error] of failed) logger.warn({ err: error, carrierAccount: account.id }, 'scans were not written');
    await polls.ended(
      open.map((poll) => {
        const { trackingNumber: number } = poll.parcel!;
        const next = () => nextTrackingPoll(poll, statuses.get(number) ?? [], limits);
        return { ...poll, afterMs: failed.has(number) ? limits.effectMaxRetryMs : next() };
      }),
    );
  }

  async function track(
    account: CarrierAccount,
    open: readonly DueLabelPoll[],
    signal: AbortSignal,
  ): Promise<readonly CarrierTrackingEvent[]> {
    const adapter = calls.adapterOf(account.adapter);
    if (!adapter?.track) throw new PollFailed('The adapter cannot be asked.');
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(limits.effectCallMs)]);
    const numbers = open.map(({ parcel }) => ({
      tracking_number: parcel!.trackingNumber,
      remote_id: parcel!.remoteId,
    }));
    const call = await calls.callFor(account, timeout);
    if (!call) throw new PollFailed('CREDENTIALS_MISSING');
    const outcome = await calls.ask(account, () => adapter.track!(call, numbers));
    if (outcome.is !== 'done') throw new PollFailed(outcome.is === 'unknown' ? outcome.cause : outcome.code);
    return outcome.result;
  }

  const isOld = ({ begunAt }: DueLabelPoll): boolean => new Date(begunAt).getTime() < now() - limits.labelPollsEndMs;

  return async function run(signal) {
    while (!signal.aborted) {
      await round(signal).catch((error: unknown) => {
        if (!signal.aborted) logger.error({ err: error }, 'carriers could not be asked, trying again');
      });
      await sleep(limits.labelPollCheckMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(active.values());
  };
}

/** The journey of the parcel has ended, or its label is void. */
function hasEnded({ state: { order } }: ReadLabelOrder, { parcel }: DueLabelPoll): boolean {
  const found = order.packages.find(({ package_id: id }) => id === parcel!.packageId);
  const shipment = found && shipmentOf(order, found.package_id);
  return !found || !shipment || !hasLabel(shipment) || (found.status !== undefined && endsJourney(found.status.code));
}
