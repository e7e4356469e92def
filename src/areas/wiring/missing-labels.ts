/** Downloads the labels that could not be downloaded at their purchase. A repetition changes nothing. */
import type { Handle } from '../../commands/core/handle.js';
import type { LabelCommand, LabelReply } from '../../commands/labels/decider.js';
import type { LabelReader } from '../../commands/labels/reader.js';
import { derivedId } from '../../events/otep/identity.js';
import { labelStream } from '../../events/labels/events.js';
import { isLabelMissing, shipmentOf } from '../../events/labels/state.js';
import type { CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { LabelQueries } from '../../projections/labels/queries.js';
import type { CarrierCalls } from './carrier-calls.js';
import type { LabelFiles } from './label-files.js';

export interface MissingLabelsOptions {
  readonly accounts: Pick<CarrierAccountQueries, 'byId'>;
  readonly calls: CarrierCalls;
  readonly files: Pick<LabelFiles, 'store'>;
  readonly read: LabelReader;
  readonly handle: Handle<LabelCommand, LabelReply>;
}

/** Timeout of one call, in milliseconds. The download takes at most 8 s more, and a response is due after 15 s. */
const CALL_MS = 5_000;

/** Downloads the missing labels of an order. Labels that the carrier does not return stay missing. */
export type DownloadMissing = (orderId: number) => Promise<void>;

export function createMissingLabels({ accounts, calls, files, read, handle }: MissingLabelsOptions): DownloadMissing {
  return async (orderId) => {
    const stream = labelStream(orderId);
    const { state, created } = await read(stream);
    if (!created) return;
    const { business, account_id, adapter: name, label_format } = created;
    const adapter = calls.adapterOf(name);
    const account = await accounts.byId(account_id, business);
    if (!adapter?.label || !account) return;
    // The carrier returns one file for a shipment, so it belongs to the first package.
    const first = state.order.packages.filter(
      (parcel) =>
        isLabelMissing(state.order, parcel) &&
        shipmentOf(state.order, parcel.package_id)!.packages[0] === parcel.package_id,
    );
    await Promise.all(
      first.map(async (parcel) => {
        const { bought } = shipmentOf(state.order, parcel.package_id)!;
        const outcome = await calls.ask(account, async () => {
          const call = await calls.callFor(account, AbortSignal.timeout(CALL_MS));
          if (!call) return { is: 'not_done', code: 'CREDENTIALS_MISSING', final: false };
          return adapter.label!(call, bought!.remote_id, label_format);
        });
        const label = outcome.is === 'done' ? await files.store(outcome.result, { business, orderId }) : undefined;
        if (!label) return;
        const commandId = derivedId('label download', orderId, parcel.package_id, label.file_id);
        const command = {
          do: 'store_label' as const,
          commandId,
          orderId,
          business,
          packageId: parcel.package_id,
          label,
        };
        await handle(stream, command, causeOf(orderId, business));
      }),
    );
  };
}

/** Maximum number of orders in one round. */
const AT_ONCE = 20;

export interface MissingRoundOptions {
  readonly missing: LabelQueries['missing'];
  readonly download: DownloadMissing;
}

/**
 * One round of downloads: the orders after those of the last round, and after the last order again the first one. So an
 * order whose label is never available does not keep the others waiting. `since`: RFC 3339. Throws the first error, after
 * the other orders of the round.
 */
export function createMissingRound({ missing, download }: MissingRoundOptions) {
  let after = 0;
  return async (since: string): Promise<void> => {
    const found = await missing(since, { after, limit: AT_ONCE });
    after = found.length < AT_ONCE ? 0 : found.at(-1)!.orderId;
    const errors: unknown[] = [];
    for (const { orderId } of found) await download(orderId).catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  };
}

const causeOf = (orderId: number, business: number) => ({
  correlationId: derivedId('label downloads', orderId),
  actor: { kind: 'system' as const, id: 'labels' },
  channel: 'system' as const,
  business: String(business),
});
