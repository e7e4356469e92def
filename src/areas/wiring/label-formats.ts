/** Downloads labels in another format than the one that was bought, if the carrier offers it. Nothing is stored. */
import type { LabelFormat } from '../../engines/outside/carriers/shipment.js';
import type { NewLabelOrder } from '../../events/labels/events.js';
import type { LabelShipment } from '../../events/labels/order.js';
import type { CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { CarrierCalls } from './carrier-calls.js';
import type { LabelFiles } from './label-files.js';

export interface LabelFormatsOptions {
  readonly accounts: Pick<CarrierAccountQueries, 'byId'>;
  readonly calls: Pick<CarrierCalls, 'adapterOf' | 'ask' | 'callFor'>;
  readonly files: Pick<LabelFiles, 'read'>;
}

/** Timeout of one call, in milliseconds. The download takes at most 8 s more, and a response is due after 15 s. */
const CALL_MS = 5_000;

/** Undefined: the carrier does not offer the format, or did not respond. */
export type DownloadInFormat = (
  order: Pick<NewLabelOrder, 'account_id' | 'business'>,
  shipment: Pick<LabelShipment, 'bought'>,
  format: LabelFormat,
) => Promise<Buffer | undefined>;

export function createLabelFormats({ accounts, calls, files }: LabelFormatsOptions): DownloadInFormat {
  return async ({ account_id, business }, { bought }, format) => {
    const account = await accounts.byId(account_id, business);
    const adapter = account && calls.adapterOf(account.adapter);
    if (!account || !adapter?.label || !adapter.capabilities.formats.includes(format) || !bought) return undefined;
    const outcome = await calls.ask(account, async () => {
      const call = await calls.callFor(account, AbortSignal.timeout(CALL_MS));
      if (!call) return { is: 'not_done', code: 'CREDENTIALS_MISSING', final: false };
      return adapter.label!(call, bought.remote_id, format);
    });
    return outcome.is === 'done' && outcome.result.format === format ? files.read(outcome.result) : undefined;
  };
}
