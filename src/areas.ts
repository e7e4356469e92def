/** All areas in one place: the event types there are, and the projections that fold them. */
import { CAPTURE_EVENTS, CAPTURE_PREFIX } from './events/captures.js';
import { eventTypes } from './events/codec.js';
import type { EventType } from './events/event-types.js';
import { PROVIDER_EVENTS, PROVIDER_PREFIX } from './events/providers.js';
import { TRACKING_EVENTS, TRACKING_PREFIX } from './events/trackings.js';
import { captures } from './projections/captures.js';
import { epcisEvents } from './projections/epcis-events.js';
import type { Projection } from './projections/projection.js';
import { providers } from './projections/providers.js';
import { timeline } from './projections/timeline.js';

const area = (name: string, prefix: string, events: readonly unknown[]) => ({ name, prefix, events: events as readonly EventType[] }) as const;

/** An area, the prefix of its streams, and the types of their events. The relay's topics go by these. */
export const AREAS = [area('trackings', TRACKING_PREFIX, TRACKING_EVENTS), area('providers', PROVIDER_PREFIX, PROVIDER_EVENTS), area('captures', CAPTURE_PREFIX, CAPTURE_EVENTS)] as const;

export const EVENT_TYPES = eventTypes(...AREAS.map(({ events }) => events as never));

export const PROJECTIONS = [timeline, providers, captures, epcisEvents] as readonly unknown[] as readonly Projection[];
