/** get_capabilities: the tools that this connection can call or propose now, and its safety settings. */
import { z } from 'zod';
import { EVERYBODY, isUser } from '../core/callers.js';
import { operation } from '../core/operation.js';
import { unknownTool } from '../core/unknown-tool.js';
import { CATEGORIES, type ToolDefinition } from './definition.js';
import { PROTOCOL_VERSIONS } from './protocol.js';
import { toolOf, type Tool, type ToolContext } from './tool.js';

const definition: ToolDefinition = {
  name: 'get_capabilities',
  title: 'Get capabilities',
  category: 'discovery',
  operation: 'capabilities',
  description:
    'List the tools that this connection can call now or propose, with risk, scopes, arguments to propose and whether confirm=true is required. Call it first.',
};

export interface CapabilitiesOptions {
  /** The tools of the connection, including this one. */
  readonly allowed: (context: ToolContext) => readonly Tool[];
  /** The tools whose calls the connection can propose. */
  readonly proposable: (context: ToolContext) => readonly Tool[];
}

export function capabilitiesTool({ allowed, proposable }: CapabilitiesOptions): Tool {
  const input = z.object({
    tool: z.string().min(1).max(64).optional().describe('Return only this tool, with its complete input schema.'),
  });
  const shown = operation({
    name: definition.operation,
    area: 'Agents',
    summary: definition.title,
    rest: { method: 'get', path: '/ai/connection' },
    callers: EVERYBODY,
    input,
    output: z.looseObject({}),
    run: () => Promise.resolve({}),
  });
  return {
    ...toolOf(definition, shown),
    run({ tool }, context) {
      const tools = allowed(context);
      const names = new Set(tools.map(({ name }) => name));
      const others = proposable(context).filter(({ name }) => !names.has(name));
      const result = tool === undefined ? summaryOf(tools, others, context) : detailsOf(String(tool), tools, others);
      return Promise.resolve({ result, position: undefined });
    },
  };
}

function summaryOf(tools: readonly Tool[], others: readonly Tool[], { connection }: ToolContext) {
  const { caller, profile, dryRun, requireApproval, server } = connection;
  return {
    server,
    count: tools.length,
    tools: tools.map(entryOf),
    // Only tools that the connection cannot call: tools/list describes the arguments of all others.
    ...(others.length > 0 && { proposable: others.map(proposableOf) }),
    connection: {
      role: caller.role,
      scopes: isUser(caller) ? [...caller.scopes].sort() : [],
      profile: profile ?? null,
      dry_run: dryRun,
      require_approval: requireApproval,
    },
    categories: Object.entries(CATEGORIES)
      .filter(([id]) => tools.some(({ category }) => category === id))
      .map(([id, title]) => ({ id, title })),
    protocol_versions: PROTOCOL_VERSIONS,
  };
}

/** Throws UNKNOWN_TOOL for a tool that the connection can neither call nor propose. */
function detailsOf(name: string, tools: readonly Tool[], others: readonly Tool[]) {
  const found = [...tools, ...others].find((tool) => tool.name === name);
  if (!found)
    throw unknownTool(
      name,
      [...tools, ...others].map((tool) => tool.name),
      'TOOL_NEAREST',
    );
  return {
    tool: { ...entryOf(found), description: found.description, input_schema: found.complete() },
    // Its arguments go into `arguments` of propose_write, without confirm, dry_run and idempotency_key.
    propose_only: !tools.includes(found),
  };
}

const entryOf = ({ name, title, category, risk, scopes, confirm, public: isPublic, operation: { writes } }: Tool) => ({
  name,
  title,
  category,
  risk,
  scopes,
  confirm,
  auth: isPublic ? 'public' : 'required',
  read_only: writes !== true,
});

const proposableOf = ({ name, description, risk, proposed }: Tool) => ({
  name,
  description: description.replace(/(?<=\.) [\s\S]*$/, ''),
  risk,
  ...proposed(),
});
