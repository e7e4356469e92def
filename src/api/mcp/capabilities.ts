/** get_capabilities: the tools that this connection can call or propose now, and its safety settings. */
import { z } from 'zod';
import { EVERYBODY, isUser, type Caller } from '../core/callers.js';
import { operation } from '../core/operation.js';
import { PROFILE_NAMES } from '../core/scopes.js';
import { unknownTool } from '../core/unknown-tool.js';
import { CATEGORIES, type ToolDefinition } from './definition.js';
import { PROTOCOL_VERSIONS, type ServerName } from './protocol.js';
import { furtherProfiles, type FurtherProfile } from './step-up.js';
import { toolOf, type Tool, type ToolContext } from './tool.js';

/** The gate reads this argument: a connection by OAuth that lacks scopes of the profile gets 403. */
export const REQUEST_PROFILE = 'request_profile';

const definition: ToolDefinition = {
  name: 'get_capabilities',
  title: 'Get capabilities',
  category: 'discovery',
  operation: 'capabilities',
  description:
    'List the tools that this connection can call now or propose, with risk, scopes, arguments for propose_write, and whether confirm=true is required. Call it first.',
  arguments: {
    [REQUEST_PROFILE]: { description: 'Asks the user to allow a profile listed in `more` of the response.' },
  },
};

export interface CapabilitiesOptions {
  /** The tools of a caller, including this one. */
  readonly allowed: (server: ServerName, caller: Caller) => readonly Tool[];
  /** The tools whose calls the connection can propose. */
  readonly proposable: (context: ToolContext) => readonly Tool[];
}

export function capabilitiesTool({ allowed, proposable }: CapabilitiesOptions): Tool {
  const input = z.object({
    tool: z.string().min(1).max(64).optional().describe('Return only this tool, with its complete input schema.'),
    [REQUEST_PROFILE]: z.enum(PROFILE_NAMES).optional(),
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
      const { server, caller, call } = context.connection;
      const tools = allowed(server, caller);
      const names = new Set(tools.map(({ name }) => name));
      const others = proposable(context).filter(({ name }) => !names.has(name));
      const further = furtherProfiles(caller, call.header, (one) => allowed(server, one));
      const result =
        tool === undefined ? summaryOf(tools, { others, further }, context) : detailsOf(String(tool), tools, others);
      return Promise.resolve({ result, position: undefined });
    },
  };
}

interface FurtherTools {
  /** Tools that the connection can only propose. */
  readonly others: readonly Tool[];
  /** Profiles that add tools. */
  readonly further: readonly FurtherProfile[];
}

function summaryOf(tools: readonly Tool[], { others, further }: FurtherTools, { connection }: ToolContext) {
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
    ...(further.length > 0 && {
      more: {
        how: `Call get_capabilities with ${REQUEST_PROFILE}. The host asks the user. After that, list the tools again.`,
        profiles: further,
      },
    }),
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
