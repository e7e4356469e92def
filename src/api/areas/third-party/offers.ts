/** The office offers orders to providers, and withdraws offers. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { amountSchema, currencySchema, type Money } from '../../../events/core/money.js';
import { orderStream } from '../../../events/orders/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { ProviderQueries } from '../../../projections/providers/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { fieldError, invalidField, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactAtLeast } from '../../core/money.js';
import { operation, type Operation } from '../../core/operation.js';
import { ORDER_VERSION } from '../orders/version.js';
import { WRITERS } from '../orders/viewer.js';

export interface OffersOptions {
  readonly handle: Commands['orders'];
  readonly providers: Pick<ProviderQueries, 'byId'>;
}

const WRITE = {
  area: 'Third Party Delivery',
  callers: WRITERS,
  scopes: ['orders:write'],
  risk: 'medium',
  writes: true,
  awaits: ['orders', 'third_party_offers'],
  returns: { read: 'order' },
  versioned: ORDER_VERSION,
} as const;
const MAX_PROVIDERS = 20;
const time = z.iso.datetime({ offset: true });
const done = z.object({ result: z.boolean() });

export function offerOperations({ handle, providers: known }: OffersOptions): Operation[] {
  async function expectProviders(ids: readonly string[]): Promise<void> {
    const found = await Promise.all(ids.map((id) => known.byId(id)));
    const missing = found.findIndex((one) => one === undefined);
    if (missing >= 0) throw fieldError('UNKNOWN_PROVIDER', 'providers', {}, `/providers/${missing}`);
  }

  return [
    operation({
      ...WRITE,
      name: 'orderThirdPartyOffer',
      summary: 'Offer an order to third-party carriers',
      description:
        'The first provider that accepts within `respond_within_s` gets the order. While the offer is open, the order cannot be put on a route, assigned or held (`OFFERED_TO_THIRD_PARTY`). Withdraw the offer first. Before they accept, providers see only areas, sizes, times and the fee. If all decline or none accepts in time, the order can be dispatched again, and the dispatch board lists it. To give an order to one carrier without an offer, use `orderThirdPartyGive`.',
      rest: { method: 'post', path: '/v1/orders/:order_id/third-party/offers', status: 201 },
      answers: {
        404: 'There is no such order.',
        409: '`ORDER_ON_ROUTE`, `ORDER_HELD`, `ASSIGNED_TO_CONTRACTOR`, `HELD_BY_THIRD_PARTY`, `OFFERED_TO_THIRD_PARTY`, `NOT_DISPATCHABLE`, `ORDER_CLOSED`, `ALREADY_DELIVERED`: the state of the order does not allow the offer.',
        422: '`UNKNOWN_PROVIDER`: there is no such carrier.',
      },
      input: z.object({
        order_id: idSchema,
        providers: z
          .array(z.string().min(1).max(64))
          .min(1)
          .max(MAX_PROVIDERS)
          .describe('Provider ids. Duplicate ids count once.'),
        respond_within_s: z.int().min(60).max(86_400).describe('Seconds that the providers have to respond.'),
        pickup_by: time.optional().describe('Latest pick-up, RFC 3339; not before the end of the offer.'),
        deliver_by: time.optional().describe('Latest end of the delivery, RFC 3339; not before `pickup_by`.'),
        fee: amountSchema
          .optional()
          .describe('Amount that the provider gets, for display only: the service makes no payment.'),
        currency: currencySchema.optional().describe('Required with `fee`.'),
      }),
      output: done,
      async run(input, { caller, cause, commandId, time: now, wrote }) {
        const { order_id: orderId, respond_within_s, pickup_by, deliver_by } = input;
        const providers = [...new Set(input.providers)];
        const respondBy = new Date(now + respond_within_s * 1_000).toISOString();
        const [pickupBy, deliverBy] = [pickup_by, deliver_by].map((at) => at && new Date(at).toISOString());
        if (pickupBy !== undefined && pickupBy < respondBy)
          throw invalidForm('pickup_by', 'not before the end of the offer');
        if (deliverBy !== undefined && deliverBy < (pickupBy ?? respondBy))
          throw invalidForm('deliver_by', 'not before `pickup_by` and the end of the offer');
        const fee = feeOf(input);
        await expectProviders(providers);
        const { position } = await handle(
          orderStream(orderId),
          {
            do: 'offer_to_third_parties',
            commandId,
            orderId,
            business: businessOf(caller),
            by: userOf(caller).userId,
            offerId: derivedId('third-party-offer', orderId, commandId),
            providers,
            respondBy,
            ...(pickupBy !== undefined && { pickupBy }),
            ...(deliverBy !== undefined && { deliverBy }),
            ...(fee && { fee }),
          },
          cause,
        );
        wrote(position);
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'orderThirdPartyOfferWithdraw',
      summary: 'Withdraw the offer of an order',
      description:
        'The providers no longer see the order, and the order can be dispatched. A repeated call changes nothing. After a provider has accepted, use `orderThirdPartyTake`.',
      rest: { method: 'post', path: '/v1/orders/:order_id/third-party/offers/:offer_id/withdraw' },
      answers: {
        404: '`ORDER_NOT_FOUND`, `OFFER_NOT_FOUND`: there is no such order, or the offer is not the latest offer of the order.',
        409: '`OFFER_TAKEN`: a provider accepted the order. `OFFER_EXPIRED`: the offer has ended.',
      },
      input: z.object({ order_id: idSchema, offer_id: z.uuid() }),
      output: done,
      async run({ order_id: orderId, offer_id: offerId }, { caller, cause, commandId, wrote }) {
        const { position } = await handle(
          orderStream(orderId),
          {
            do: 'withdraw_offer',
            commandId,
            orderId,
            business: businessOf(caller),
            by: userOf(caller).userId,
            offerId,
          },
          cause,
        );
        wrote(position);
        return { result: true };
      },
    }),
  ];
}

/** The fee with the decimal digits of its currency; undefined: none. Throws INVALID_INPUT if only one of both is given. */
function feeOf({ fee, currency }: { readonly fee?: string; readonly currency?: string }): Money | undefined {
  if (fee === undefined && currency === undefined) return undefined;
  if (fee === undefined) throw invalidField('REQUIRED', 'fee');
  if (currency === undefined) throw invalidField('REQUIRED', 'currency');
  return exactAtLeast({ amount: fee, currency }, '/fee', '0');
}
