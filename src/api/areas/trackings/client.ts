/**
 * Shipments of the caller, with the details that the public timeline omits. With `business_id`: shipments of a partner,
 * within its grants.
 */
import { z } from 'zod';
import type { Format } from '../../../serializers/format.js';
import { USER_ROLES } from '../../../events/accounts/events.js';
import { chooseFormat } from './formats.js';
import { clientInput, granteeOf } from '../alliances/grantee.js';
import { lifeInput } from './reading.js';
import { sharedSchema, type SharedTimelines } from './shared.js';
import type { TimelineReader } from './timelines.js';
import { notFound, seesAll } from './visibility.js';
import { operation, type Operation } from '../../core/operation.js';

export interface OtepClientOptions {
  readonly reader: TimelineReader;
  readonly shared: SharedTimelines;
  readonly formats: readonly Format[];
}

export function otepClient({ reader, shared, formats }: OtepClientOptions): Operation[] {
  return [
    operation({
      name: 'otepClientTracking',
      area: 'OTEP',
      summary: 'Get the full timeline of your own shipment',
      description:
        'Includes details that the public timeline (`otepTracking`) omits. With `business_id`, returns a shipment of a partner, within its grants. Shipments of other businesses are not found here, even if they have public timelines.',
      rest: { method: 'get', path: '/v1/client/otep/trackings/:tracking_number' },
      callers: USER_ROLES,
      scopes: ['orders:read'],
      reads: ['timeline', 'alliances'],
      input: z.object({
        tracking_number: z
          .string()
          .min(1)
          .max(256)
          .describe('Tracking number, SSCC or piece id. For your own shipments, also an order id or package id.'),
        life: lifeInput,
        ...clientInput,
      }),
      output: sharedSchema,
      answers: { 404: 'The shipment belongs neither to the caller nor to a partner that granted access to it.' },
      async run({ tracking_number, business_id, life }, { caller }) {
        const taker = granteeOf(caller, business_id);
        if (taker) {
          const timeline = taker.mayUseGrants ? await shared.read(tracking_number, taker) : undefined;
          if (!timeline) throw notFound(tracking_number);
          return timeline;
        }
        const found = await reader.find(tracking_number, { life }, caller);
        if (!seesAll(found.named, caller)) throw notFound(tracking_number);
        return reader.represent(found, chooseFormat(formats, 'otep', undefined), caller, 'en');
      },
    }),
  ];
}
