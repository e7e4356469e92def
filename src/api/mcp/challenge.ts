/**
 * The WWW-Authenticate header that MCP requires: the address of the metadata of the protected resource, and the
 * required scopes.
 */
import type { ApiError } from '../core/errors.js';

export function challengeOf(
  { code, status, params, headers }: ApiError,
  resourceMetadata: string,
): Readonly<Record<string, string>> {
  const metadata = `resource_metadata="${resourceMetadata}"`;
  const requestedScopes = params['ask'] ?? params['scopes'];
  const scope = requestedScopes === undefined ? '' : `scope="${requestedScopes}", `;
  if (code === 'INSUFFICIENT_SCOPE')
    return {
      'WWW-Authenticate': `Bearer error="insufficient_scope", error_description="The token or the profile of the connection lacks a scope.", ${scope}${metadata}`,
    };
  if (status !== 401) return {};
  // RFC 6750, section 3.1: no error code if no credentials were sent.
  const invalid = code === 'API_TOKEN_RETIRED' || /error="invalid_token"/.test(headers['WWW-Authenticate'] ?? '');
  return {
    'WWW-Authenticate': `Bearer ${invalid ? 'error="invalid_token", error_description="The token is unknown, expired or revoked.", ' : ''}${scope}${metadata}`,
  };
}
