/** What this service speaks of the Model Context Protocol. */
/** Newest first. The SDK's own `LATEST_PROTOCOL_VERSION` is the newest with a handshake, 2025-11-25. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The addresses of both servers; each also below /api. */
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

/** Where a client that wants no account connects to the public tools: elsewhere its first message is asked to sign in. */
const PUBLIC = '/public';
export const isPublicPath = (path: string): boolean => path.endsWith(PUBLIC);

/** All addresses of a server. */
export const pathsOf = (server: ServerName): readonly string[] =>
  [SERVERS[server].path, ...(server === 'operations' ? [SERVERS[server].path + PUBLIC] : [])].flatMap((path) => [
    path,
    `/api${path}`,
  ]);

/** Keys of `_meta` begin with it. */
export const META = 'open-transport/';

/** Our own codes stay outside the range that JSON-RPC and MCP reserve: they are the HTTP statuses. */
export const JSON_RPC = {
  parse: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internal: -32_603,
  refused: -32_000,
} as const;

export type RpcId = string | number | null;

/** A JSON-RPC error as the body of an answer. */
export const rpcError = (id: RpcId, code: number, message: string, data?: unknown): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});
