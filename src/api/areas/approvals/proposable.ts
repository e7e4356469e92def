/** Tools whose calls can be proposed. */
import { ApiError, withPathPrefix } from '../../core/errors.js';
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

/** The input of the tool's operation; throws INVALID_INPUT for members of `arguments`. */
export function argumentsOf(tool: Proposable, args: Record<string, unknown>): Record<string, unknown> {
  try {
    return tool.inputOf(args);
  } catch (error) {
    throw error instanceof ApiError ? withPathPrefix(error, '/arguments') : error;
  }
}
