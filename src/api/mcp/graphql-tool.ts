/**
 * run_graphql_query: runs any query or mutation. Scopes, confirmation, dry run and approval apply to each of its
 * operations separately.
 */
import { z } from 'zod';
import { USER_ROLES } from '../../events/accounts/events.js';
import { ApiError } from '../core/errors.js';
import type { RunGraphQL } from '../graphql/run.js';
import type { Invoke } from '../core/invoke.js';
import { operation } from '../core/operation.js';
import type { ToolDefinition } from './definition.js';
import { QueuedForApproval } from './safety.js';
import { toolOf, type Tool } from './tool.js';

const definition: ToolDefinition = {
  name: 'run_graphql_query',
  title: 'Run a GraphQL query',
  category: 'discovery',
  operation: 'runGraphqlQuery',
  description:
    'Execute a GraphQL query or mutation. Each operation requires the same scopes, confirm=true and approval as its tool.',
};

/** `execute` returns the response of `/api/graphql`, but calls operations through the given `invoke`. */
export function graphqlTool(execute: RunGraphQL): Tool {
  const input = z.object({
    query: z
      .string()
      .min(1)
      .max(20_000)
      .describe('GraphQL document.')
      .meta({ examples: ['{ me { result } }'] }),
    variables: z.record(z.string().max(128), z.unknown()).optional().describe('Variables of the document, by name.'),
    operation_name: z.string().max(128).optional().describe('Operation to run, if there are several.'),
    confirm: z.boolean().optional().describe('Must be true if an operation requires it.'),
  });
  const shown = operation({
    name: definition.operation,
    area: 'Agents',
    summary: definition.title,
    rest: { method: 'post', path: '/graphql' },
    callers: USER_ROLES,
    risk: 'medium',
    writes: true,
    input,
    output: z.looseObject({}),
    run: () => Promise.reject(new ApiError('INTERNAL')),
  });
  return {
    ...toolOf(definition, shown),
    async run(args, { call, invoke }) {
      const { query, variables, operation_name } = args as {
        query: string;
        variables?: Record<string, unknown>;
        operation_name?: string;
      };
      // GraphQL reads the key from the header and derives a separate key for each write of the document.
      const header = (name: string) => (name === 'idempotency-key' ? call.idempotencyKey : call.header(name));
      const keyed = { ...call, header };
      return {
        result: await execute({ query, variables, operationName: operation_name }, keyed, ofAgents(invoke)),
        position: undefined,
      };
    },
  };
}

/**
 * Sets the channel MCP. An operation that became a proposal throws an error, because it has no response that the
 * document could select from.
 */
const ofAgents =
  (invoke: Invoke): Invoke =>
  (operation, input, call) =>
    invoke(operation, input, { ...call, channel: 'mcp' }).catch((thrown: unknown) => {
      if (!(thrown instanceof QueuedForApproval)) throw thrown;
      const { message: _message, ...queued } = thrown.answered.result as Record<string, unknown>;
      throw new ApiError('QUEUED_FOR_APPROVAL', {
        params: { proposal: String(queued['proposal_id']), url: String(queued['url']) },
        members: { proposal: queued },
      });
    });
