/** get_capabilities: the tools that this connection can call now, and its safety settings. */
import { z } from 'zod';
import { EVERYBODY, isUser, type Caller } from '../core/callers.js';
import { operation } from '../core/operation.js';
import { PROFILE_NAMES } from '../core/scopes.js';
import { CATEGORIES, type ToolDefinition } from './definition.js';
import { PROTOCOL_VERSIONS, type ServerName } from './protocol.js';
import { furtherProfiles } from './step-up.js';
import { toolOf, type Tool } from './tool.js';

/** The gate reads this argument: a connection by OAuth that lacks scopes of the profile gets 403. */
export const REQUEST_PROFILE = 'request_profile';

const definition: ToolDefinition = {
  name: 'get_capabilities',
  title: 'Get capabilities',
  category: 'discovery',
  operation: 'capabilities',
  description:
    'List the tools that this connection can call now, with risk, scopes and whether confirm=true is required. Call it first.',
  arguments: { [REQUEST_PROFILE]: { description: 'Ask the user for the tools of a profile in `more`.' } },
};

/** `allowed`: the tools of a caller, including this one. */
export function capabilitiesTool(allowed: (server: ServerName, caller: Caller) => readonly Tool[]): Tool {
  const input = z.object({ [REQUEST_PROFILE]: z.enum(PROFILE_NAMES).optional() });
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
      const { caller, profile, dryRun, requireApproval, server, call } = context.connection;
      const further = furtherProfiles(caller, call.header, (one) => allowed(server, one));
      const tools = allowed(server, caller).map(
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
        ...(further.length > 0 && {
          more: {
            how: `Call get_capabilities with ${REQUEST_PROFILE}. The host asks the user. Then list the tools again.`,
            profiles: further,
          },
        }),
        categories: Object.entries(CATEGORIES)
          .filter(([id]) => tools.some(({ category }) => category === id))
          .map(([id, title]) => ({ id, title })),
        protocol_versions: PROTOCOL_VERSIONS,
      };
      return Promise.resolve({ result, position: undefined });
    },
  };
}
