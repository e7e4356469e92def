/** Tools whose calls can be proposed. */
import { ApiError, explainedError, insideOf } from '../../core/errors.js';
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

/** The input of the tool's operation; throws INVALID_INPUT for members of `arguments`. */
export function argumentsOf(tool: Proposable, args: Record<string, unknown>): Record<string, unknown> {
  try {
    return tool.inputOf(args);
  } catch (error) {
    throw error instanceof ApiError ? insideOf(error, '/arguments') : error;
  }
}

/** Lists the tools that can be proposed. */
export const unknownTool = (tool: string, known: readonly string[]): ApiError =>
  explainedError('UNKNOWN_TOOL', 'TOOL_NOT_AMONG', 'tool', { params: { tool, known: known.join(', ') } });
