/** Messages to the MCP servers, generated from the listed tools and their schemas. */
import type { Dice } from './dice.js';
import { generate, type Known, type Schema } from './generate.js';
import { oddValue, spoil, type Json } from './odd.js';
import { bodyOf, oddHeaders, packed, type Surface } from './request.js';

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

export function mcpSurface(
  tools: readonly McpTool[],
  { paths, known, callers }: { paths: readonly string[]; known: Known; callers: readonly (string | undefined)[] },
): Surface {
  const message = (dice: Dice, { name, inputSchema }: McpTool): Json => {
    const method = dice.below(4) > 0 ? 'tools/call' : dice.pick(METHODS);
    const args = generate(inputSchema, dice, known);
    if (typeof args === 'object' && args !== null && dice.once(3)) Object.assign(args, { confirm: true });
    const params =
      method === 'tools/call'
        ? { name, arguments: dice.below(3) > 0 ? args : spoil(args, dice) }
        : method === 'initialize'
          ? { protocolVersion: dice.pick(VERSIONS), capabilities: {}, clientInfo: { name: 'x', version: '1' } }
          : { cursor: dice.pick(['', 'x', null]), uri: 'x', level: 'debug' };
    const whole = { jsonrpc: '2.0', id: dice.pick([1, 'a', 2 ** 40, null, -1.5]), method, params };
    return dice.once(5) ? spoil(whole, dice) : whole;
  };

  return (dice) => {
    const tool = dice.pick(tools);
    const value = dice.once(20)
      ? Array.from({ length: dice.pick([0, 2, 3, 60]) }, () => message(dice, dice.pick(tools)))
      : dice.once(40)
        ? oddValue(dice)
        : message(dice, tool);
    return packed(
      {
        name: `mcp ${tool.name}`,
        method: dice.once(40) ? dice.pick(['GET', 'DELETE', 'PUT', 'OPTIONS']) : 'POST',
        path: dice.once(5) ? dice.pick(paths) : tool.path,
        caller: dice.pick(callers),
        headers: {
          'content-type': 'application/json',
          ...(dice.once(6) && { 'mcp-protocol-version': dice.pick(VERSIONS) }),
          ...oddHeaders(dice),
        },
        body: bodyOf(value, dice),
      },
      dice,
    );
  };
}
