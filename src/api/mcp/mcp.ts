/** Both MCP servers, put together: one more view of the operations. */
import type { Router } from 'express';
import type { Logger } from 'pino';
import type { Authenticate } from '../core/authenticate.js';
import type { Operation } from '../core/operation.js';
import type { Invoke } from '../core/invoke.js';
import { createCallTool } from './call-tool.js';
import type { Catalogue } from './catalogue.js';
import type { McpStreams } from '../../engines/postgres/mcp-streams.js';
import type { Following } from '../core/following.js';
import { createGate } from './gate.js';
import { createOldTransport } from './old-transport.js';
import { mcpRoutes } from './routes.js';
import { createMcpServing } from './server.js';

export interface McpViewOptions {
  readonly catalogue: Catalogue;
  readonly invoke: Invoke;
  /** What a connection that asks for approvals does instead of a high-risk write. */
  readonly queue: Operation;
  readonly authenticate: Authenticate;
  readonly streams: McpStreams;
  readonly following: Following;
  /** Requests a second and client, as REST has them. */
  readonly rateLimit: { readonly read: number; readonly write: number };
  readonly now: () => number;
  readonly baseUrl: () => string;
  readonly version: string;
  readonly logger: Logger;
}

/** High-risk calls are what an agent run wild does harm with: a twentieth of the writes. */
const highRiskOf = (writes: number): number => Math.max(1, Math.floor(writes / 20));

export function createMcpView({
  catalogue,
  invoke,
  queue,
  authenticate,
  streams,
  following,
  rateLimit,
  now,
  baseUrl,
  version,
  logger,
}: McpViewOptions): { readonly router: Router; readonly close: () => Promise<unknown> } {
  const callTool = createCallTool({
    invoke,
    baseUrl,
    propose: (operation, input, call) =>
      invoke(
        queue,
        () => ({
          wanted: {
            tool: catalogue.ofOperation(operation.name)?.name ?? operation.name,
            operation,
            input,
            source: 'header',
          },
        }),
        call,
      ),
    // Who called what, and how it went; arguments may be about people.
    observe: ({ cause, seconds, ...call }) => {
      const told = { ...call, ms: Math.round(seconds * 1_000) };
      if (call.code === 'INTERNAL' || call.code === 'UNAVAILABLE')
        logger.error({ ...told, err: cause }, 'tool call failed');
      else logger.debug(told, 'tool call');
    },
  });
  const serving = createMcpServing({ catalogue, callTool, version });
  const gate = createGate({
    catalogue,
    authenticate,
    now,
    limits: { messages: rateLimit.read, highRisk: highRiskOf(rateLimit.write) },
  });
  const oldTransport = createOldTransport({
    streams,
    following,
    authenticate,
    serving,
    baseUrl,
    onError: (error) => logger.error({ err: error }, 'an answer did not reach its stream'),
  });
  const router = mcpRoutes({
    serving,
    gate,
    oldTransport,
    baseUrl,
    onError: (error, requestId) => logger.error({ requestId, code: error.code, err: error.cause }, 'request failed'),
  });
  return { router, close: () => Promise.all([serving.close(), streams.close()]) };
}
