/**
 * Calls a tool: checks its arguments, calls the operation with the safety settings of the connection, and formats the
 * result.
 */
import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { DryRun } from '../../commands/core/handle.js';
import { canonical } from '../../events/tree/canonical.js';
import { ApiError } from '../core/errors.js';
import { chooseLanguage } from '../core/messages/index.js';
import type { Call } from '../core/call.js';
import type { OperationResult } from '../core/operation.js';
import type { Parts } from '../core/parts.js';
import { toApiError } from '../core/problem.js';
import type { Connection } from './connection.js';
import { failureOf, ofValue, resultOf, withMarks } from './results.js';
import { withSafetyChecks, QueuedForApproval, type Safety } from './safety.js';
import { authorizeTool, type Tool } from './tool.js';

export interface CallToolOptions extends Parts<'invoke' | 'baseUrl'> {
  readonly propose: Safety['propose'];
  /** The name of the tool that calls an operation; undefined: there is none. */
  readonly toolOf: (operation: string) => string | undefined;
  readonly observe: (call: {
    readonly tool: string;
    readonly code: string | undefined;
    readonly seconds: number;
    readonly requestId: string;
    readonly cause?: unknown;
  }) => void;
}

export type CallTool = (tool: Tool, args: Record<string, unknown>, connection: Connection) => Promise<CallToolResult>;

/** Never throws: an error becomes a result that describes it. */
export function createCallTool({ invoke, propose, toolOf, baseUrl, observe }: CallToolOptions): CallTool {
  return async (tool, args, connection) => {
    const started = performance.now();
    const requestId = connection.nextRequestId();
    const done = (error?: ApiError) =>
      observe({
        tool: tool.name,
        code: error?.code,
        seconds: (performance.now() - started) / 1_000,
        requestId,
        ...(error?.cause !== undefined && { cause: error.cause }),
      });
    try {
      const result = await run(tool, args, connection, requestId);
      done();
      return result;
    } catch (thrown) {
      const error = toApiError(thrown);
      done(error);
      return failureOf(error, {
        language: chooseLanguage(connection.call.header('accept-language')),
        requestId,
        baseUrl: baseUrl(),
        toolOf,
      });
    }
  };

  async function run(
    tool: Tool,
    args: Record<string, unknown>,
    connection: Connection,
    requestId: string,
  ): Promise<CallToolResult> {
    authorizeTool(tool, connection.caller);
    const { checked, input } = tool.read(args);
    const { idempotency_key: key, dry_run: isDryRun } = tool.operation.writes ? (checked as WriteArguments) : {};
    const project = tool.project?.(checked['fields'] as string | undefined);
    const dryRun: DryRun | undefined =
      tool.operation.writes && (connection.dryRun || isDryRun === true) ? [] : undefined;
    const call: Call = {
      ...connection.call,
      caller: connection.caller,
      requestId,
      ...(key !== undefined && { idempotencyKey: key }),
      fingerprint: () => fingerprintOf(tool, args),
    };
    const safe = withSafetyChecks(invoke, {
      confirmed: checked['confirm'] === true,
      requireApproval: connection.requireApproval,
      // A GraphQL document calls other operations than that of its tool.
      ...(tool.run && { countHighRisk: connection.countHighRisk }),
      propose,
      ...(dryRun && { dryRun }),
    });
    try {
      const read = (given: Record<string, unknown>) =>
        tool.run
          ? tool.run(checked, { connection, call, invoke: safe, dryRun })
          : safe(tool.operation, () => given, call);
      const answered = await read(input);
      if (dryRun) return preview(tool, answered, dryRun);
      if (!project) return withLink(resultOf(answered, tool.findUserText), tool, connection);
      let { shown, fitting } = project(answered.result, checked);
      while (fitting !== undefined)
        ({ shown, fitting } = project((await read({ ...input, per_page: fitting })).result, checked));
      return resultOf({ ...answered, result: shown }, tool.findUserText);
    } catch (thrown) {
      if (thrown instanceof QueuedForApproval) return resultOf(thrown.answered);
      // The error names the tool, because an agent does not know the operation that the tool calls.
      if (thrown instanceof ApiError && thrown.code === 'CONFIRM_REQUIRED')
        throw new ApiError('CONFIRM_REQUIRED', { params: { operation: tool.name } });
      throw key === undefined ? thrown : namingArgument(thrown);
    }
  }
}

/** The first version of the protocol with resource links. Clients of older versions reject them. */
const LINK_VERSION = '2025-06-18';

/** Adds a resource link for the URL of a file. The URL is also in the structured content. */
function withLink(result: CallToolResult, { link }: Tool, { call }: Connection): CallToolResult {
  const uri = link && (result.structuredContent as Record<string, unknown>)[link.member];
  const version = call.header('mcp-protocol-version') ?? '';
  if (!link || typeof uri !== 'string' || version < LINK_VERSION) return result;
  const { name, mimeType } = link;
  return { ...result, content: [...result.content, { type: 'resource_link', uri, name, mimeType }] };
}

interface WriteArguments {
  readonly idempotency_key?: string;
  readonly dry_run?: boolean;
}

/** Renames the header in errors of an idempotency key to the argument that the agent passed. */
function namingArgument(thrown: unknown): unknown {
  if (!(thrown instanceof ApiError) || !thrown.errors.some(({ field }) => field === 'idempotency-key')) return thrown;
  const { code, params, says, headers, members, cause } = thrown;
  const errors = thrown.errors.map((error) =>
    error.field === 'idempotency-key' ? { ...error, field: 'idempotency_key', path: '/idempotency_key' } : error,
  );
  return new ApiError(code, { params, ...(says !== undefined && { says }), headers, members, cause, errors });
}

/**
 * The same tool with the same arguments is the same request, in any JSON formatting. The key itself is not part of the
 * fingerprint.
 */
function fingerprintOf(tool: Tool, { idempotency_key: _key, ...args }: Record<string, unknown>): Buffer {
  return createHash('sha256')
    .update(`${tool.name}\n${canonical(args)}`)
    .digest();
}

/** The result of a dry run: the response of the write, and the events that were not appended. */
function preview(tool: Tool, { result }: OperationResult, dryRun: DryRun): CallToolResult {
  const { structuredContent = {} } = resultOf({ result, position: undefined });
  const events = eventsOf(dryRun);
  const converted = ofValue({
    dry_run: true,
    requires_confirm: tool.confirm,
    note: 'Nothing was changed. Ids and tracking numbers of new resources are examples: the real call assigns others.',
    would_append: events,
    would_answer: structuredContent,
  });
  const members = tool.findUserText(structuredContent).map((path) => `would_answer.${path}`);
  return withMarks(converted, [...(events.length > 0 ? ['would_append[].data'] : []), ...members]);
}

export const eventsOf = (dryRun: DryRun): Record<string, unknown>[] =>
  dryRun.map(({ stream, fact }) => ({ stream, type: fact.type.type, data: fact.data }));
