/**
 * The refund of a label. The shipment is the key (dedupe `key`): EasyPost refunds it at most once, and a repeated request
 * changes nothing. A rejected refund may be requested again.
 */
import type { Outcome } from '../../adapter.js';
import type { CarrierEffect, VoidRequest, VoidResult } from '../port.js';
import { toEasypostCall } from './account.js';
import type { EasypostClient } from './client.js';
import { shipmentSchema, type Shipment } from './objects.js';
import { readShipment } from './purchase.js';
import { REFUND_REFUSALS } from './refusals.js';

export function createVoid(client: EasypostClient): CarrierEffect<VoidRequest, VoidResult> {
  return {
    dedupe: 'key',

    async act(carrierCall, _key, { remote_id: id }) {
      const call = toEasypostCall(carrierCall);
      const requested = await client.send({
        call,
        method: 'POST',
        path: `shipments/${encodeURIComponent(id)}/refund`,
        body: {},
        schema: shipmentSchema,
        refusals: REFUND_REFUSALS,
      });
      if (requested.is === 'done') {
        const { refund_status: status } = requested.result;
        return status ? { is: 'done', result: { status } } : { is: 'unknown', cause: 'no_status' };
      }
      if (requested.is === 'unknown') return requested;
      // An earlier request may be the reason of the refusal.
      const after = await readShipment(client, call, id);
      if (after.is !== 'done') return after.is === 'unknown' ? after : requested;
      const state = toVoid(after.result);
      return state.is === 'done' ? state : requested;
    },

    async look(carrierCall, _key, request) {
      if (!request) return { is: 'unknown', cause: 'no_request' };
      const read = await readShipment(client, toEasypostCall(carrierCall), request.remote_id);
      if (read.is === 'done') return toVoid(read.result);
      return read.is === 'not_done' ? { is: 'unknown', cause: 'no_access' } : read;
    },
  };
}

/** `not_done`: there is no refund, or one that was rejected. */
function toVoid({ refund_status: status }: Pick<Shipment, 'refund_status'>): Outcome<VoidResult> {
  return status && status !== 'rejected'
    ? { is: 'done', result: { status } }
    : { is: 'not_done', code: 'absent', final: false };
}
