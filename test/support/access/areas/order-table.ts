/** The rows of the access table for the import and export of orders as a table. */
import type { AccessRow } from '../table.js';
import { SECRETS } from '../orders-world.js';

const CSV = 'delivery.name,delivery.street,delivery.city,delivery.country\nAda,Weg 1,Berlin,DE';

export const ROWS: Readonly<Record<string, AccessRow>> = {
  ordersImport: {
    roles: ['client_admin', 'employee'],
    scopes: ['orders:read', 'orders:write'],
    own: () => ({ csv: CSV }),
    varies: ['*'],
    shared: 'new orders of the own business; whose references are known is asked of the own ones',
  },
  ordersExport: {
    roles: ['client_admin', 'employee', 'auditor'],
    scopes: ['orders:read'],
    own: () => ({}),
    foreign: { input: () => ({}), excludes: () => SECRETS.otherRef },
    restOnly: true,
  },
};
