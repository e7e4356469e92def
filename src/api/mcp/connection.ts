/** The caller of a connection and the effect of its headers: they only ever restrict the permissions of the token. */
import { isUser, type Caller } from '../core/callers.js';
import { ApiError, fieldError } from '../core/errors.js';
import type { Call } from '../core/call.js';
import { DEFAULT_PROFILE, PROFILES, SCOPES, type Profile, type Scope } from '../core/scopes.js';
import type { ServerName } from './protocol.js';

export interface Connection {
  readonly server: ServerName;
  /** The scopes are those of the token, reduced by the profile and the scopes of the connection. */
  readonly caller: Caller;
  readonly profile: string | undefined;
  /** `X-MCP-Dry-Run: 1`. */
  readonly dryRun: boolean;
  /** `X-MCP-Require-Approval: 1`. */
  readonly requireApproval: boolean;
  /** `X-MCP-Tool-Details: 1`: `tools/list` includes output schemas and `_meta`. */
  readonly isDetailed: boolean;
  /** Counts a high-risk call against its quota; throws RATE_LIMITED. */
  readonly countHighRisk: () => Promise<unknown>;
  /** The common parts of every call of the connection. */
  readonly call: Omit<Call, 'caller' | 'requestId' | 'fingerprint'>;
  /** Returns a new id for each call of a batch. */
  readonly nextRequestId: () => string;
}

export type Header = (name: string) => string | undefined;

/**
 * The caller with the restrictions of the connection. Throws NO_SUCH_PROFILE and INVALID_SCOPES instead of granting
 * more than intended.
 */
export function narrowed(caller: Caller, header: Header): Caller {
  const granted = scopesIn(header);
  return granted && isUser(caller)
    ? { ...caller, scopes: new Set([...caller.scopes].filter((scope) => granted.has(scope))) }
    : caller;
}

/**
 * The scopes that a client requests first: those that its headers name, otherwise those of the default profile. Throws
 * like `narrowed`.
 */
export function firstScopes(header: Header): readonly Scope[] {
  if (header('x-mcp-profile') === undefined && header('x-mcp-scopes') === undefined) return PROFILES[DEFAULT_PROFILE];
  const named = scopesIn(header);
  const known = SCOPES.filter((scope) => named?.has(scope) ?? true);
  // The authorization server rejects unknown scopes.
  return known.length > 0 ? known : PROFILES[DEFAULT_PROFILE];
}

/** The scopes that the headers name. Undefined if the connection names no restriction, or all scopes. */
export function scopesIn(header: Header): ReadonlySet<Scope> | undefined {
  const profile = header('x-mcp-profile')?.trim();
  if (profile !== undefined && !Object.hasOwn(PROFILES, profile))
    throw fieldError('NO_SUCH_PROFILE', 'x-mcp-profile', { allowed: Object.keys(PROFILES).join(', ') }, '');
  const named = header('x-mcp-scopes');
  if (named === undefined)
    return profile === undefined || profile === 'full' ? undefined : new Set<Scope>(PROFILES[profile as Profile]);
  const scopes = named.split(',').map((scope) => scope.trim());
  if (scopes.length > 64 || !scopes.every((scope) => /^(?:\*|[a-z_]{1,40}:(?:read|write))$/.test(scope)))
    throw fieldError('INVALID_SCOPES', 'x-mcp-scopes', {}, '');
  // An unknown scope grants nothing.
  return scopes.includes('*') ? undefined : new Set(scopes as Scope[]);
}

/**
 * `1` or `true` means on; `0`, `false` or no header means off. Other values are rejected, so that a misspelled safety
 * option is not silently ignored.
 */
export function isOn(header: Header, name: string): boolean {
  const value = header(name)?.trim().toLowerCase();
  if (value === undefined || value === '0' || value === 'false') return false;
  if (value !== '1' && value !== 'true')
    throw new ApiError('INVALID_INPUT', {
      errors: [{ field: name, path: '', code: 'INVALID_VALUE', params: { allowed: '1, 0' } }],
    });
  return true;
}
