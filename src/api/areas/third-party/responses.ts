/** Responses of providers: accept or decline an offer, and return an order before its pick-up. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { OrderCommand } from '../../../commands/orders/decider.js';
import { orderStream } from '../../../events/orders/events.js';
import type { ProviderCaller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';

/** The business that owns an order, by the log; undefined: there is no such order. */
export type OwnerOf = (orderId: number) => Promise<number | undefined>;

export interface ResponsesOptions {
  readonly handle: Commands['orders'];
  readonly ownerOf: OwnerOf;
}

const WRITE = {
  area: 'Third Party Delivery',
  callers: ['provider'],
  risk: 'medium',
  writes: true,
  awaits: ['orders', 'third_party_offers', 'timeline'],
} as const;
const done = z.object({ result: z.boolean() });
const offerId = z.uuid().describe('`offer_id` of the offered order.');
const NOT_FOUND = 'There is no such order for this provider.';

type Response = Extract<OrderCommand, { readonly do: 'accept_offer' | 'decline_offer' | 'release_by_third_party' }>;
type ResponseBody = Response extends infer C
  ? C extends Response
    ? Omit<C, 'commandId' | 'orderId' | 'business' | 'provider' | 'by' | 'now'>
    : never
  : never;

export function providerResponses({ handle, ownerOf }: ResponsesOptions): Operation[] {
  /** The decider checks that the order was offered to the provider, or that the provider has it. */
  async function respond(orderId: number, body: ResponseBody, { caller, cause, commandId, wrote }: Context) {
    const business = await ownerOf(orderId);
    if (business === undefined) throw new ApiError('ORDER_NOT_FOUND');
    const { id: provider } = caller as ProviderCaller;
    const command = { commandId, orderId, business, provider, ...body } as OrderCommand;
    const { position } = await handle(orderStream(orderId), command, { ...cause, business: String(business) });
    wrote(position);
    return { result: true };
  }

  return [
    operation({
      ...WRITE,
      name: 'thirdPartyAccept',
      readsAgain: true,
      returns: { read: 'thirdPartyOrder' },
      summary: 'Accept an offered order',
      description:
        'The first provider that accepts gets the order, and may write to the timelines of all packages of the order. A repeated call returns the same response. Use `otepIngest` for scans, and `thirdPartyRelease` to return the order before the pick-up.',
      rest: { method: 'post', path: '/v1/thirdpartydelivery/orders/:order_id/accept' },
      answers: {
        404: NOT_FOUND,
        409: '`OFFER_TAKEN`: another provider accepted first. `OFFER_EXPIRED`: the offer has ended. `NOT_DISPATCHABLE`, `ORDER_CLOSED`: the order was picked up or has ended in the meantime.',
      },
      input: z.object({
        order_id: idSchema,
        offer_id: offerId,
        reference: z.string().trim().min(1).max(100).optional().describe("The provider's own reference."),
        eta_at: z.iso.datetime({ offset: true }).optional().describe('Expected arrival at the pick-up, RFC 3339.'),
      }),
      output: done,
      run: ({ order_id, offer_id, reference, eta_at }, context) =>
        respond(
          order_id,
          {
            do: 'accept_offer',
            offerId: offer_id,
            ...(reference !== undefined && { reference }),
            ...(eta_at !== undefined && { etaAt: new Date(eta_at).toISOString() }),
          },
          context,
        ),
    }),
    operation({
      ...WRITE,
      name: 'thirdPartyDecline',
      summary: 'Decline an offered order',
      description:
        'The provider no longer sees the order. If all providers decline, the offer ends. A repeated call changes nothing.',
      rest: { method: 'post', path: '/v1/thirdpartydelivery/orders/:order_id/decline' },
      answers: {
        404: NOT_FOUND,
        409: '`OFFER_TAKEN`: a provider accepted the order. `OFFER_EXPIRED`: the offer has ended.',
      },
      input: z.object({
        order_id: idSchema,
        offer_id: offerId,
        reason: z.string().trim().min(1).max(255).optional().describe('Reason, for the staff of the business.'),
      }),
      output: done,
      run: ({ order_id, offer_id, reason }, context) =>
        respond(order_id, { do: 'decline_offer', offerId: offer_id, ...(reason !== undefined && { reason }) }, context),
    }),
    operation({
      ...WRITE,
      name: 'thirdPartyRelease',
      summary: 'Return an order before its pick-up',
      description:
        'The provider can no longer write to the timelines of the packages, and the business can dispatch the order again. A repeated call changes nothing.',
      rest: { method: 'post', path: '/v1/thirdpartydelivery/orders/:order_id/release' },
      answers: {
        404: NOT_FOUND,
        409: '`ALREADY_PICKED_UP`: the order was picked up. `ORDER_CLOSED`, `ALREADY_DELIVERED`: the order has ended.',
      },
      input: z.object({
        order_id: idSchema,
        reason: z.string().trim().min(3).max(255).describe('Reason, for the staff of the business.'),
      }),
      output: done,
      run: ({ order_id, reason }, context) => respond(order_id, { do: 'release_by_third_party', reason }, context),
    }),
  ];
}
