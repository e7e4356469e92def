/**
 * The WWW-Authenticate header that MCP requires: the address of the metadata of the protected resource, and the
 * required scopes.
 */
import { isUser, type Caller } from '../core/callers.js';
import { ApiError } from '../core/errors.js';
import { DEFAULT_PROFILE, PROFILES, ROLE_SCOPES, SCOPES, type Scope } from '../core/scopes.js';
import { firstScopes, scopesIn, type Header } from './connection.js';

/**
 * Adds the scopes to request to the refusal of a call that needs `needed`. A caller without a token requests those of
 * the connection's headers, too. A caller whose token lacks scopes is asked once per family, in addition to the granted
 * scopes, because a new token replaces the old one. Without a challenge, if a new token would not help: the role or
 * the headers of the connection exclude a scope.
 */
export function challengeScopes(refusal: unknown, needed: readonly Scope[], token: Caller, header: Header): unknown {
  if (!(refusal instanceof ApiError)) return refusal;
  const { code, params } = refusal;
  if (code === 'UNAUTHENTICATED')
    return new ApiError(code, { params: { scopes: joined(firstScopes(header), needed) } });
  if (code !== 'INSUFFICIENT_SCOPE' || !isUser(token)) return refusal;
  const admitted = scopesIn(header);
  const isPossible = (scope: Scope): boolean =>
    ROLE_SCOPES[token.role].has(scope) && (admitted === undefined || admitted.has(scope));
  if (!needed.every(isPossible)) return new ApiError(code, { params });
  const families = new Set(needed.map(familyOf));
  const reads = SCOPES.filter((scope) => families.has(familyOf(scope)) && scope.endsWith(':read') && isPossible(scope));
  return new ApiError(code, { params: { ...params, ask: joined([...token.scopes], reads, needed) } });
}

const familyOf = (scope: string): string => scope.split(':')[0]!;
const joined = (...lists: readonly (readonly string[])[]): string => [...new Set(lists.flat())].join(' ');

/** `header`: the headers of the connection. After a revocation, a client signs in again with their scopes. */
export function challengeOf(
  { code, status, params, headers }: ApiError,
  resourceMetadata: string,
  header: Header,
): Readonly<Record<string, string>> {
  const metadata = `resource_metadata="${resourceMetadata}"`;
  if (code === 'INSUFFICIENT_SCOPE' && params['ask'] !== undefined)
    return {
      'WWW-Authenticate': `Bearer error="insufficient_scope", error_description="The token lacks a scope.", scope="${params['ask']}", ${metadata}`,
    };
  if (status !== 401) return {};
  // RFC 6750, section 3.1: no error code if no credentials were sent.
  const invalid = code === 'API_TOKEN_RETIRED' || /error="invalid_token"/.test(headers['WWW-Authenticate'] ?? '');
  const scope = params['scopes'] ?? firstScopesOrDefault(header).join(' ');
  return {
    'WWW-Authenticate': `Bearer ${invalid ? 'error="invalid_token", error_description="The token is unknown, expired or revoked.", ' : ''}scope="${scope}", ${metadata}`,
  };
}

function firstScopesOrDefault(header: Header): readonly Scope[] {
  try {
    return firstScopes(header);
  } catch {
    return PROFILES[DEFAULT_PROFILE];
  }
}
