/** The composition root: wires engines, commands, projections and interfaces by the roles of this process. */
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { createAuthenticate } from '../api/core/authenticate.js';
import { createOAuth } from '../api/oauth/oauth.js';
import { createPublicFetch } from '../engines/public-fetch.js';
import { discoveryRouter } from '../api/discovery/router.js';
import { agents } from '../api/areas/agents/operations.js';
import type { Operation } from '../api/core/operation.js';
import { approvals } from '../api/areas/approvals/operations.js';
import { createAuditReader } from '../api/areas/audit/reader.js';
import { readiness } from '../api/core/health.js';
import { createHttpServer } from '../api/rest/http-server.js';
import { asyncApi } from '../api/kafka/asyncapi.js';
import { createGraphQL } from '../api/graphql/graphql.js';
import { createCatalogue } from '../api/mcp/catalogue.js';
import { graphqlDocument } from '../api/discovery/graphql-document.js';
import { createRunGraphQL } from '../api/graphql/run.js';
import { graphqlTool } from '../api/mcp/graphql-tool.js';
import { createMcpView } from '../api/mcp/mcp.js';
import { createMetrics } from '../api/core/metrics.js';
import { openApi } from '../api/rest/openapi.js';
import { createOperations } from '../api/areas/operations.js';
import { createTimelineReader } from '../api/areas/trackings/timelines.js';
import { approvalsPage } from '../api/pages/approvals.js';
import { createPages } from '../api/pages/pages.js';
import { createApp } from '../api/rest/app.js';
import { createIdempotency } from '../api/core/idempotency.js';
import { createInvoke } from '../api/core/invoke.js';
import { createIds } from '../engines/postgres/ids.js';
import { createOrderBatchStore } from '../engines/postgres/order-batches.js';
import { createLogins } from '../engines/postgres/logins.js';
import { createTokens } from '../engines/postgres/tokens.js';
import { createApprovalQueries } from '../projections/approvals/queries.js';
import { createAccountQueries } from '../projections/accounts/queries.js';
import { createBatches, startBatchWorker, type BatchWork } from '../api/areas/orders/batches.js';
import { createPlace } from '../api/areas/orders/place.js';
import type { Outcome } from '../api/areas/orders/results.js';
import { createRateLimit } from '../api/rest/rate-limit.js';
import { AREAS, EVENT_TYPES, PROJECTIONS } from '../areas/index.js';
import { readCapture } from '../api/areas/captures/read.js';
import { createCapture } from '../commands/captures/capture.js';
import { createCommands, type Commands } from '../commands/commands.js';
import { startRepair } from '../commands/core/repair.js';
import type { Config } from '../config.js';
import { startKafka } from './kafka.js';
import { startOrderFollowers } from './order-followers.js';
import { createErasure, eraseAgain, startErasing } from './erasure.js';
import { raiseSequences } from './id-sequences.js';
import { inTime } from '../engines/in-time.js';
import { openEngines, type Engines } from '../engines/open.js';
import { releaseAll } from '../projections/core/checkpoints.js';
import { createAssignmentQueries } from '../projections/assignments/queries.js';
import { createAuditQueries } from '../projections/audit/queries.js';
import { createAuditProofs } from '../projections/tree/audit-proofs.js';
import { createCaptureQueries } from '../projections/captures/queries.js';
import { createPlanningQueries } from '../projections/contractors/queries.js';
import { createRouteQueries } from '../projections/routes/queries.js';
import { createDatabase } from '../projections/core/database.js';
import { createEpcisQueries } from '../projections/captures/epcis-queries.js';
import { lagOf } from '../projections/core/lag.js';
import { startNotary } from '../projections/tree/notary.js';
import { Progress } from '../projections/core/progress.js';
import { createOrderHistory } from '../projections/orders/history.js';
import { createOrderQueries } from '../projections/orders/queries.js';
import { createProviderQueries } from '../projections/providers/queries.js';
import { prepareProjections } from '../projections/rebuild/rebuild.js';
import { startRunner } from '../projections/core/runner.js';
import { createDirectory } from '../projections/trackings/directory.js';
import { createTrackingQueries } from '../projections/trackings/queries.js';
import type { Format } from '../serializers/format.js';
import { FORMATS } from '../serializers/index.js';
import { createWebhooks } from './webhooks.js';
import { startTracing } from '../tracing/tracing.js';

export interface Service {
  readonly baseUrl: string;
  readonly engines: Engines;
  readonly commands: Commands;
  readonly progress: Progress;
  /** Takes no new requests, finishes those under way, gives the leases back, closes the engines. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** What timelines are told in; the first one is meant where nobody asks for one. */
  readonly formats?: readonly Format[];
}

/** Of the API, as its OpenAPI document says. */
const VERSION = '1.0';
const REPAIRED_AT_ONCE = 100;
/** Proposals whose time is up are so at once; the event that says it may be this late. */
const EXPIRY_MS = 60_000;
const SWEEP_MS = 3_600_000;
/** So long each step of a stop may take; leases that are not given back then run out by themselves. */
const STEP_MS = 6_000;

export async function startService({
  config,
  logger,
  now = Date.now,
  formats = FORMATS,
}: ServiceOptions): Promise<Service> {
  const tracing = await startTracing(config.otlpEndpoint);
  const opened = await openEngines({ ...config, onDatabaseLine: (line) => logger.debug({ database: line }) });
  const engines = { ...opened, log: tracing.log(opened.log) };
  const { log, pool, projectionPool, aheadPool, keyRing } = engines;
  const closing: (() => Promise<unknown>)[] = [];
  try {
    await prepareProjections(PROJECTIONS, {
      log,
      pool: projectionPool,
      types: EVENT_TYPES,
      onProgress: (events) => logger.info({ events }, 'rebuilding a read model'),
    });
    const progress = new Progress(projectionPool, log);
    const ids = createIds(aheadPool);
    closing.unshift(
      await raiseSequences({
        ids,
        pool,
        log,
        progress,
        onError: (error) => logger.error({ err: error }, 'sequences of ids may be behind'),
      }),
    );
    const metrics = createMetrics({
      progress,
      projections: PROJECTIONS.map(({ name }) => name),
      lag: (name) =>
        lagOf(
          PROJECTIONS.find((projection) => projection.name === name)!,
          { log, pool: projectionPool, now },
        ),
    });
    const queries = createTrackingQueries(pool);
    const providers = createProviderQueries(pool);
    const database = createDatabase(pool);
    const accounts = createAccountQueries({ pool, database, keyRing });
    const captures = createCaptureQueries({ database, keyRing, log, progress });
    const directory = createDirectory({ queries, log, progress });
    const commands = createCommands({
      log,
      types: EVENT_TYPES,
      keyRing,
      now,
      traceparent: tracing.traceparent,
      directory,
    });
    const erasure = createErasure({ engines, commands, progress, directory });
    await eraseAgain(engines, erasure);
    const capture = createCapture({
      handle: commands.captures,
      ingest: commands.ingest,
      log,
      types: EVENT_TYPES,
      keyRing,
      directory: captures,
      read: readCapture,
    });

    const webhooks = createWebhooks({
      config: config.webhooks,
      engines,
      commands,
      progress,
      registry: metrics.registry,
      logger,
      now,
    });
    closing.unshift(async () => webhooks.close());

    if (config.roles.includes('projector')) {
      if (engines.embedded) await releaseAll(projectionPool);
      const runner = startRunner({
        log,
        pool: projectionPool,
        types: EVENT_TYPES,
        projections: PROJECTIONS,
        owner: engines.processId,
        progress,
        around: tracing.around,
        onError: (projection, error) => {
          metrics.projectionFailed(projection);
          logger.error({ projection, err: error }, 'projection failed, trying again');
        },
        onQuarantine: (projection, streams) => {
          metrics.quarantined(projection, streams.length);
          logger.error({ projection, streams }, 'streams left out: the fold could not take them');
        },
      });
      const repair = startRepair({
        unfinished: (millis) => captures.unfinished(new Date(millis).toISOString(), REPAIRED_AT_ONCE),
        finish: capture.resume,
        now,
        onError: (error, id) => logger.error({ capture: id, err: error }, 'a capture is not finished yet'),
      });
      const erasing = startErasing(erasure, {
        now,
        onError: (error, subject) => logger.error({ subject, err: error }, 'an erasure is not finished yet'),
      });
      closing.unshift(
        webhooks.start(),
        startOrderFollowers({ engines, commands, progress, logger }),
        () => runner.stop(),
        () => repair.stop(),
        () => erasing.stop(),
      );
      if (engines.signingKey) {
        const notary = startNotary({
          pool: projectionPool,
          signing: { key: engines.signingKey, baseUrl: config.baseUrl },
          onPublished: ({ size }) => logger.debug({ size }, 'head published'),
          onError: (error) => {
            metrics.projectionFailed('notary');
            logger.error({ err: error }, 'no head is published');
          },
        });
        closing.unshift(() => notary.stop());
      } else {
        logger.warn(
          'SIGNING_KEY is not set: no heads of the log are signed and published, so nobody can prove later what it was',
        );
      }
    }

    const place = createPlace({ orders: commands.orders, accounts });
    const batchStore = createOrderBatchStore<BatchWork, Outcome>(pool, engines.batchVault);
    let nudge = () => {};
    if (config.roles.includes('projector')) {
      const worker = startBatchWorker({
        store: batchStore,
        place,
        onError: (error) => logger.error({ err: error }, 'a batch of orders is not done yet'),
      });
      nudge = worker.nudge;
      closing.unshift(() => worker.stop());
    }

    const { server, drain } = createHttpServer();
    let baseUrl = config.baseUrl ?? '';
    const address = () => baseUrl;
    const idempotency = createIdempotency(pool, engines.vault);
    const tokens = createTokens(pool);
    const logins = createLogins(pool, engines.emailIndex);
    const limit = createRateLimit(config.rateLimit);
    const invoke = createInvoke({ limit, idempotency, progress, log, now, reserveIds: ids.reserve });
    const reader = createTimelineReader({ queries, keyRing, now, baseUrl: address });
    const orderQueries = createOrderQueries({ database, keyRing });
    const approvalQueries = createApprovalQueries({ database, keyRing, now });
    const queue = approvals({
      handle: commands.approvals,
      queries: approvalQueries,
      accounts,
      log,
      progress,
      now,
      around: () => ({
        invoke,
        operation: (name) => byName.get(name),
        proposable: (tool) => catalogue.find('operations', tool) ?? catalogue.find('developer', tool),
      }),
    });
    const guidance = agents({ baseUrl: address, version: VERSION, now, operations: () => operations, graphql: true });
    const audit = createAuditReader({
      queries: createAuditQueries(database),
      log,
      keyRing,
      types: EVENT_TYPES,
      areas: AREAS,
      projections: PROJECTIONS,
    });
    const operations: Operation[] = createOperations({
      agents: guidance.operations,
      approvals: queue.operations,
      commands,
      accounts,
      logins,
      tokens,
      reader,
      audit,
      erasure,
      auditProofs: { pool, log, proofs: createAuditProofs({ pool, log }) },
      capture,
      captures,
      webhooks,
      formats,
      now,
      assignments: createAssignmentQueries({ pool, keyRing }),
      dispatch: {
        orders: orderQueries,
        routes: createRouteQueries(database),
        planning: createPlanningQueries(database),
        providers,
      },
      orders: {
        queries: orderQueries,
        history: createOrderHistory({ log, types: EVENT_TYPES, keyRing }),
        place,
        batches: createBatches(batchStore, () => nudge()),
      },
      epcis: { find: createEpcisQueries(database), trackings: queries, keyRing },
      baseUrl: address,
      countEvents: metrics.countEvents,
    });
    const oauth = createOAuth({
      pool,
      engines,
      logins,
      accounts,
      limit,
      baseUrl: address,
      trustProxy: config.trustProxy !== false,
      fetch: createPublicFetch({ allowPrivate: config.webhooks.allowPrivate }),
    });
    const document = () => openApi({ operations, baseUrl });
    const pages = createPages({
      ready: () => readiness({ log, pool: projectionPool, now }),
      registry: metrics.registry,
      openApi: document,
      asyncApi: asyncApi({ areas: AREAS, prefix: config.kafka.topicPrefix, mode: config.kafka.mode }),
    });
    const authenticate = createAuthenticate(providers, accounts, oauth.callerOf);
    const byName = new Map(operations.map((operation) => [operation.name, operation]));
    const graphql = createGraphQL({
      operations,
      authenticate,
      limit,
      invoke,
      reader,
      log,
      progress,
      explorer: !config.production,
      logger,
    });
    const catalogue = createCatalogue({ operations, more: [graphqlTool(createRunGraphQL(graphql.schema, logger))] });
    const mcp = createMcpView({
      catalogue,
      invoke,
      queue: queue.queue,
      authenticate,
      rateLimit: config.rateLimit,
      now,
      baseUrl: address,
      version: VERSION,
      logger,
    });
    closing.unshift(() => mcp.close());
    if (config.roles.includes('projector')) {
      const onError = (error: unknown, proposal?: string) =>
        logger.error({ proposal, err: error }, 'a proposal is not carried out yet');
      const finishing = startRepair({
        unfinished: (millis) => approvalQueries.unfinished(new Date(millis).toISOString(), REPAIRED_AT_ONCE),
        finish: queue.deciding.finish,
        now,
        onError,
      });
      const expiring = startRepair({
        unfinished: () => approvalQueries.overdue(REPAIRED_AT_ONCE),
        finish: queue.deciding.expire,
        now,
        every: EXPIRY_MS,
        onError,
      });
      closing.unshift(
        () => finishing.stop(),
        () => expiring.stop(),
      );
    }
    server.on(
      'request',
      tracing.requests(
        createApp({
          operations: config.roles.includes('api') ? operations : [],
          pages,
          trustProxy: config.trustProxy,
          logger,
          observe: metrics.observeRequest,
          views: config.roles.includes('api')
            ? [
                oauth.router,
                approvalsPage(),
                mcp.router,
                graphql.router,
                discoveryRouter({
                  catalogue,
                  openApi: document,
                  graphql: () => graphqlDocument(graphql.schema, catalogue),
                  skill: guidance.skill,
                  baseUrl: address,
                  version: VERSION,
                }),
              ]
            : [],
          authenticate,
          limit,
          invoke,
          baseUrl: address,
        }),
      ),
    );
    const sweep = setInterval(
      () =>
        void Promise.all(
          [idempotency, ids, tokens, logins, oauth, webhooks, batchStore].map((table) => table.sweep()),
        ).catch((error: unknown) => logger.warn({ err: error }, 'old keys and sessions stay')),
      SWEEP_MS,
    ).unref();
    closing.unshift(async () => clearInterval(sweep));

    server.listen(config.port, config.host);
    await once(server, 'listening');
    baseUrl ||= `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${(server.address() as AddressInfo).port}`;
    closing.unshift(async () => graphql.stop(), drain);
    if (config.kafka.brokers.length > 0)
      closing.unshift(
        startKafka({
          config: config.kafka,
          roles: config.roles,
          engines,
          around: tracing.around,
          operations,
          providers,
          baseUrl: address,
          registry: metrics.registry,
          logger,
          now,
        }),
      );
    return {
      baseUrl,
      engines,
      commands,
      progress,
      stop: () => closeAll([...closing, () => tracing.stop(), () => engines.close()]),
    };
  } catch (error) {
    await closeAll([...closing, () => tracing.stop(), () => engines.close()]);
    throw error;
  }
}

async function closeAll(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) await inTime(step(), STEP_MS);
}
