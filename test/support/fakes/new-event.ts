/** Events for a log that contain their data in addition to its JSON. */
import type { JsonObject, EncodedEvent } from '../../../src/events/core/log.js';

export interface GivenEvent extends EncodedEvent {
  readonly data: JsonObject;
}

export const given = (event: Omit<GivenEvent, 'json'>): GivenEvent => ({ ...event, json: JSON.stringify(event.data) });
