/**
 * Runs the policy between orders and timelines. A follower of the log stores the names of the events that orders must
 * follow, together with its checkpoint, so that it is never far behind and no event is lost. Next to it, rounds handle
 * the stored events, fair between businesses.
 */
import { createFairRounds } from '../../commands/orders/fair-rounds.js';
import type { FollowedEvent, OrderPolicy } from '../../commands/orders/policy.js';
import { startFollower, type Follower, type FollowerOptions } from '../../projections/core/follower.js';
import type { PolicyQueue, QueuedEvent } from '../../projections/orders/policy-queue.js';

export interface OrderPolicyRunOptions extends Omit<FollowerOptions, 'take' | 'alongside' | 'background'> {
  readonly policy: OrderPolicy;
  readonly queue: PolicyQueue;
}

export function startOrderPolicy({ policy, queue, ...options }: OrderPolicyRunOptions): Follower {
  const { log, onError } = options;
  const rounds = createFairRounds<QueuedEvent & { readonly followed?: FollowedEvent }>({
    async next(share) {
      const { items: queued, last } = await queue.next(share);
      const events = new Map((await log.pick(queued)).map((event) => [`${event.stream} ${event.revision}`, event]));
      const items = queued.map((one) => {
        const event = events.get(`${one.stream} ${one.revision}`);
        return event ? { ...one, followed: { ...one, event } } : one;
      });
      return { items, last };
    },
    // An event is missing if the log was replaced by an older copy.
    handle: (queued) => policy.handle(queued.flatMap(({ followed }) => followed ?? [])),
    remove: queue.remove,
    onError,
  });
  return startFollower({
    ...options,
    background: true,
    async take(batch, commit) {
      const followed = await policy.select(batch);
      if (followed.length === 0) return;
      await commit((db) => queue.add(db, followed.map(toQueued)));
      rounds.wake();
    },
    alongside: (signal) => rounds.run(signal),
  });
}

const toQueued = ({ event, ...about }: FollowedEvent): QueuedEvent & { readonly recorded_at: string } => ({
  ...about,
  stream: event.stream,
  revision: event.revision,
  position: event.position,
  recorded_at: String(event.metadata['recorded_at']),
});
