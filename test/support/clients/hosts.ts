/**
 * MCP hosts as users run them: the official SDK in the versions in use, configured only with an address. Each version
 * is installed under a separate name; this module contains their common interface.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/**
 * Old generations: SDK versions with only the transport of 2024-11-05. The others: versions with both transports, and
 * the packages that replaced them.
 */
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

/**
 * The application that an SDK requires. It stores everything in memory and calls `visit` where a browser would open a
 * page.
 */
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
    invalidateCredentials: (what: string) => {
      if (what === 'all' || what === 'client') client = undefined;
      if (what === 'all' || what === 'tokens') tokens = undefined;
    },
    saveDiscoveryState: (state: object) => void (discovery = state),
    discoveryState: () => discovery,
  };
}

export interface Host {
  /** Connects; throws if a user must sign in first. */
  connect(): Promise<HostClient>;
  /** Continues with the parameters of the browser's redirect. */
  finish(answer: URLSearchParams): Promise<void>;
}

/** `options`: options for the transport of that version. */
export async function hostOf(generation: Generation, url: string, options: object): Promise<Host> {
  const { client: HostClient, transport: Transport } = await load(generation);
  let tried: HostTransport | undefined;
  return {
    async connect() {
      const client = new HostClient({ name: `host-${generation}`, version: '1' });
      await client.connect((tried = new Transport(new URL(url), options)));
      return client;
    },
    // Later versions check all parameters of the redirect, including the issuer.
    finish: (answer) => tried!.finishAuth((generation === '2.4' ? answer : answer.get('code')) as string),
  };
}
