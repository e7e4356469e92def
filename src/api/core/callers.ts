/** Who calls: nobody in particular, a provider by its key, or a user by a token. */
import type { Pusher } from '../../commands/trackings/targets.js';
import { USER_ROLES, type TokenKind, type UserRole } from '../../events/accounts/events.js';
import type { StatusMapping } from '../../events/providers/events.js';
import { ApiError } from './errors.js';
import type { Scope } from './scopes.js';

export interface ProviderCaller extends Pusher {
  readonly role: 'provider';
  /** Id of the key, for the audit trail; never the key. */
  readonly keyId: string;
  readonly mapping: ReadonlyMap<string, StatusMapping[number]>;
}

export interface AnonymousCaller {
  readonly role: 'anonymous';
}

export interface UserCaller {
  readonly role: UserRole;
  readonly userId: number;
  /** Undefined for the platform's own people. */
  readonly businessId: number | undefined;
  /** IANA name, of the business; UTC where there is none. */
  readonly timezone: string;
  /** Id of the token, for the audit trail; never the token. */
  readonly tokenId: string;
  /** By signing in, made for a program, or granted to an agent's client. */
  readonly tokenKind: TokenKind;
  /** What the token lets its user do: never more than the user's role has. */
  readonly scopes: ReadonlySet<Scope>;
  /** Modules that the platform has switched on for the business. */
  readonly modules: ReadonlySet<string>;
}

export type Caller = AnonymousCaller | ProviderCaller | UserCaller;
export type CallerKind = Caller['role'];

/** Whom public operations are for. */
export const EVERYBODY = ['anonymous', 'provider', ...USER_ROLES] as const satisfies readonly CallerKind[];

export const ANONYMOUS: AnonymousCaller = { role: 'anonymous' };

export const isUser = (caller: Caller): caller is UserCaller => (USER_ROLES as readonly string[]).includes(caller.role);

/** The user who calls; throws FORBIDDEN for anybody else. */
export function userOf(caller: Caller): UserCaller {
  if (!isUser(caller)) throw new ApiError('FORBIDDEN');
  return caller;
}

/** The business whose data the caller sees and changes; throws FORBIDDEN for who belongs to none. */
export function businessOf(caller: Caller): number {
  const { businessId } = userOf(caller);
  if (businessId === undefined) throw new ApiError('FORBIDDEN');
  return businessId;
}

/** Whose requests these are: the principal of rate limits and idempotency keys; undefined for nobody in particular. */
export function principalOf(caller: Caller): string | undefined {
  if (caller.role === 'anonymous') return undefined;
  return isUser(caller) ? `user:${caller.userId}` : `provider:${caller.id}`;
}
