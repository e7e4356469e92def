/** The rows of the access table for the approval settings of a business. */
import type { AccessRow } from '../table.js';

const shared = 'names nothing: it is about the own business';

export const ROWS: Readonly<Record<string, AccessRow>> = {
  approvalSettings: {
    roles: ['client_admin', 'employee', 'auditor'],
    scopes: ['approvals:read'],
    own: () => ({}),
    shared,
  },
  approvalSettingsUpdate: {
    roles: ['client_admin'],
    scopes: ['approvals:write'],
    own: () => ({ review: 'anybody' }),
    loginOnly: true,
    shared,
  },
};
