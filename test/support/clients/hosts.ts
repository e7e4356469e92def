/**
 * Hosts as they connect in the field: the official SDK in the generations that are in use, given an address and nothing
 * else. Each is installed under a name of its own; what they have in common is written down here.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Versions with the transport of 2024-11-05 alone, with both, and the packages that came after them. */
export const OLD_GENERATIONS = ['1.5', '1.9'] as const;
export const GENERATIONS = ['1.12', '1.17', '1.20', '1.32', '2.4'] as const;
export type Generation = (typeof OLD_GENERATIONS)[number] | (typeof GENERATIONS)[number];

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export interface HostClient {
  connect(transport: HostTransport): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments?: object }): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface HostTransport {
  finishAuth(code: string): Promise<void>;
}

interface Modules {
  readonly client: new (info: { name: string; version: string }) => HostClient;
  readonly transport: new (url: URL, options: object) => HostTransport;
}

async function load(generation: Generation): Promise<Modules> {
  if (generation === '2.4') return { client: Client, transport: StreamableHTTPClientTransport } as unknown as Modules;
  const isOld = (OLD_GENERATIONS as readonly string[]).includes(generation);
  const [{ Client: client }, transports] = (await Promise.all([
    import(`mcp-sdk-${generation}/client/index.js`),
    import(`mcp-sdk-${generation}/client/${isOld ? 'sse' : 'streamableHttp'}.js`),
  ])) as [{ Client: Modules['client'] }, Record<string, Modules['transport']>];
  return { client, transport: transports[isOld ? 'SSEClientTransport' : 'StreamableHTTPClientTransport']! };
}

/** What an SDK asks of its application: everything is kept in memory, and `visit` is where a browser would go. */
export function application(redirectUrl: string, visit: (url: URL) => void) {
  let client: object | undefined;
  let tokens: object | undefined;
  let verifier = '';
  let discovery: object | undefined;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Host',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => client,
    saveClientInformation: (information: object) => void (client = information),
    tokens: () => tokens as { access_token: string; scope?: string } | undefined,
    saveTokens: (saved: object) => void (tokens = saved),
    redirectToAuthorization: visit,
    saveCodeVerifier: (saved: string) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: (state: object) => void (discovery = state),
    discoveryState: () => discovery,
  };
}

export interface Host {
  /** Connects; throws where a person must sign in first. */
  connect(): Promise<HostClient>;
  /** With what the browser came back with. */
  finish(answer: URLSearchParams): Promise<void>;
}

/** `options`: of the transport of that generation. */
export async function hostOf(generation: Generation, url: string, options: object): Promise<Host> {
  const { client: HostClient, transport: Transport } = await load(generation);
  let tried: HostTransport | undefined;
  return {
    async connect() {
      const client = new HostClient({ name: `host-${generation}`, version: '1' });
      await client.connect((tried = new Transport(new URL(url), options)));
      return client;
    },
    // Later ones look at all that came back: also at who says it.
    finish: (answer) => tried!.finishAuth((generation === '2.4' ? answer : answer.get('code')) as string),
  };
}
