/** The rows of the access table for messages to users. */
import { USER_ROLES } from '../../../../src/events/accounts/events.js';
import type { AccessRow } from '../table.js';

export const ROWS: Readonly<Record<string, AccessRow>> = {
  pushTokenSet: {
    roles: USER_ROLES,
    scopes: ['sessions:write'],
    own: ({ fresh }) => ({ device_id: fresh(), token: 'a token', platform: 'ios' }),
    shared: 'names nothing: it is about the caller alone',
    varies: ['device_id'],
  },
  developerOutbox: {
    roles: ['client_admin'],
    scopes: ['webhooks:read'],
    own: () => ({}),
    shared: 'what was to be told in the own business; test/api/messages shows it',
  },
};
