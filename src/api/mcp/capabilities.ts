/** get_capabilities: the tools that this connection can call now, and its safety settings. */
import { z } from 'zod';
import { EVERYBODY, isUser } from '../core/callers.js';
import { operation } from '../core/operation.js';
import { CATEGORIES, type ToolDefinition } from './definition.js';
import { PROTOCOL_VERSIONS } from './protocol.js';
import { toolOf, type Tool } from './tool.js';

const definition: ToolDefinition = {
  name: 'get_capabilities',
  title: 'Get capabilities',
  category: 'discovery',
  operation: 'capabilities',
  description:
    'List the tools that this connection can call now, with risk, scopes and whether confirm=true is required. Call it first.',
};

/** `allowed`: the tools of the connection, including this one. */
export function capabilitiesTool(allowed: (context: Parameters<NonNullable<Tool['run']>>[1]) => readonly Tool[]): Tool {
  const input = z.object({});
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
    run(_args, context) {
      const { caller, profile, dryRun, requireApproval, server } = context.connection;
      const tools = allowed(context).map(
        ({ name, title, category, risk, scopes, confirm, public: isPublic, operation: { writes = false } }) => ({
          name,
          title,
          category,
          risk,
          scopes,
          confirm,
          auth: isPublic ? 'public' : 'required',
          read_only: !writes,
        }),
      );
      const result = {
        server,
        count: tools.length,
        tools,
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
      return Promise.resolve({ result, position: undefined });
    },
  };
}
