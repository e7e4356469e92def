/** Metadata of the protected resources (RFC 9728): where a client of MCP asks for tokens. */
import { PROFILES } from '../core/scopes.js';
import { pathsOf, SERVERS, type ServerName } from '../mcp/protocol.js';

/** Who issues tokens: this service itself. */
export const authorizationServers = (baseUrl: string): readonly string[] => [baseUrl];

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** `''` is the root. A client looks at the address with the resource's path in it first. */
const RESOURCES: readonly string[] = ['', ...(Object.keys(SERVERS) as ServerName[]).flatMap(pathsOf)];

/**
 * Address -> document. `scopes_supported` is what a client asks for at first: reading. More is asked for when a tool
 * needs it.
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
