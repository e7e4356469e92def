/** The adapter of EasyPost (docs/carrier-adapters.md). */
import { z } from 'zod';
import type { CarrierAdapter, CarrierCall, CarrierDetail, LabelFile } from '../port.js';
import type { Outcome } from '../../adapter.js';
import { credentialsSchema, settingsSchema, toEasypostCall, type EasypostCall } from './account.js';
import { createEasypostClient } from './client.js';
import { inbound } from './inbound.js';
import { boughtLabel, labelIn } from './label-files.js';
import { createManifest } from './manifest.js';
import { FORMATS, readMethods } from './methods.js';
import { shipmentSchema, type Shipment } from './objects.js';
import { createPurchase, paidFor, readShipment } from './purchase.js';
import { readRates } from './rates.js';
import { ACCESS_REFUSALS, LABEL_REFUSALS } from './refusals.js';
import { STATUS_MAPPING } from './statuses.js';
import { readTracking } from './tracking.js';
import { toKilograms } from './units.js';
import { createVoid } from './void.js';

export interface EasypostOptions {
  /** The operator sets it, never a tenant. It has no path. */
  readonly baseUrl: string;
  /** Timeout of calls that are not effects, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createEasypost({ baseUrl, timeoutMs, now = Date.now }: EasypostOptions): CarrierAdapter {
  const client = createEasypostClient(baseUrl);
  /** A read ends after the timeout of the operator, even if its caller would wait longer. */
  const limited = (call: CarrierCall): EasypostCall =>
    toEasypostCall({ ...call, signal: AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]) });

  return {
    id: 'easypost',
    name: 'EasyPost',
    settings: settingsSchema,
    credentials: credentialsSchema,
    capabilities: {
      rates: true,
      void: true,
      manifest: true,
      tracking: ['push', 'poll'],
      formats: FORMATS,
      sizes: ['4x6'],
      multi_piece: false,
      customs: true,
      options: ['signature', 'insurance', 'saturday', 'cod', 'residential'],
    },

    async test(call) {
      const read = await client.send({
        call: limited(call),
        method: 'GET',
        path: 'shipments',
        query: { page_size: '1' },
        schema: z.object({ shipments: z.array(z.unknown()) }),
        refusals: ACCESS_REFUSALS,
      });
      return read.is === 'done' ? { is: 'done', result: {} } : read;
    },

    methods: (call) => readMethods(client, limited(call)),
    rate: (call, shipment) => readRates(client, limited(call), shipment, now()),
    purchase: createPurchase(client, now),
    void: createVoid(client),
    manifest: createManifest(client),

    async detail(call, remoteId) {
      const read = await readShipment(client, limited(call), remoteId);
      return read.is === 'done' ? { is: 'done', result: toDetail(read.result) } : read;
    },

    async label(carrierCall, remoteId, format): Promise<Outcome<LabelFile>> {
      const call = limited(carrierCall);
      const read = await readShipment(client, call, remoteId);
      if (read.is !== 'done') return read;
      const known = read.result.postage_label && labelIn(read.result.postage_label, format);
      if (known) return { is: 'done', result: known };
      // EasyPost converts labels that were bought as PNG.
      const converted = await client.send({
        call,
        method: 'GET',
        path: `shipments/${encodeURIComponent(remoteId)}/label`,
        query: { file_format: format.toUpperCase() },
        schema: shipmentSchema,
        refusals: LABEL_REFUSALS,
      });
      if (converted.is !== 'done') return converted;
      const file = converted.result.postage_label && labelIn(converted.result.postage_label, format);
      return file ? { is: 'done', result: file } : { is: 'unknown', cause: 'no_file' };
    },

    track: (call, numbers) => readTracking(client, limited(call), numbers),
    inbound,
    statusMapping: STATUS_MAPPING,
  };
}

function toDetail(shipment: Shipment): CarrierDetail {
  const { tracking_code: number, selected_rate: rate, tracker, refund_status: refund, postage_label: label } = shipment;
  const paid = rate && paidFor(shipment, rate);
  const file = label && boughtLabel(label);
  return {
    tracking_numbers: number === null ? [] : [number],
    ...(paid && { cost: paid.amount, currency: paid.currency }),
    ...(tracker?.weight && { billed_weight_kg: toKilograms(tracker.weight) }),
    ...(refund && { refund_status: refund }),
    ...(file && { label: file }),
  };
}
