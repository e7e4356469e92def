/** Reads shipments at their carrier, and records its reports about voids. */
import type { Handle } from '../../commands/core/handle.js';
import type { LabelCommand, LabelReply } from '../../commands/labels/command.js';
import type { LabelReader } from '../../commands/labels/reader.js';
import type { Outcome } from '../../engines/outside/adapter.js';
import type { CarrierDetail } from '../../engines/outside/carriers/port.js';
import { labelStream, type NewLabelOrder } from '../../events/labels/events.js';
import type { LabelShipment } from '../../events/labels/order.js';
import { isVoiding } from '../../events/labels/state.js';
import { derivedId } from '../../events/otep/identity.js';
import type { CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { CarrierCalls } from './carrier-calls.js';

export interface CarrierDetailsOptions {
  readonly accounts: Pick<CarrierAccountQueries, 'byId'>;
  readonly calls: CarrierCalls;
  readonly read: LabelReader;
  readonly handle: Handle<LabelCommand, LabelReply>;
}

/** Timeout of one call, in milliseconds: a response of the service is due after 15 s. */
const CALL_MS = 8_000;

export function createCarrierDetails({ accounts, calls, read, handle }: CarrierDetailsOptions) {
  async function detailOf(
    { account_id, business }: Pick<NewLabelOrder, 'account_id' | 'business'>,
    { bought }: LabelShipment,
  ): Promise<Outcome<CarrierDetail>> {
    const account = await accounts.byId(account_id, business);
    const adapter = account && calls.adapterOf(account.adapter);
    if (!account || !adapter?.detail || !bought) return { is: 'not_done', code: 'NOT_SERVED', final: true };
    return calls.ask(account, async () => {
      const call = await calls.callFor(account, AbortSignal.timeout(CALL_MS));
      if (!call) return { is: 'not_done', code: 'CREDENTIALS_MISSING', final: false };
      return adapter.detail!(call, bought.remote_id);
    });
  }

  return {
    detailOf,

    /**
     * Asks about the voids that the carrier has accepted, and records its decision. A repetition changes nothing. `known`:
     * what the carrier has just responded, by the subject of the shipment.
     */
    async refreshVoids(orderId: number, known: ReadonlyMap<string, Outcome<CarrierDetail>> = new Map()): Promise<void> {
      const stream = labelStream(orderId);
      const { state, created } = await read(stream);
      if (!created) return;
      const accepted = state.order.shipments.filter((one) => isVoiding(one) && one.void?.step === 'done');
      // At the same time, because the response is due in time also with many shipments.
      const outcomes = await Promise.all(
        accepted.map(async (one) => known.get(one.about) ?? (await detailOf(created, one))),
      );
      for (const [index, shipment] of accepted.entries()) {
        const outcome = outcomes[index]!;
        const status = outcome.is === 'done' ? outcome.result.refund_status : undefined;
        if (status === undefined || status === 'submitted') continue;
        const { business } = created;
        const commandId = derivedId('void report', orderId, shipment.void!.effect_id, status);
        const command = { do: 'report_void' as const, commandId, orderId, business, shipment: shipment.about, status };
        await handle(stream, command, {
          correlationId: derivedId('void reports', orderId),
          actor: { kind: 'system', id: 'labels' },
          channel: 'system',
          business: String(business),
        });
      }
    },
  };
}
