/** Hands orders to a third-party carrier and takes them back. The business cannot plan orders that a carrier has. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { orderStream } from '../../../events/orders/events.js';
import type { ProviderQueries } from '../../../projections/providers/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { ORDER_VERSION } from './version.js';

export interface ThirdPartyOptions {
  readonly handle: Commands['orders'];
  readonly providers: Pick<ProviderQueries, 'byId'>;
}

export function thirdPartyOperations({ handle, providers }: ThirdPartyOptions): Operation[] {
  const thirdPartyOperation = (
    name: string,
    action: 'give_to_third_party' | 'take_from_third_party',
    path: string,
    summary: string,
    description: string,
  ) =>
    operation({
      name,
      area: 'Third Party Delivery',
      summary,
      description,
      rest: { method: 'post', path: `/v1/orders/:order_id/${path}` },
      callers: ['client_admin', 'employee'],
      scopes: ['orders:write'],
      risk: 'medium',
      writes: true,
      awaits: ['orders', 'third_party_offers', 'timeline'],
      returns: { read: 'order' },
      versioned: ORDER_VERSION,
      answers: {
        404: 'There is no such order.',
        409: 'The state of the order does not allow the change.',
        422: '`UNKNOWN_PROVIDER`: there is no such carrier.',
      },
      input: z.object({
        order_id: idSchema,
        provider: z.string().min(1).max(64).describe('Provider id of the carrier.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ order_id: orderId, provider }, { caller, cause, commandId, wrote }) {
        if (!(await providers.byId(provider))) throw fieldError('UNKNOWN_PROVIDER', 'provider');
        wrote(
          (
            await handle(
              orderStream(orderId),
              { do: action, commandId, orderId, business: businessOf(caller), by: userOf(caller).userId, provider },
              cause,
            )
          ).position,
        );
        return { result: true };
      },
    });

  return [
    thirdPartyOperation(
      'orderThirdPartyGive',
      'give_to_third_party',
      'third-party',
      'Hand an order to a third-party carrier',
      'The carrier may then write to the timelines of its packages. The call is rejected while the order is on a route, assigned, held or under way.',
    ),
    thirdPartyOperation(
      'orderThirdPartyTake',
      'take_from_third_party',
      'third-party/take',
      'Take an order back from a third-party carrier',
      'The carrier can no longer write to the timelines of its packages.',
    ),
  ];
}
