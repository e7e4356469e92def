/** Kinds of callers: anonymous, a provider with a key, or a user with a token. */
import type { Pusher } from '../../commands/trackings/targets.js';
import { USER_ROLES, type TokenKind, type UserRole } from '../../events/accounts/events.js';
import type { StatusMapping } from '../../events/providers/events.js';
import { ApiError } from './errors.js';
import type { Scope } from './scopes.js';

export interface ProviderCaller extends Pusher {
  readonly role: 'provider';
  /** Id of the key, for the audit trail; never the key. */
  readonly keyId: string;
  /** Name of the carrier's table that the provider chose for its raw codes. */
  readonly carrierCodes: string | null;
  readonly mapping: ReadonlyMap<string, StatusMapping[number]>;
}

export interface AnonymousCaller {
  readonly role: 'anonymous';
}

export interface UserCaller {
  readonly role: UserRole;
  readonly userId: number;
  /** Undefined for staff of the platform. */
  readonly businessId: number | undefined;
  /** IANA name of the timezone of the business; UTC if the user has no business. */
  readonly timezone: string;
  /** Id of the token, for the audit trail; never the token. */
  readonly tokenId: string;
  /** Whether the token comes from a sign-in, was created for a program, or was granted to an agent's client. */
  readonly tokenKind: TokenKind;
  /** Scopes of the token: never more than the scopes of the user's role. */
  readonly scopes: ReadonlySet<Scope>;
  /** Scopes that the user cleared at the consent to an application. Absent for other tokens. */
  readonly declined?: ReadonlySet<Scope>;
  /** Modules that the platform has enabled for the business. */
  readonly modules: ReadonlySet<string>;
}

export type Caller = AnonymousCaller | ProviderCaller | UserCaller;
export type CallerKind = Caller['role'];

/** Callers of public operations. */
export const EVERYBODY = ['anonymous', 'provider', ...USER_ROLES] as const satisfies readonly CallerKind[];

/** Users who read all data of their business. */
export const STAFF_ROLES = ['client_admin', 'employee', 'auditor'] as const satisfies readonly CallerKind[];

export const isStaff = ({ role }: Caller): boolean => (STAFF_ROLES as readonly CallerKind[]).includes(role);

export const ANONYMOUS: AnonymousCaller = { role: 'anonymous' };

export const isUser = (caller: Caller): caller is UserCaller => (USER_ROLES as readonly string[]).includes(caller.role);

/** The calling user; throws FORBIDDEN for any other caller. */
export function userOf(caller: Caller): UserCaller {
  if (!isUser(caller)) throw new ApiError('FORBIDDEN');
  return caller;
}

/** The business whose data the caller reads and changes; throws FORBIDDEN if the caller has no business. */
export function businessOf(caller: Caller): number {
  const { businessId } = userOf(caller);
  if (businessId === undefined) throw new ApiError('FORBIDDEN');
  return businessId;
}

/** The principal that rate limits and idempotency keys belong to; undefined for an anonymous caller. */
export function principalOf(caller: Caller): string | undefined {
  if (caller.role === 'anonymous') return undefined;
  return isUser(caller) ? `user:${caller.userId}` : `provider:${caller.id}`;
}
