/** All areas in one place: the event types there are, and the projections that fold them. */
import { ACCOUNT_EVENTS, ACCOUNT_PREFIX } from './events/accounts.js';
import { PROPOSAL_EVENTS, PROPOSAL_PREFIX } from './events/approvals.js';
import { BUSINESS_EVENTS, BUSINESS_PREFIX } from './events/businesses.js';
import { CAPTURE_EVENTS, CAPTURE_PREFIX } from './events/captures.js';
import { eventTypes } from './events/codec.js';
import type { EventType } from './events/event-types.js';
import { ORDER_EVENTS, ORDER_PREFIX } from './events/orders.js';
import { ERASURE_PREFIX, PRIVACY_EVENTS } from './events/privacy.js';
import { CONTRACTOR_EVENTS, CONTRACTOR_PREFIX } from './events/contractors.js';
import { DRIVER_EVENTS, DRIVER_PREFIX } from './events/drivers.js';
import { ROUTE_EVENTS, ROUTE_PREFIX } from './events/routes.js';
import { PROVIDER_EVENTS, PROVIDER_PREFIX } from './events/providers.js';
import { WEBHOOK_EVENTS, WEBHOOKS_PREFIX } from './events/webhooks.js';
import { TRACKING_EVENTS, TRACKING_PREFIX } from './events/trackings.js';
import { accounts } from './projections/accounts.js';
import { approvals } from './projections/approvals.js';
import { auditIndex } from './projections/audit-index.js';
import { assignments } from './projections/assignments.js';
import { businesses } from './projections/businesses.js';
import { captures } from './projections/captures.js';
import { epcisEvents } from './projections/epcis-events.js';
import { orders } from './projections/orders.js';
import { webhookSettings } from './projections/webhooks.js';
import { logTree } from './projections/log-tree.js';
import { erasures } from './projections/erasures.js';
import type { Projection } from './projections/projection.js';
import { providers } from './projections/providers.js';
import { routes } from './projections/routes.js';
import { timeline } from './projections/timeline.js';
import { workers } from './projections/workers.js';

const area = (name: string, prefix: string, events: readonly unknown[]) => ({ name, prefix, events: events as readonly EventType[] }) as const;

/** An area, the prefix of its streams, and the types of their events. The relay's topics go by these. */
export const AREAS = [
  area('trackings', TRACKING_PREFIX, TRACKING_EVENTS),
  area('providers', PROVIDER_PREFIX, PROVIDER_EVENTS),
  area('captures', CAPTURE_PREFIX, CAPTURE_EVENTS),
  area('businesses', BUSINESS_PREFIX, BUSINESS_EVENTS),
  area('approvals', PROPOSAL_PREFIX, PROPOSAL_EVENTS),
  area('accounts', ACCOUNT_PREFIX, ACCOUNT_EVENTS),
  area('webhooks', WEBHOOKS_PREFIX, WEBHOOK_EVENTS),
  area('orders', ORDER_PREFIX, ORDER_EVENTS),
  area('privacy', ERASURE_PREFIX, PRIVACY_EVENTS),
  area('routes', ROUTE_PREFIX, ROUTE_EVENTS),
  area('contractors', CONTRACTOR_PREFIX, CONTRACTOR_EVENTS),
  area('drivers', DRIVER_PREFIX, DRIVER_EVENTS),
] as const;

export const EVENT_TYPES = eventTypes(...AREAS.map(({ events }) => events as never));

export const PROJECTIONS = [
  timeline,
  providers,
  captures,
  epcisEvents,
  businesses,
  approvals,
  accounts,
  orders,
  webhookSettings,
  erasures,
  // Captures are documents of providers: no business may see one.
  auditIndex(AREAS.map(({ prefix }) => prefix).filter((prefix) => prefix !== CAPTURE_PREFIX)),
  logTree,
  assignments,
  routes,
  workers,
] as readonly unknown[] as readonly Projection[];

/** Schemas that the log brings back: of the read models, and the texts that orders are found by, which stand in the open and belong in no backup. */
export const DERIVED_SCHEMAS: readonly string[] = [...PROJECTIONS.map(({ name }) => name), 'order_search'];
