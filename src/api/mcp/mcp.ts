/** The two MCP servers, which give agents access to the operations. */
import type { Request } from 'express';
import type { Operation } from '../core/operation.js';
import { createCallTool } from './call-tool.js';
import type { Catalogue } from './catalogue.js';
import type { McpStreams } from '../../engines/postgres/mcp-streams.js';
import type { SharedCounts } from '../../engines/postgres/shared-counts.js';
import type { Subscriptions } from '../core/subscriptions.js';
import type { Parts } from '../core/parts.js';
import { createQuota, type RateLimitOptions } from '../core/rate-limit.js';
import { createGate } from './gate.js';
import { createOldTransport } from './old-transport.js';
import { knownOrigin } from './origins.js';
import { pathsOf, SERVERS, type ServerName } from './protocol.js';
import { mcpRoutes } from './routes.js';
import { createMcpServing } from './server.js';

export interface McpViewOptions extends Parts<'invoke' | 'authenticate' | 'now' | 'baseUrl' | 'version' | 'logger'> {
  readonly catalogue: Catalogue;
  /** The operation that replaces a high-risk write on a connection that requires approval. */
  readonly queue: Operation;
  readonly streams: McpStreams;
  readonly subscriptions: Subscriptions;
  /** Requests per second and client, as in REST. */
  readonly rateLimit: RateLimitOptions;
  /** Additional web origins that may call the servers. */
  readonly origins: readonly string[];
  readonly counts: SharedCounts;
}

export type McpView = ReturnType<typeof createMcpView>;

/** Quota of high-risk calls, which limits the damage of a malfunctioning agent: a twentieth of the write quota. */
const highRiskOf = (writes: number): number => Math.max(1, Math.floor(writes / 20));

const ADDRESSES: ReadonlySet<string> = new Set((Object.keys(SERVERS) as ServerName[]).flatMap(pathsOf));

export function createMcpView({
  catalogue,
  invoke,
  queue,
  authenticate,
  streams,
  subscriptions,
  rateLimit,
  origins,
  counts,
  now,
  baseUrl,
  version,
  logger,
}: McpViewOptions) {
  const callTool = createCallTool({
    invoke,
    baseUrl,
    toolOf: (operation) => catalogue.ofOperation(operation)?.name,
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
    // Logs the tool and the outcome, but no arguments, because they may contain personal data.
    observe: ({ cause, seconds, ...call }) => {
      const logEntry = { ...call, ms: Math.round(seconds * 1_000) };
      if (call.code === 'INTERNAL' || call.code === 'UNAVAILABLE')
        logger.error({ ...logEntry, err: cause }, 'tool call failed');
      else logger.debug(logEntry, 'tool call');
    },
  });
  const serving = createMcpServing({ catalogue, callTool, version });
  const quotas = {
    messages: createQuota('mcp', rateLimit.read, counts),
    highRisk: createQuota('mcp-high-risk', highRiskOf(rateLimit.write), counts),
  };
  const gate = createGate({ catalogue, authenticate, now, quotas });
  const oldTransport = createOldTransport({
    streams,
    subscriptions,
    authenticate,
    serving,
    baseUrl,
    onError: (error) => logger.error({ err: error }, 'response not delivered to its stream'),
  });
  const mayAsk = (request: Request): boolean => knownOrigin(request, baseUrl(), origins);
  const router = mcpRoutes({
    serving,
    gate,
    authenticate,
    oldTransport,
    isAllowedOrigin: mayAsk,
    baseUrl,
    count: quotas.messages,
    onError: (error, requestId) => logger.error({ requestId, code: error.code, err: error.cause }, 'request failed'),
  });
  return {
    router,
    /** Whether the origin of a request may call its path. All paths outside of the MCP servers allow every origin. */
    mayAsk: (request: Request): boolean => !ADDRESSES.has(request.path) || mayAsk(request),
    close: (): Promise<unknown> => Promise.all([serving.close(), streams.close()]),
  };
}
