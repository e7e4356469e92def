/** mcp-remote as users run it: a local program that connects to the service and prints addresses for the browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StdioClientTransport } from 'mcp-sdk-1.32/client/stdio.js';
import { Client } from 'mcp-sdk-1.32/client/index.js';
import { freePorts } from '../processes/ports.js';
import type { HostClient } from './hosts.js';

const PROGRAM = join(dirname(createRequire(import.meta.url).resolve('mcp-remote/package.json')), 'dist/proxy.js');

export interface McpRemote {
  readonly client: HostClient;
  /** Resolves when the program is connected. */
  readonly connected: Promise<void>;
  /** The next address that it asks the user to open. Rejects with the output if `ended` resolves first. */
  nextPage(ended: Promise<unknown>): Promise<string>;
  /** Opens the redirect address, which the program serves soon after it printed the page. */
  redirect(url: URL): Promise<void>;
  readonly output: () => string;
  stop(): Promise<void>;
}

/** `service`: the address of the service. `path`: the path of the MCP server. */
export async function startMcpRemote(
  service: string,
  path: string,
  headers: readonly string[] = [],
): Promise<McpRemote> {
  const home = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
  const [port] = await freePorts(1);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      PROGRAM,
      `${service}${path}`,
      String(port),
      '--allow-http',
      '--transport',
      'http-only',
      ...headers.flatMap((header) => ['--header', header]),
    ],
    // It finds no browser to open, so it prints the address.
    env: { PATH: home, HOME: home, MCP_REMOTE_CONFIG_DIR: home },
    stderr: 'pipe',
  });
  let output = '';
  let waiting: () => void = () => undefined;
  transport.stderr!.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    waiting();
  });
  const seen = new Set<string>();
  const unseenPage = (): string | undefined =>
    // The last line may be incomplete.
    [...output.matchAll(new RegExp(`${service}/oauth/authorize\\S+(?=\\s)`, 'g'))]
      .map(([url]) => url)
      .find((url) => !seen.has(url));
  const client = new Client({ name: 'test', version: '1' });
  const connected = client.connect(transport);
  connected.catch(() => undefined);
  return {
    client: client as unknown as HostClient,
    connected,
    output: () => output,
    async nextPage(ended) {
      const page = new Promise<string>((resolve) => {
        waiting = () => {
          const url = unseenPage();
          if (url === undefined) return;
          seen.add(url);
          waiting = () => undefined;
          resolve(url);
        };
        waiting();
      });
      const early = ended.then(
        (value) => `It ended with ${JSON.stringify(value)}`,
        (error: unknown) => `It failed: ${String(error)}`,
      );
      return Promise.race([
        page,
        early.then((reason) => {
          throw new Error(`${reason} without a sign-in:\n${output}`);
        }),
      ]);
    },
    async redirect(url) {
      for (let attempt = 0; attempt < 100; attempt++) {
        const answer = await fetch(url).catch(() => undefined);
        if (answer) return void (await answer.text());
        await sleep(100);
      }
      throw new Error(`It does not serve ${url.origin}:\n${output}`);
    },
    async stop() {
      await client.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
