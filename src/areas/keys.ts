/** Keys: which ones a log belongs to that lies apart from the database. */
import { KEY_EVENTS, KEY_PREFIX } from '../events/keys/events.js';
import { area } from './area.js';

export const keys = area({ name: 'keys', streams: [{ prefix: KEY_PREFIX, events: KEY_EVENTS, tenant: 'actor' }] });
