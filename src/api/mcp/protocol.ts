/** Versions, addresses and error codes of the Model Context Protocol in this service. */
/** Newest first. The SDK's own `LATEST_PROTOCOL_VERSION` is the newest with a handshake, 2025-11-25. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The paths of both servers; each also exists below /api. */
export const SERVERS = {
  operations: {
    name: 'service',
    path: '/mcp',
    title: 'Operations',
    audience: 'operations, support and business agents',
  },
  developer: {
    name: 'service-developer',
    path: '/mcp/developer',
    title: 'Developer',
    audience: 'integration developers and coding agents',
  },
} as const;
export type ServerName = keyof typeof SERVERS;

/**
 * Path suffix for clients without an account, which can call the public tools. On the other paths the first message
 * requires a sign-in.
 */
const PUBLIC = '/public';
export const isPublicPath = (path: string): boolean => path.endsWith(PUBLIC);

/** The path of a server for clients without an account. */
export const publicPathOf = (server: ServerName): string => SERVERS[server].path + PUBLIC;

/** All paths of a server. */
export const pathsOf = (server: ServerName): readonly string[] =>
  [SERVERS[server].path, publicPathOf(server)].flatMap((path) => [path, `/api${path}`]);

/** Prefix of the keys of `_meta`. */
export const META = 'open-transport/';

/** Codes of this service are HTTP statuses, outside the range that JSON-RPC and MCP reserve. */
export const JSON_RPC = {
  parse: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internal: -32_603,
  refused: -32_000,
} as const;

export type RpcId = string | number | null;

/** A JSON-RPC error as the body of a response. */
export const rpcError = (id: RpcId, code: number, message: string, data?: unknown): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});
