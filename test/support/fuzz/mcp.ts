/** Messages to the MCP servers, generated from the listed tools and their schemas. */
import type { Random } from './random.js';
import { generate, type KnownValues, type Schema } from './generate.js';
import { oddValue, mutate, type Json } from './unusual-values.js';
import { bodyOf, oddHeaders, packed, type RequestGenerator } from './request.js';

export interface McpTool {
  readonly path: string;
  readonly name: string;
  readonly inputSchema: Schema;
}

const METHODS = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/read',
  'completion/complete',
  'logging/setLevel',
  'notifications/initialized',
  'notifications/cancelled',
  'tasks/list',
  'constructor',
  '',
] as const;
const VERSIONS = ['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28', '1.0', ''];

export function mcpRequests(
  tools: readonly McpTool[],
  { paths, known, callers }: { paths: readonly string[]; known: KnownValues; callers: readonly (string | undefined)[] },
): RequestGenerator {
  const message = (random: Random, { name, inputSchema }: McpTool): Json => {
    const method = random.below(4) > 0 ? 'tools/call' : random.pick(METHODS);
    const args = generate(inputSchema, random, known);
    if (typeof args === 'object' && args !== null && random.oneIn(3)) Object.assign(args, { confirm: true });
    const params =
      method === 'tools/call'
        ? { name, arguments: random.below(3) > 0 ? args : mutate(args, random) }
        : method === 'initialize'
          ? { protocolVersion: random.pick(VERSIONS), capabilities: {}, clientInfo: { name: 'x', version: '1' } }
          : { cursor: random.pick(['', 'x', null]), uri: 'x', level: 'debug' };
    const whole = { jsonrpc: '2.0', id: random.pick([1, 'a', 2 ** 40, null, -1.5]), method, params };
    return random.oneIn(5) ? mutate(whole, random) : whole;
  };

  return (random) => {
    const tool = random.pick(tools);
    const value = random.oneIn(20)
      ? Array.from({ length: random.pick([0, 2, 3, 60]) }, () => message(random, random.pick(tools)))
      : random.oneIn(40)
        ? oddValue(random)
        : message(random, tool);
    return packed(
      {
        name: `mcp ${tool.name}`,
        method: random.oneIn(40) ? random.pick(['GET', 'DELETE', 'PUT', 'OPTIONS']) : 'POST',
        path: random.oneIn(5) ? random.pick(paths) : tool.path,
        caller: random.pick(callers),
        headers: {
          'content-type': 'application/json',
          ...(random.oneIn(6) && { 'mcp-protocol-version': random.pick(VERSIONS) }),
          ...oddHeaders(random),
        },
        body: bodyOf(value, random),
      },
      random,
    );
  };
}
