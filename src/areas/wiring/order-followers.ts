/**
 * Followers of the log in addition to the projections: the policy between orders and timelines, and the search index of
 * orders.
 */
import { createOrderPolicy } from '../../commands/orders/policy.js';
import type { Commands } from '../../commands/commands.js';
import type { Engines } from '../../engines/open.js';
import { ORDER_PREFIX } from '../../events/orders/events.js';
import { TRACKING_PREFIX } from '../../events/trackings/events.js';
import { packagesOfTrackings } from '../../projections/orders/packages.js';
import { createPolicyQueue, PENDING } from '../../projections/orders/policy-queue.js';
import { startOrderSearch } from '../../projections/orders/search.js';
import type { Parts } from '../../api/core/parts.js';
import { startOrderPolicy } from './order-policy.js';

export const ORDER_POLICY = {
  name: 'order_policy',
  version: 1,
  prefixes: [ORDER_PREFIX, TRACKING_PREFIX],
  queue: PENDING,
} as const;

/** Starts the followers. Returns a function that stops them. */
export function startOrderFollowers({
  engines: { log, projectionPool: pool, keyRing, holder: owner, searchIndex: index },
  types,
  commands,
  progress,
  logger,
}: Parts<'types' | 'progress' | 'logger'> & {
  engines: Pick<Engines, 'log' | 'projectionPool' | 'keyRing' | 'holder' | 'searchIndex'>;
  commands: Commands;
}): () => Promise<void> {
  const onError = (follower: string) => (error: unknown) =>
    logger.error({ follower, err: error }, 'a follower of the log failed, trying again');
  const policy = createOrderPolicy({
    types,
    follow: commands.followOrder,
    orders: commands.orders,
    ordersOf: packagesOfTrackings({ pool, progress }),
  });
  const followers = [
    startOrderPolicy({
      reader: ORDER_POLICY,
      policy,
      queue: createPolicyQueue(pool),
      log,
      pool,
      owner,
      progress,
      onError: onError(ORDER_POLICY.name),
    }),
    startOrderSearch({ log, pool, types, keyRing, index, owner, progress, onError: onError('order_search') }),
  ];
  return async () => void (await Promise.all(followers.map((follower) => follower.stop())));
}
