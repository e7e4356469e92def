/** All areas in one place: the event types there are, and the projections that fold them. */
import { ACCOUNT_EVENTS, ACCOUNT_PREFIX } from '../events/accounts/events.js';
import { PROPOSAL_EVENTS, PROPOSAL_PREFIX } from '../events/approvals/events.js';
import { BUSINESS_EVENTS, BUSINESS_PREFIX } from '../events/businesses/events.js';
import { CAPTURE_EVENTS, CAPTURE_PREFIX } from '../events/captures/events.js';
import { eventTypes } from '../events/core/codec.js';
import type { EventType } from '../events/core/event-types.js';
import { ORDER_EVENTS, ORDER_PREFIX } from '../events/orders/events.js';
import { ERASURE_PREFIX, PRIVACY_EVENTS } from '../events/privacy/events.js';
import { CONTRACTOR_EVENTS, CONTRACTOR_PREFIX } from '../events/contractors/events.js';
import { DRIVER_EVENTS, DRIVER_PREFIX } from '../events/drivers/events.js';
import { ROUTE_EVENTS, ROUTE_PREFIX } from '../events/routes/events.js';
import { PROVIDER_EVENTS, PROVIDER_PREFIX } from '../events/providers/events.js';
import { WEBHOOK_EVENTS, WEBHOOKS_PREFIX } from '../events/webhooks/events.js';
import { TRACKING_EVENTS, TRACKING_PREFIX } from '../events/trackings/events.js';
import { accounts } from '../projections/accounts/read-model.js';
import { approvals } from '../projections/approvals/read-model.js';
import { auditIndex } from '../projections/audit/read-model.js';
import { assignments } from '../projections/assignments/read-model.js';
import { businesses } from '../projections/businesses/read-model.js';
import { captures } from '../projections/captures/read-model.js';
import { epcisEvents } from '../projections/captures/epcis-events.js';
import { orders } from '../projections/orders/read-model.js';
import { webhookSettings } from '../projections/webhooks/read-model.js';
import { logTree } from '../projections/tree/log-tree.js';
import { erasures } from '../projections/privacy/read-model.js';
import type { Projection } from '../projections/core/projection.js';
import { providers } from '../projections/providers/read-model.js';
import { routes } from '../projections/routes/read-model.js';
import { timeline } from '../projections/trackings/read-model.js';
import { workers } from '../projections/drivers/read-model.js';

const area = (name: string, prefix: string, events: readonly unknown[]) =>
  ({ name, prefix, events: events as readonly EventType[] }) as const;

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

/**
 * Schemas that the log brings back: of the read models, and the texts that orders are found by, which stand in the open
 * and belong in no backup.
 */
export const DERIVED_SCHEMAS: readonly string[] = [...PROJECTIONS.map(({ name }) => name), 'order_search'];
