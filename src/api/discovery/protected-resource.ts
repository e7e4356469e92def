/** Metadata of the protected resources (RFC 9728): MCP clients read where to request tokens. */
import { PROFILES } from '../core/scopes.js';
import { pathsOf, SERVERS, type ServerName } from '../mcp/protocol.js';

/** Issuers of tokens: only this service. */
export const authorizationServers = (baseUrl: string): readonly string[] => [baseUrl];

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** `''` is the root. A client first tries the address that contains the path of the resource. */
const RESOURCES: readonly string[] = ['', ...(Object.keys(SERVERS) as ServerName[]).flatMap(pathsOf)];

/**
 * Metadata documents by address. `scopes_supported` lists the scopes that a client requests first, which only permit
 * reading. More scopes are requested when a tool requires them.
 */
export function protectedResources(baseUrl: string): ReadonlyMap<string, Record<string, unknown>> {
  return new Map(
    RESOURCES.map((path) => [
      `${WELL_KNOWN}${path}`,
      {
        resource: `${baseUrl}${path}`,
        authorization_servers: authorizationServers(baseUrl),
        scopes_supported: PROFILES['ops-readonly'],
        bearer_methods_supported: ['header'],
        resource_name: 'Open Transport',
        resource_documentation: `${baseUrl}/api/docs`,
      },
    ]),
  );
}

export const PROTECTED_RESOURCE_PATHS: readonly string[] = RESOURCES.map((path) => `${WELL_KNOWN}${path}`);
