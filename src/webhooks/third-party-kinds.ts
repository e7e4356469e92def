/** Webhooks about offers of orders to third-party carriers, and about the carriers that have orders. */
import { z } from 'zod';
import {
  ORDER_PREFIX,
  ThirdPartyDeclined,
  ThirdPartyOffered,
  ThirdPartyOfferEnded,
  ThirdPartyReturnedOrder,
  ThirdPartySlaMissed,
  ThirdPartyTookOrder,
} from '../events/orders/events.js';
import { oneOf, type Changes, type Kind } from './kind.js';
import { briefly, definedOf, named, ORDER_EXAMPLE, orderOf } from './order-kinds.js';

const THIRD_PARTY_CHANGES: Changes = {
  [ThirdPartyOffered.type]: 'offered',
  [ThirdPartyDeclined.type]: 'declined',
  [ThirdPartyOfferEnded.type]: 'offer_ended',
  [ThirdPartyTookOrder.type]: 'took',
  [ThirdPartyReturnedOrder.type]: 'returned',
  [ThirdPartySlaMissed.type]: 'sla_missed',
};

const text = z.string();

export const THIRD_PARTY_KINDS = {
  third_party_changed: {
    type: 'third_party.changed',
    since: '0.1.0',
    prefix: ORDER_PREFIX,
    on: Object.keys(THIRD_PARTY_CHANGES),
    objectId: 'order_id',
    shape: z.object({
      ...named,
      change: oneOf(THIRD_PARTY_CHANGES),
      provider: text.optional(),
      providers: z.array(text).optional(),
      offer_id: text.optional(),
      round: z.int().optional(),
      respond_by: text.optional(),
      why: text.optional(),
      reason: text.optional(),
      missed_deadline: text.optional(),
    }),
    data: (input) => {
      const { provider, providers, offer_id, round, respond_by, why, reason, which } = input.data;
      return definedOf({
        ...briefly(orderOf(input)),
        change: THIRD_PARTY_CHANGES[input.event.type],
        provider,
        providers,
        offer_id,
        round,
        respond_by,
        why,
        reason,
        missed_deadline: which,
      });
    },
    example: { ...ORDER_EXAMPLE, trigger: ['ThirdPartyTookOrder', { provider: 'example-carrier', given_by: 0 }] },
  },
} as const satisfies Readonly<Record<string, Kind>>;
