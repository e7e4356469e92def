/** Webhooks about manifests. */
import { z } from 'zod';
import { LABEL_MANIFEST, type ManifestResult } from '../events/manifests/effects.js';
import { manifestIdOf, MANIFEST_PREFIX } from '../events/manifests/events.js';
import { byChange, given, oneOf, type Changes, type Kind } from './kind.js';

const CHANGES: Changes = { [LABEL_MANIFEST.done.type]: 'closed', [LABEL_MANIFEST.refused.type]: 'failed' };

export const MANIFEST_KINDS = {
  manifest_closed: {
    type: 'manifest.closed',
    since: '0.1.0',
    prefix: MANIFEST_PREFIX,
    on: Object.keys(CHANGES),
    objectId: 'manifest_id',
    status: byChange,
    shape: z.object({
      manifest_id: z.int(),
      change: oneOf(CHANGES),
      carrier_account_id: z.int(),
      ship_date: z.string(),
      reference: z.string().optional(),
      file_ids: z.array(z.string()).optional(),
      refused_count: z.int().optional(),
      code: z.string().optional(),
    }),
    data: ({ event, data, firstData }) => {
      const result = data['result'] as unknown as ManifestResult | undefined;
      return {
        manifest_id: manifestIdOf(event.stream),
        change: CHANGES[event.type]!,
        carrier_account_id: firstData['account_id']!,
        ship_date: firstData['ship_date']!,
        ...given(data, 'code'),
        ...(result && {
          reference: result.reference,
          file_ids: (result.documents ?? []).map(({ file_id }) => file_id),
          refused_count: result.refused.length,
        }),
      };
    },
    example: {
      stream: `${MANIFEST_PREFIX}0`,
      first: [
        'ManifestOpened',
        { manifest_id: 0, business: 0, account_id: 0, adapter: 'sheet', ship_date: '2026-01-05', order_ids: [0] },
      ],
      trigger: [
        'ManifestClosed',
        {
          effect_id: '00000000-0000-4000-8000-000000000000',
          result: {
            reference: 'EXAMPLE-1',
            documents: [{ file_id: '00000000-0000-4000-8000-000000000001', media_type: 'application/pdf', bytes: 1 }],
            refused: [],
          },
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;
