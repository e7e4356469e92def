/** The `api` role: serves REST, GraphQL, MCP, sign-in and HTML pages on top of the operations. */
import type { RequestListener } from 'node:http';
import { createAuthenticate } from '../api/core/authenticate.js';
import { createRefusalLimit } from '../api/core/uncounted-requests.js';
import { createSubscriptions } from '../api/core/subscriptions.js';
import { readiness } from '../api/core/health.js';
import { discoveryRouter } from '../api/discovery/router.js';
import { graphqlDocument } from '../api/discovery/graphql-document.js';
import { createGraphQL } from '../api/graphql/graphql.js';
import { createRunGraphQL } from '../api/graphql/run.js';
import { asyncApi } from '../api/kafka/asyncapi.js';
import { createCatalogue, type Catalogue } from '../api/mcp/catalogue.js';
import { graphqlTool } from '../api/mcp/graphql-tool.js';
import { createMcpView } from '../api/mcp/mcp.js';
import { createOAuth } from '../api/oauth/oauth.js';
import { approvalsPage } from '../api/pages/approvals.js';
import { createPages } from '../api/pages/pages.js';
import { createApp } from '../api/rest/app.js';
import { openApi } from '../api/rest/openapi.js';
import type { Limit } from '../api/core/rate-limit.js';
import { accounts } from '../areas/accounts.js';
import { agents } from '../areas/agents.js';
import { approvals } from '../areas/approvals.js';
import type { Stop } from '../areas/area.js';
import { providers } from '../areas/providers.js';
import { createMcpStreams } from '../engines/postgres/mcp-streams.js';
import { createPublicFetch } from '../engines/public-fetch.js';
import { feedsOf, type ProcessContext } from './areas.js';

export interface Api {
  readonly listener: RequestListener;
  readonly catalogue: Catalogue;
  /** Deletes expired rows from its tables. */
  readonly sweep: () => Promise<unknown>;
  /** Ends open streams. Call it before the server is drained. */
  readonly stopStreams: Stop;
  readonly close: Stop;
}

export function createApi(context: ProcessContext, limit: Limit, isPrepared: () => boolean): Api {
  const { config, engines, metrics, logger, now, baseUrl, version, invoke, streams, counts, allowance } = context;
  const { log, pool, projectionPool } = engines;
  const { areas, followers, tools } = context.registry;
  const operations = context.operations();
  const feeds = feedsOf(context, areas);
  const { queries: accountQueries, logins } = context.of(accounts);
  const oauth = createOAuth({
    pool,
    engines,
    logins,
    accounts: accountQueries,
    limit,
    allowance,
    baseUrl,
    trustProxy: config.trustProxy !== false,
    fetch: createPublicFetch({ allowPrivate: config.webhooks.allowPrivate }),
  });
  const authenticate = createAuthenticate(context.of(providers).queries, accountQueries, oauth.callerOf);
  const document = () => openApi({ operations, feeds, baseUrl: baseUrl() });
  const refusalLimit = createRefusalLimit(limit);
  const pages = createPages({
    refusalLimit,
    ready: () => readiness({ log, pool: projectionPool, now, followers, isPrepared }),
    registry: metrics.registry,
    openApi: document,
    asyncApi: () => asyncApi({ areas: streams, prefix: config.kafka.topicPrefix, mode: config.kafka.mode }),
  });
  const subscriptions = createSubscriptions(authenticate);
  const graphql = createGraphQL({
    operations,
    authenticate,
    limit,
    invoke,
    feeds,
    subscriptions,
    explorer: !config.production,
    logger,
  });
  const catalogue = createCatalogue({
    operations,
    added: tools,
    more: [graphqlTool(createRunGraphQL(graphql.schema, logger))],
  });
  const { queue } = context.of(approvals);
  const mcpStreams = createMcpStreams(pool, engines.vault, engines.limits);
  const mcp = createMcpView({
    catalogue,
    invoke,
    queue,
    authenticate,
    streams: mcpStreams,
    subscriptions,
    rateLimit: config.rateLimit,
    origins: config.mcpOrigins,
    counts,
    now,
    baseUrl,
    version,
    logger,
  });
  const discovery = discoveryRouter({
    refusalLimit,
    catalogue,
    openApi: document,
    graphql: () => graphqlDocument(graphql.schema(), catalogue),
    skill: context.of(agents).skill,
    baseUrl,
    version,
  });
  const servesApi = config.roles.includes('api');
  const listener = createApp({
    operations: servesApi ? operations : [],
    feeds: servesApi ? feeds : [],
    subscriptions,
    views: servesApi ? [oauth.router, approvalsPage(refusalLimit), mcp.router, graphql.router, discovery] : [],
    pages,
    refusalLimit,
    isAllowedOrigin: mcp.mayAsk,
    trustProxy: config.trustProxy,
    logger,
    accessLogged: config.accessLog,
    observe: metrics.observeRequest,
    authenticate,
    limit,
    invoke,
    baseUrl,
  });
  return {
    listener,
    catalogue,
    sweep: () => Promise.all([oauth.sweep(), mcpStreams.sweep()]),
    stopStreams: async () => subscriptions.stop(),
    close: () => mcp.close(),
  };
}
