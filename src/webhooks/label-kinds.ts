/** Webhooks about label orders. */
import { z } from 'zod';
import { LABEL_PURCHASE, LABEL_VOID, WHOLE_ORDER, type LabelPurchaseResult } from '../events/labels/effects.js';
import {
  labelOrderIdOf,
  LABEL_PREFIX,
  LabelOrderCancelled,
  LabelStatusFollowed,
  LabelVoided,
  LabelVoidRejected,
} from '../events/labels/events.js';
import { byChange, given, oneOf, type Changes, type Kind } from './kind.js';

const CHANGES: Changes = {
  [LABEL_PURCHASE.done.type]: 'purchased',
  [LABEL_PURCHASE.refused.type]: 'purchase_failed',
  [LABEL_PURCHASE.leftOpen.type]: 'left_open',
  [LabelVoided.type]: 'voided',
  [LABEL_VOID.refused.type]: 'void_refused',
  [LabelVoidRejected.type]: 'void_refused',
  [LabelOrderCancelled.type]: 'cancelled',
  [LabelStatusFollowed.type]: 'status_changed',
};

export const LABEL_KINDS = {
  label_changed: {
    type: 'label.changed',
    since: '0.1.0',
    prefix: LABEL_PREFIX,
    on: Object.keys(CHANGES),
    objectId: 'order_id',
    status: byChange,
    shape: z.object({
      order_id: z.int(),
      order_ref: z.string().optional(),
      change: oneOf(CHANGES),
      package_id: z.string().optional(),
      cost: z.string().optional(),
      currency: z.string().optional(),
      status_code: z.string().optional(),
      tracking_numbers: z.array(z.string()).optional(),
      carrier: z.string().optional(),
      code: z.string().optional(),
    }),
    data: ({ event, data, firstData }) => {
      const result = data['result'] as unknown as LabelPurchaseResult | undefined;
      return {
        order_id: labelOrderIdOf(event.stream),
        ...given(firstData, 'order_ref'),
        change: CHANGES[event.type]!,
        ...given(data, 'package_id', 'code', 'status_code'),
        ...(data['shipment'] !== undefined && data['shipment'] !== WHOLE_ORDER && { package_id: data['shipment'] }),
        ...(result && {
          ...(result.packages.length === 1 && { package_id: result.packages[0]!.package_id }),
          carrier: result.carrier,
          cost: result.cost,
          currency: result.currency,
          tracking_numbers: result.packages.map(({ tracking_number }) => tracking_number),
        }),
      };
    },
    example: {
      stream: `${LABEL_PREFIX}0`,
      first: [
        'LabelOrderCreated',
        {
          order_id: 0,
          business: 0,
          order_ref: 'EXAMPLE-1',
          account_id: 0,
          adapter: 'sheet',
          method_id: 0,
          method_code: 'standard',
          method_name: 'Standard',
          carrier: 'Example Carrier',
          ship_date: '2026-01-05',
          packages: [{ package_id: '1', weight_kg: 1.5 }],
          options: {},
          label_format: 'pdf',
          label_size: '4x6',
          shipments: [{ about: '1', packages: ['1'], digest: '' }],
        },
      ],
      trigger: [
        'LabelPurchased',
        {
          effect_id: '00000000-0000-4000-8000-000000000000',
          result: {
            remote_id: 'EXAMPLE',
            carrier: 'Example Carrier',
            service: 'Standard',
            cost: '4.90',
            currency: 'EUR',
            packages: [{ package_id: '1', tracking_number: 'EXAMPLE00001' }],
          },
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;
