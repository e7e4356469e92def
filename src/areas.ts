/** All areas in one place: the event types there are, and the projections that fold them. */
import { eventTypes } from './events/codec.js';
import type { EventType } from './events/event-types.js';
import { PROVIDER_EVENTS, PROVIDER_PREFIX } from './events/providers.js';
import { TRACKING_EVENTS, TRACKING_PREFIX } from './events/trackings.js';
import type { Projection } from './projections/projection.js';
import { providers } from './projections/providers.js';
import { timeline } from './projections/timeline.js';

/** An area, the prefix of its streams, and the types of their events. The relay's topics go by these. */
export const AREAS = [
  { name: 'trackings', prefix: TRACKING_PREFIX, events: TRACKING_EVENTS as readonly unknown[] as readonly EventType[] },
  { name: 'providers', prefix: PROVIDER_PREFIX, events: PROVIDER_EVENTS as readonly unknown[] as readonly EventType[] },
] as const;

export const EVENT_TYPES = eventTypes(...AREAS.map(({ events }) => events as never));

export const PROJECTIONS = [timeline, providers] as readonly unknown[] as readonly Projection[];
