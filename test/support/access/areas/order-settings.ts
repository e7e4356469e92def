/** The rows of the access table for the order settings of a business. */
import type { AccessRow } from '../table.js';

const shared = 'names nothing: it is about the own business';

export const ROWS: Readonly<Record<string, AccessRow>> = {
  orderSettings: { roles: ['client_admin', 'employee', 'auditor'], scopes: ['orders:read'], own: () => ({}), shared },
  orderSettingsUpdate: {
    roles: ['client_admin'],
    scopes: ['orders:write'],
    own: () => ({ unique_order_ref: false }),
    shared,
  },
};
