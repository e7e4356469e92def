/** The latest offer of an order to providers, as its business sees it. */
import { z } from 'zod';
import { SLA_DEADLINES } from '../../../events/orders/third-party.js';
import { OFFER_STATUSES, PROVIDER_STATUSES } from '../../../projections/third-party/offers.js';
import type { ThirdPartyQueries } from '../../../projections/third-party/queries.js';

const text = z.string();
/** RFC 3339, UTC. */
const time = text.meta({ format: 'date-time' });

export const thirdPartyOfferSchema = z
  .object({
    id: z.uuid(),
    status: z
      .enum(OFFER_STATUSES)
      .describe(
        '`offered`: providers can respond. `taken`: a provider accepted. `declined`: all providers declined. `expired`: no provider accepted in time. `withdrawn`: the business withdrew the offer.',
      ),
    round: z.int().describe('Number of the round, from 1.'),
    respond_by: time.describe('Time until which providers can respond.'),
    pickup_by: time.nullable().describe('Latest pick-up.'),
    deliver_by: time.nullable().describe('Latest end of the delivery.'),
    fee: text.nullable().describe('Amount that the business offers to the provider, for display only.'),
    currency: text.nullable(),
    offered_by: z.int().nullable(),
    created_at: text,
    ended_at: text.nullable(),
    providers: z.array(
      z
        .object({
          provider: text.describe('Provider id.'),
          status: z
            .enum(PROVIDER_STATUSES)
            .describe('`lost`: another provider accepted first. `returned`: the provider no longer has the order.'),
          status_since: time,
          reason: text.nullable().describe('Reason of a declined offer or a returned order.'),
          reference: text.nullable().describe("The provider's own reference."),
          eta_at: text.nullable().describe('Arrival that the provider expects.'),
          missed_deadlines: z.array(z.enum(SLA_DEADLINES)),
        })
        .meta({ id: 'ThirdPartyOfferProvider' }),
    ),
  })
  .meta({ id: 'ThirdPartyOffer' });

/** The latest offer in responses; null: the order was never offered. */
export function toThirdPartyOffer(
  found: Awaited<ReturnType<ThirdPartyQueries['ofOrder']>>,
): z.infer<typeof thirdPartyOfferSchema> | null {
  if (!found) return null;
  const { offer_id, order_id: _order, ...offer } = found.offer;
  return {
    id: offer_id,
    ...offer,
    providers: found.providers.map(({ provider, status, status_since, reason, reference, eta_at, missed }) => ({
      provider,
      status,
      status_since,
      reason: reason ?? null,
      reference,
      eta_at,
      missed_deadlines: missed,
    })),
  };
}
