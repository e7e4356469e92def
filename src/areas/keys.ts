/** Keys: records in the log which keys encrypt it. Needed if the log is not stored in the same database. */
import { KEY_EVENTS, KEY_PREFIX } from '../events/keys/events.js';
import { area } from './area.js';

export const keys = area({ name: 'keys', streams: [{ prefix: KEY_PREFIX, events: KEY_EVENTS, tenant: 'actor' }] });
