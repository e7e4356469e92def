/** All areas in one place: the event types there are, and the projections that fold them. */
import { eventTypes } from './events/codec.js';
import { CAPTURE_EVENTS } from './events/captures.js';
import { PROVIDER_EVENTS } from './events/providers.js';
import { TRACKING_EVENTS } from './events/trackings.js';
import { captures } from './projections/captures.js';
import { epcisEvents } from './projections/epcis-events.js';
import type { Projection } from './projections/projection.js';
import { providers } from './projections/providers.js';
import { timeline } from './projections/timeline.js';

export const EVENT_TYPES = eventTypes(TRACKING_EVENTS as never, PROVIDER_EVENTS as never, CAPTURE_EVENTS as never);

export const PROJECTIONS = [timeline, providers, captures, epcisEvents] as readonly unknown[] as readonly Projection[];
