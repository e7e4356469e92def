/** Tools whose calls can be proposed. */
import { ApiError } from '../../core/errors.js';
import type { Operation } from '../../core/operation.js';

/** A tool of the MCP catalogue. */
export interface Proposable {
  readonly title: string;
  readonly operation: Operation;
  /** Checks arguments and turns them into the input of the operation; throws INVALID_INPUT. */
  readonly inputOf: (args: Record<string, unknown>) => Record<string, unknown>;
  /** Set for a tool that does not simply call one operation, such as a GraphQL query. It cannot be proposed. */
  readonly run?: unknown;
}

/** The error for an unknown tool. It lists the tools that can be proposed. */
export const unknownTool = (tool: string, known: readonly string[]): ApiError =>
  new ApiError('UNKNOWN_TOOL', {
    params: { tool },
    errors: [
      {
        field: 'tool',
        path: '/tool',
        code: 'UNKNOWN_TOOL',
        params: { tool, known: known.join(', ') },
        says: 'TOOL_NOT_AMONG',
      },
    ],
  });
