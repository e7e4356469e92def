/** A tool call against the same call over REST, and the list of tools against their overview. */
import { timelineOf, nextNumber } from './documents.js';
import { createClient, inParallel, type Client } from './http.js';
import { addProvider } from './main-path.js';
import { median, seconds, startService, type Databases } from './support.js';
import { count, type Line } from './table.js';

const CONNECTIONS = 16;
const TOOL = 'track_package';

export interface McpOptions {
  readonly rounds: number;
  readonly requests: number;
}

interface Manifest {
  readonly tools: readonly { readonly name: string; readonly rest: { readonly path: string } }[];
}

export async function measureMcp(databases: Databases, { rounds, requests }: McpOptions): Promise<Line[]> {
  const databaseUrl = await databases.fresh('mcp');
  const service = await startService(databaseUrl);
  const client = createClient(service.url, CONNECTIONS);
  const numbers = await pushed(service.url, await addProvider(databaseUrl));
  const manifest = JSON.parse((await client.send('GET', '/api/.well-known/ai-tools.json')).body.toString()) as Manifest;
  const path = manifest.tools.find(({ name }) => name === TOOL)!.rest.path;
  const message = (method: string, params: object) => ({
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
  });
  const kinds = {
    rest: (number: string) => ['GET', path.replace(/\{\w+\}/, number)] as const,
    call: (number: string) =>
      ['POST', '/mcp', message('tools/call', { name: TOOL, arguments: { tracking_number: number } })] as const,
    capabilities: () => ['GET', '/api/ai/capabilities'] as const,
    list: () => ['POST', '/mcp', message('tools/list', {})] as const,
  };
  const figures: Record<keyof typeof kinds, number[]> = { rest: [], call: [], capabilities: [], list: [] };
  for (let round = -1; round < rounds; round++) {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const rate = await measure(
        client,
        Array.from({ length: requests * 5 }, (_one, index) => kinds[kind](numbers[index % numbers.length]!)),
      );
      if (round >= 0) figures[kind].push(rate);
    }
  }
  client.close();
  await service.stop();
  const line = (name: string, kind: 'call' | 'list', peer: 'rest' | 'capabilities', of: string): Line => ({
    name,
    value: `${count(median(figures[kind]))}/s`,
    ratio: median(figures[kind]) / median(figures[peer]),
    reference: `${count(median(figures[peer]))}/s ${of}`,
    goal: '0.2',
  });
  return [
    line(`MCP tools/call (${TOOL})`, 'call', 'rest', 'the same read over REST'),
    line('MCP tools/list', 'list', 'capabilities', '/api/ai/capabilities'),
  ];
}

async function pushed(url: string, key: string): Promise<string[]> {
  const client = createClient(url, 1, key);
  const numbers = Array.from({ length: 20 }, nextNumber);
  const { headers } = await client.send('POST', '/api/v1/otep/ingest', {
    body: Buffer.from(JSON.stringify({ timelines: numbers.map((number) => timelineOf(number, 10)) })),
  });
  await client.send('GET', `/api/v1/otep/trackings/${numbers.at(-1)}`, {
    headers: { 'x-event-position': headers['x-event-position'] as string },
  });
  client.close();
  return numbers;
}

async function measure(
  client: Client,
  requests: readonly (readonly [string, string, { body?: Buffer }?])[],
): Promise<number> {
  const took = await seconds(() =>
    inParallel(requests, CONNECTIONS, async ([method, path, options]) => {
      const { status, body } = await client.send(method, path, options);
      if (status !== 200 || body.includes('"isError":true'))
        throw new Error(`${status} ${body.toString().slice(0, 300)}`);
    }),
  );
  return requests.length / took;
}
