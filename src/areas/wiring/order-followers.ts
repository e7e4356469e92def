/**
 * Followers of the log in addition to the projections: the policy between orders and timelines, and the search index of
 * orders.
 */
import { createOrderPolicy } from '../../commands/orders/policy.js';
import { ORDER_PREFIX } from '../../events/orders/events.js';
import { TRACKING_PREFIX } from '../../events/trackings/events.js';
import { packagesOfTrackings } from '../../projections/orders/packages.js';
import { createPolicyQueue, PENDING } from '../../projections/orders/policy-queue.js';
import { startOrderSearch } from '../../projections/orders/search.js';
import type { AreaContext } from '../area-context.js';
import { startOrderPolicy } from './order-policy.js';
import { searchFollowerOptions } from './search-follower.js';

export const ORDER_POLICY = {
  name: 'order_policy',
  version: 1,
  prefixes: [ORDER_PREFIX, TRACKING_PREFIX],
  queue: PENDING,
} as const;

/** Starts the followers. Returns a function that stops them. */
export function startOrderFollowers(
  context: Pick<AreaContext, 'engines' | 'types' | 'commands' | 'progress' | 'logger'>,
): () => Promise<void> {
  const { types, commands, progress } = context;
  const { log, pool, owner, onError } = searchFollowerOptions(ORDER_POLICY.name, context);
  const policy = createOrderPolicy({
    types,
    follow: commands.followOrder,
    orders: commands.orders,
    ordersOf: packagesOfTrackings({ pool, progress }),
  });
  const queue = createPolicyQueue(pool);
  const followers = [
    startOrderPolicy({ reader: ORDER_POLICY, policy, queue, log, pool, owner, progress, onError }),
    startOrderSearch(searchFollowerOptions('order_search', context)),
  ];
  return async () => void (await Promise.all(followers.map((follower) => follower.stop())));
}
