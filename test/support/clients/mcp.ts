/** Access to the MCP servers with a bare POST and with the official client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestService } from '../worlds/service.js';

export const PROTOCOL_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export const ADDRESSES = ['/mcp', '/api/mcp', '/mcp/developer', '/api/mcp/developer'] as const;

export interface RpcOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** Sends a request as a script without an SDK does. */
export async function rpc(
  { url }: Pick<TestService, 'url'>,
  method: string,
  params: unknown = {},
  { token, headers = {}, path = '/mcp' }: RpcOptions = {},
): Promise<RpcAnswer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly _meta?: Record<string, unknown>;
}

/** Returns the JSON in the text of a result, without the marks around text by users. */
export const jsonIn = ({ content }: Pick<ToolResult, 'content'>): unknown =>
  JSON.parse(/^.*\n<(data-[0-9a-f]{12})>\n(.*)\n<\/\1>$/s.exec(content[0]!.text)?.[2] ?? content[0]!.text);

/** Returns the result of a tool; throws if the protocol rejects the call. */
export async function callTool(
  service: Pick<TestService, 'url'>,
  name: string,
  args: unknown = {},
  options?: RpcOptions,
): Promise<ToolResult> {
  const answer = await rpc(service, 'tools/call', { name, arguments: args }, options);
  const { result } = answer.body as { result?: ToolResult };
  if (!result) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return result;
}

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: string;
    readonly properties: Record<string, Record<string, unknown>>;
    readonly required?: readonly string[];
    readonly additionalProperties: boolean;
  };
  readonly annotations: Record<string, unknown>;
}

/** A tool as listed for a client that requests details. */
export interface DetailedTool extends ListedTool {
  readonly outputSchema: Record<string, unknown>;
  readonly _meta: Record<string, unknown>;
}

export const DETAILED = { 'x-mcp-tool-details': '1' } as const;

export const listDetails = async (
  service: Pick<TestService, 'url'>,
  { headers, ...options }: RpcOptions = {},
): Promise<readonly DetailedTool[]> =>
  (await listTools(service, { ...options, headers: { ...headers, ...DETAILED } })) as readonly DetailedTool[];

export async function listTools(
  service: Pick<TestService, 'url'>,
  options?: RpcOptions,
): Promise<readonly ListedTool[]> {
  return ((await rpc(service, 'tools/list', {}, options)).body as { result: { tools: ListedTool[] } }).result.tools;
}

/** Returns a connected client of the official SDK with this protocol version. */
export async function connect(
  { url }: Pick<TestService, 'url'>,
  path: string,
  version: string,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const modern = version === '2026-07-28';
  const client = new Client(
    { name: 'test', version: '1' },
    modern ? { versionNegotiation: { mode: { pin: version } } } : { supportedProtocolVersions: [version] },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}${path}`), {
      requestInit: { headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) } },
    }),
  );
  return client;
}

/** Returns the access token of a user of the demo business. */
export async function tokenOf(
  { api, demo }: Pick<TestService, 'api' | 'demo'>,
  who: keyof TestService['demo']['users'],
): Promise<string> {
  const { email, password } = demo.users[who];
  return ((await api('/user/login', { body: { email, password } })).json as { access_token: string }).access_token;
}
