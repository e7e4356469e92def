/** The access table of feeds: one row for each feed, as table.ts has one for each operation. */
import { EVERYBODY } from '../../../src/api/core/callers.js';
import { ACCESS, type AccessRow } from './table.js';

/**
 * `own`: input with which the feed opens. Each row has `foreign`, or `shared` with the reason why the feed contains no
 * private data.
 */
export type FeedRow = Pick<AccessRow, 'roles' | 'scopes' | 'own' | 'foreign' | 'shared' | 'notFoundFor'>;

const OWN_ONLY = 'names nothing: whose news it tells is tested with what it follows';

export const FEEDS: Readonly<Record<string, FeedRow>> = {
  trackingEvents: {
    roles: EVERYBODY,
    own: ({ parcel }) => ({ tracking_number: parcel }),
    shared: 'public: what a tracking number shows anybody',
  },
  dispatchEvents: {
    roles: ['client_admin', 'employee', 'broker', 'driver', 'auditor'],
    scopes: ['routes:read', 'orders:read'],
    own: () => ({}),
    shared: OWN_ONLY,
  },
  boardEvents: {
    roles: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['routes:read'],
    own: () => ({}),
    shared: OWN_ONLY,
  },
  warehouseEvents: {
    roles: ['client_admin', 'employee', 'auditor', 'broker', 'driver'],
    scopes: ['wms:read'],
    own: ACCESS['warehouse']!.own,
    foreign: ACCESS['warehouse']!.foreign!,
  },
  riderOfferEvents: {
    roles: ['driver'],
    scopes: ['drivers:read'],
    own: async (world, role) => {
      // The feed requires a driver with a rider grant.
      await ACCESS['riderOffers']!.own(world, role);
      return {};
    },
    shared: OWN_ONLY,
  },
  jobEvents: {
    roles: ['client_admin', 'employee', 'broker', 'auditor'],
    notFoundFor: ['driver', 'customer'],
    own: ACCESS['job']!.own,
    foreign: ACCESS['job']!.foreign!,
  },
};
