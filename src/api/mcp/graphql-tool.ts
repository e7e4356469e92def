/**
 * run_graphql_query: any query or mutation, each operation in it with its own scopes, confirmation, dry run and
 * approval.
 */
import { z } from 'zod';
import { USER_ROLES } from '../../events/accounts/events.js';
import { ApiError } from '../core/errors.js';
import type { RunGraphQL } from '../graphql/run.js';
import type { Invoke } from '../core/invoke.js';
import { operation } from '../core/operation.js';
import type { ToolDefinition } from './definition.js';
import { Queued } from './safety.js';
import { toolOf, type Tool } from './tool.js';

const definition: ToolDefinition = {
  name: 'run_graphql_query',
  title: 'Run a GraphQL query',
  category: 'discovery',
  operation: 'runGraphqlQuery',
  description:
    'Execute a query or a mutation against the GraphQL API. What it calls needs the same scopes, confirm=true and approvals as the tool of the same operation.',
};

/** `execute` answers as `/api/graphql` does, but calls operations through the given `invoke`. */
export function graphqlTool(execute: RunGraphQL): Tool {
  const input = z.object({
    query: z.string().min(1).max(20_000).describe('The GraphQL document.'),
    variables: z.record(z.string().max(128), z.unknown()).optional().describe('Its variables, by name.'),
    operation_name: z
      .string()
      .max(128)
      .optional()
      .describe('Which operation of the document; needed where it has several.'),
    confirm: z.boolean().optional().describe('Must be true where an operation in it needs confirmation.'),
  });
  const shown = operation({
    name: definition.operation,
    tag: 'Agents',
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
      return {
        result: await execute({ query, variables, operationName: operation_name }, call, ofAgents(invoke)),
        position: undefined,
      };
    },
  };
}

/** It came through MCP; and an operation that became a proposal has no answer that a document could select from. */
const ofAgents =
  (invoke: Invoke): Invoke =>
  (operation, input, call) =>
    invoke(operation, input, { ...call, channel: 'mcp' }).catch((thrown: unknown) => {
      if (!(thrown instanceof Queued)) throw thrown;
      throw new ApiError('QUEUED_FOR_APPROVAL', {
        params: { proposal: String((thrown.answered.result as { proposal_id: string }).proposal_id) },
      });
    });
