/** Permissions of the catalogue. */
import type { CatalogViewer } from '../../../projections/catalogue/queries.js';
import { businessOf, STAFF_ROLES, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';

export const READ = { area: 'Catalogue', callers: [...STAFF_ROLES, 'customer'], scopes: ['orders:read'] } as const;
export const WRITE = {
  area: 'Catalogue',
  callers: ['client_admin'],
  scopes: ['catalogue:write'],
  writes: true,
  risk: 'medium',
} as const;

/** Staff also need the scope `catalogue:read`. Throws INSUFFICIENT_SCOPE. */
export function catalogViewer(caller: Caller): CatalogViewer {
  const { role, scopes } = userOf(caller);
  if (role !== 'customer' && !scopes.has('catalogue:read'))
    throw new ApiError('INSUFFICIENT_SCOPE', { params: { scopes: 'catalogue:read' } });
  return { business: businessOf(caller), activeOnly: role === 'customer' };
}
