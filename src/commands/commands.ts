/** The command handlers of all areas over one log. */
import type { Expire } from '../events/core/timers.js';
import { accounts, type AccountCommand } from './accounts/decider.js';
import { approvals, type ApprovalCommand } from './approvals/decider.js';
import type { ProposalStatus } from '../events/approvals/events.js';
import type { Position } from '../events/core/log.js';
import type { Parts } from '../events/core/parts.js';
import { businesses, type BusinessCommand } from './businesses/decider.js';
import { captures, type CaptureCommand } from './captures/decider.js';
import { createSettle, type Settle } from './bill/settling.js';
import { createFollowOrder, withFollowing, withTime, type FollowOrder } from './orders/following.js';
import { createHandler } from './core/handler.js';
import type { Handle } from './core/handle.js';
import { createIngest, type Ingest } from './trackings/ingest.js';
import type { TrackingDirectory } from './trackings/targets.js';
import { orders, type OrderCommand, type OrderReply } from './orders/decider.js';
import { privacy, type PrivacyCommand } from './privacy/decider.js';
import { providers, type ProviderCommand } from './providers/decider.js';
import { routes, type RouteCommand, type RouteReply } from './routes/decider.js';
import { contractors, type ContractorCommand } from './contractors/decider.js';
import { drivers, type DriverCommand } from './drivers/decider.js';
import { trackings } from './trackings/decider.js';
import type { Outcome, TrackingCommand } from './trackings/command.js';
import type { AnyWalletCommand, WalletReply } from './wallet/command.js';
import { wallet } from './wallet/decider.js';
import { webhooks, type WebhookCommand } from './webhooks/decider.js';

export interface CommandOptions extends Parts<'log' | 'types' | 'keyRing' | 'now'> {
  readonly traceparent?: () => string | undefined;
  readonly directory: TrackingDirectory;
  /** Called with the position of each append to a tracking. */
  readonly appendedToTracking?: (position: Position) => void;
}

export interface Commands {
  readonly trackings: Handle<TrackingCommand, readonly Outcome[]>;
  readonly providers: Handle<ProviderCommand, undefined>;
  readonly ingest: Ingest;
  readonly captures: Handle<CaptureCommand, undefined>;
  readonly businesses: Handle<BusinessCommand, undefined>;
  readonly accounts: Handle<AccountCommand, undefined>;
  readonly approvals: Handle<ApprovalCommand, ProposalStatus>;
  readonly privacy: Handle<PrivacyCommand, undefined>;
  readonly webhooks: Handle<WebhookCommand, undefined>;
  readonly orders: Handle<OrderCommand, OrderReply>;
  readonly wallets: Handle<AnyWalletCommand, WalletReply>;
  /** Moves the money of payments and refunds of orders. The follower of orders calls it, too. */
  readonly settle: Settle;
  readonly routes: Handle<RouteCommand, RouteReply>;
  readonly contractors: Handle<ContractorCommand, undefined>;
  readonly drivers: Handle<DriverCommand | Expire, undefined>;
  /**
   * Writes the events in other streams that follow from an order's events. The handler of orders calls it
   * automatically.
   */
  readonly followOrder: FollowOrder;
}

export function createCommands({ directory, appendedToTracking, ...options }: CommandOptions): Commands {
  const handleTracking = createHandler({
    decider: trackings,
    ...options,
    ...(appendedToTracking && { appended: appendedToTracking }),
  });
  const handleOrder = withTime(createHandler({ decider: orders, ...options }), options.now);
  const wallets = createHandler({ decider: wallet, ...options });
  const settle = createSettle({ orders: handleOrder, wallets, now: options.now });
  const followOrder: FollowOrder = createFollowOrder({
    ...options,
    trackings: handleTracking,
    orders: (stream, command, cause) => ordersAndMore(stream, command, cause),
    settle,
  });
  const ordersAndMore = withFollowing(handleOrder, followOrder);
  return {
    trackings: handleTracking,
    providers: createHandler({ decider: providers, ...options }),
    ingest: createIngest({ handle: handleTracking, directory, keyRing: options.keyRing }),
    captures: createHandler({ decider: captures, ...options }),
    businesses: createHandler({ decider: businesses, ...options }),
    accounts: createHandler({ decider: accounts, ...options }),
    orders: ordersAndMore,
    wallets,
    settle,
    routes: createHandler({ decider: routes, ...options }),
    contractors: createHandler({ decider: contractors, ...options }),
    drivers: createHandler({ decider: drivers, ...options }),
    followOrder,
    privacy: createHandler({ decider: privacy, ...options }),
    approvals: createHandler({ decider: approvals, ...options }),
    webhooks: createHandler({ decider: webhooks, ...options }),
  };
}
