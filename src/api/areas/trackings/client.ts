/** A caller's own shipments: what the public timeline leaves out is for whom it is about. */
import { z } from 'zod';
import { timelineSchema } from '../../../events/otep/schema.js';
import type { Format } from '../../../serializers/format.js';
import { USER_ROLES } from '../../../events/accounts/events.js';
import { ApiError } from '../../core/errors.js';
import { chooseFormat } from './formats.js';
import { seesAll, type TimelineReader } from './timelines.js';
import { operation, type Operation } from '../../core/operation.js';

export interface OtepClientOptions {
  readonly reader: TimelineReader;
  readonly formats: readonly Format[];
}

export function otepClient({ reader, formats }: OtepClientOptions): Operation[] {
  return [
    operation({
      name: 'otepClientTracking',
      tag: 'OTEP',
      summary: "The full timeline of one of the caller's own shipments",
      description: 'A shipment of somebody else is not found here, although its public timeline may be.',
      rest: { method: 'get', path: '/v1/client/otep/trackings/:tracking_number' },
      callers: USER_ROLES,
      scopes: ['orders:read'],
      reads: ['timeline'],
      input: z.object({
        tracking_number: z
          .string()
          .min(1)
          .max(256)
          .describe('Tracking number, SSCC, piece id, order id or package id.'),
      }),
      output: timelineSchema,
      answers: { 404: 'Not a shipment of the caller.' },
      async run({ tracking_number }, { caller }) {
        const found = await reader.find(tracking_number, undefined, caller);
        if (!seesAll(found.head, caller))
          throw new ApiError('TRACKING_NOT_FOUND', {
            params: { number: tracking_number.slice(0, 64) },
            errors: [
              {
                field: 'tracking_number',
                path: '/tracking_number',
                code: 'TRACKING_NOT_FOUND',
                params: { number: tracking_number.slice(0, 64) },
              },
            ],
          });
        return reader.represent(found, chooseFormat(formats, 'otep', undefined), caller);
      },
    }),
  ];
}
