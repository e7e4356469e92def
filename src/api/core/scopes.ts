/**
 * Scopes of tokens (specification 3, "Authentication"): families, profiles that bundle them, and the maximum of each
 * role.
 */
import type { UserRole } from '../../events/accounts/events.js';

export const SCOPES = [
  'orders:read',
  'orders:write',
  'labels:read',
  'labels:write',
  'routes:read',
  'routes:write',
  'drivers:read',
  'analytics:read',
  'address:read',
  'approvals:read',
  'approvals:write',
  'wms:read',
  'datasets:read',
  'alliance:read',
  // Beyond the tool catalogue of the specification: actions of people and their own systems.
  'accounts:read',
  'accounts:write',
  'audit:read',
  'privacy:write',
  'webhooks:read',
  'webhooks:write',
  'platform:write',
  'drivers:write',
  'wms:write',
  'fleets:read',
  'fleets:write',
  'datasets:write',
  'alliance:write',
  'billing:read',
  'billing:write',
  'catalogue:read',
  'catalogue:write',
  // Keys and sessions of the user: a connection with a reduced profile does not have these scopes.
  'keys:write',
  'sessions:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that delete, decide, spend, or grant access to others: the user must select each scope explicitly. */
export const DANGEROUS: ReadonlySet<Scope> = new Set<Scope>([
  'labels:write',
  'approvals:write',
  'accounts:write',
  'privacy:write',
  'webhooks:write',
  'platform:write',
  'alliance:write',
  'billing:write',
  'keys:write',
  'sessions:write',
]);

/** Named bundles, exactly as in the specification; `full` is everything that the user's role has. */
export const PROFILES = {
  'ops-readonly': [
    'orders:read',
    'labels:read',
    'routes:read',
    'drivers:read',
    'analytics:read',
    'address:read',
    'approvals:read',
  ],
  support: ['orders:read', 'analytics:read', 'address:read', 'approvals:read'],
  'ops-write': [
    'orders:read',
    'orders:write',
    'labels:read',
    'labels:write',
    'routes:read',
    'routes:write',
    'drivers:read',
    'analytics:read',
    'address:read',
    'approvals:read',
    'approvals:write',
  ],
  'wms-readonly': ['wms:read', 'orders:read'],
  'datasets-readonly': ['datasets:read'],
  'alliance-readonly': ['alliance:read'],
  full: SCOPES,
} as const satisfies Record<string, readonly Scope[]>;
export type Profile = keyof typeof PROFILES;
export const PROFILE_NAMES = Object.keys(PROFILES) as [Profile, ...Profile[]];
/** Profile of an API key that names none (specification 3, "Authentication" 5). */
export const DEFAULT_PROFILE: Profile = 'ops-readonly';

const PLANNING = [
  'orders:read',
  'orders:write',
  'labels:read',
  'labels:write',
  'routes:read',
  'routes:write',
  'drivers:read',
  'analytics:read',
  'address:read',
  'approvals:read',
] as const;

/** Scopes of the user's own account: no user can exercise them for another user. */
export const OWN = ['keys:write', 'sessions:write'] as const;
const FLEETS = ['fleets:read', 'fleets:write'] as const;
const DATASETS = ['datasets:read', 'datasets:write'] as const;
const BILLING = ['billing:read', 'billing:write'] as const;

/** The maximum of a user by role. Each operation also lists the roles that may call it. */
export const ROLE_SCOPES: Readonly<Record<UserRole, ReadonlySet<Scope>>> = {
  platform_admin: new Set<Scope>([...OWN, 'platform:write', 'accounts:read', 'accounts:write', 'audit:read']),
  client_admin: new Set<Scope>(SCOPES.filter((scope) => scope !== 'platform:write')),
  employee: new Set<Scope>([
    ...OWN,
    ...PLANNING,
    ...FLEETS,
    ...DATASETS,
    ...BILLING,
    'catalogue:read',
    'drivers:write',
    'wms:read',
    'wms:write',
    'alliance:read',
    'accounts:read',
    'webhooks:read',
  ]),
  broker: new Set<Scope>([
    ...OWN,
    'approvals:read',
    'orders:read',
    'orders:write',
    'routes:read',
    'routes:write',
    'drivers:read',
    'drivers:write',
    'address:read',
    'wms:read',
    'datasets:read',
    ...FLEETS,
  ]),
  driver: new Set<Scope>([
    ...OWN,
    'orders:read',
    'orders:write',
    'routes:read',
    'drivers:read',
    'drivers:write',
    'address:read',
    'wms:read',
    'wms:write',
    'datasets:read',
    ...FLEETS,
  ]),
  customer: new Set<Scope>([
    ...OWN,
    'approvals:read',
    'orders:read',
    'orders:write',
    'labels:read',
    'labels:write',
    'analytics:read',
    'address:read',
    'datasets:read',
    'billing:read',
    // Only for top-ups: all other operations with this scope exclude customers.
    'billing:write',
  ]),
  auditor: new Set<Scope>([
    ...OWN,
    'audit:read',
    'orders:read',
    'routes:read',
    'analytics:read',
    'approvals:read',
    'accounts:read',
    'wms:read',
    'datasets:read',
    'fleets:read',
    'alliance:read',
    'billing:read',
    'catalogue:read',
  ]),
};

/** The scopes of a token, from its profile or from single names, limited to the scopes of the role. */
export function scopesFor(role: UserRole, granted: readonly Scope[]): ReadonlySet<Scope> {
  return new Set(granted.filter((scope) => ROLE_SCOPES[role].has(scope)));
}
