/** Who is connected, and what the connection's headers make of it: they only ever narrow what the token grants. */
import { isUser, type Caller } from '../core/callers.js';
import { ApiError, fieldError } from '../core/errors.js';
import type { Call } from '../core/call.js';
import { PROFILES, type Profile, type Scope } from '../core/scopes.js';
import type { ServerName } from './protocol.js';

export interface Connection {
  readonly server: ServerName;
  /** With the scopes of the token that profile and scopes of the connection leave. */
  readonly caller: Caller;
  readonly profile: string | undefined;
  /** `X-MCP-Dry-Run: 1`. */
  readonly dryRun: boolean;
  /** `X-MCP-Require-Approval: 1`. */
  readonly requireApproval: boolean;
  /** `X-MCP-Tool-Details: 1`: tools are listed with output schemas and `_meta`. */
  readonly isDetailed: boolean;
  /** What every call of the connection has in common. */
  readonly call: Omit<Call, 'caller' | 'requestId' | 'fingerprint'>;
  /** Each call of a batch has an id of its own. */
  readonly nextRequestId: () => string;
}

export type Header = (name: string) => string | undefined;

/**
 * The caller as the connection narrows it. Throws NO_SUCH_PROFILE and INVALID_SCOPES, rather than grant more than was
 * meant.
 */
export function narrowed(caller: Caller, header: Header): Caller {
  const granted = scopesOf(header);
  return granted && isUser(caller)
    ? { ...caller, scopes: new Set([...caller.scopes].filter((scope) => granted.has(scope))) }
    : caller;
}

/** Undefined where the connection names nothing, or everything. */
function scopesOf(header: Header): ReadonlySet<Scope> | undefined {
  const profile = header('x-mcp-profile')?.trim();
  if (profile !== undefined && !Object.hasOwn(PROFILES, profile))
    throw fieldError('NO_SUCH_PROFILE', 'x-mcp-profile', { allowed: Object.keys(PROFILES).join(', ') }, '');
  const named = header('x-mcp-scopes');
  if (named === undefined)
    return profile === undefined || profile === 'full' ? undefined : new Set<Scope>(PROFILES[profile as Profile]);
  const scopes = named.split(',').map((scope) => scope.trim());
  if (scopes.length > 64 || !scopes.every((scope) => /^(?:\*|[a-z_]{1,40}:(?:read|write))$/.test(scope)))
    throw fieldError('INVALID_SCOPES', 'x-mcp-scopes', {}, '');
  // A scope that this service does not know grants nothing.
  return scopes.includes('*') ? undefined : new Set(scopes as Scope[]);
}

/**
 * `1` or `true` is on; anything else except `0` and `false` is refused, so that a mistyped safety option is not
 * simply missing.
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
