/** Tools whose calls can be proposed. */
import { ApiError } from '../../core/errors.js';
import type { Operation } from '../../core/operation.js';

/** A tool by its name; the catalogue of MCP has them. */
export interface Proposable {
  readonly title: string;
  readonly operation: Operation;
  /** Checks arguments and turns them into the input of the operation; throws INVALID_INPUT. */
  readonly inputOf: (args: Record<string, unknown>) => Record<string, unknown>;
  /** Of a tool that is not an operation itself. */
  readonly run?: unknown;
}

/** Lists the tools that can be proposed. */
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
