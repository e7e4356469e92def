/** The composition root: wires engines, commands, projections and interfaces by the roles of this process. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { createAuthenticate } from './api/authenticate.js';
import { readiness } from './api/health.js';
import { asyncApi } from './api/kafka/asyncapi.js';
import { createMetrics } from './api/metrics.js';
import { openApi } from './api/openapi.js';
import { createOperations } from './api/operations/operations.js';
import { createTimelineReader } from './api/otep/timelines.js';
import { createPages } from './api/pages/pages.js';
import { createApp } from './api/rest/app.js';
import { createIdempotency } from './api/rest/idempotency.js';
import { createRateLimit } from './api/rest/rate-limit.js';
import { AREAS, EVENT_TYPES, PROJECTIONS } from './areas.js';
import { readCapture } from './api/epcis/read.js';
import { createCapture } from './commands/capture.js';
import { createCommands, type Commands } from './commands/commands.js';
import { startRepair } from './commands/repair.js';
import type { Config } from './config.js';
import { startKafka } from './kafka.js';
import { inTime } from './engines/in-time.js';
import { openEngines, type Engines } from './engines/open.js';
import { releaseAll } from './projections/checkpoints.js';
import { createCaptureQueries } from './projections/capture-queries.js';
import { createDatabase } from './projections/database.js';
import { createEpcisQueries } from './projections/epcis-queries.js';
import { lagOf } from './projections/lag.js';
import { Progress } from './projections/progress.js';
import { createProviderQueries } from './projections/provider-queries.js';
import { prepareProjections } from './projections/rebuild.js';
import { startRunner } from './projections/runner.js';
import { createDirectory } from './projections/directory.js';
import { createTrackingQueries } from './projections/tracking-queries.js';
import type { Format } from './serializers/format.js';
import { FORMATS } from './serializers/index.js';
import { startTracing } from './tracing/tracing.js';

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

const REPAIRED_AT_ONCE = 100;
const SWEEP_MS = 3_600_000;
/** Requests that take longer than this after a stop was asked for are cut off. */
const DRAIN_MS = 5_000;
/** So long each step of a stop may take; leases that are not given back then run out by themselves. */
const STEP_MS = 6_000;

export async function startService({ config, logger, now = Date.now, formats = FORMATS }: ServiceOptions): Promise<Service> {
  const tracing = await startTracing(config.otlpEndpoint);
  const opened = await openEngines({ ...config, onDatabaseLine: (line) => logger.debug({ database: line }) });
  const engines = { ...opened, log: tracing.log(opened.log) };
  const { log, pool, projectionPool, keyRing } = engines;
  const closing: (() => Promise<unknown>)[] = [];
  try {
    await prepareProjections(PROJECTIONS, {
      log, pool: projectionPool, types: EVENT_TYPES,
      onProgress: (events) => logger.info({ events }, 'rebuilding a read model'),
    });
    const progress = new Progress(projectionPool);
    const metrics = createMetrics({
      progress, projections: PROJECTIONS.map(({ name }) => name),
      lag: (name) => lagOf(PROJECTIONS.find((projection) => projection.name === name)!, { log, pool: projectionPool, now }),
    });
    const queries = createTrackingQueries(pool);
    const providers = createProviderQueries(pool);
    const database = createDatabase(pool);
    const captures = createCaptureQueries({ database, keyRing, log, progress });
    const commands = createCommands({ log, types: EVENT_TYPES, keyRing, now, traceparent: tracing.traceparent, directory: createDirectory({ queries, log, progress }) });
    const capture = createCapture({ handle: commands.captures, ingest: commands.ingest, log, types: EVENT_TYPES, keyRing, directory: captures, read: readCapture });

    if (config.roles.includes('projector')) {
      if (engines.embedded) await releaseAll(projectionPool);
      const runner = startRunner({
        log, pool: projectionPool, types: EVENT_TYPES, projections: PROJECTIONS, owner: engines.processId, progress, around: tracing.around,
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
        unfinished: (millis) => captures.unfinished(new Date(millis).toISOString(), REPAIRED_AT_ONCE), finish: capture.resume, now,
        onError: (error, id) => logger.error({ capture: id, err: error }, 'a capture is not finished yet'),
      });
      closing.unshift(() => runner.stop(), () => repair.stop());
    }

    const server = createServer();
    let baseUrl = config.baseUrl ?? '';
    const address = () => baseUrl;
    const idempotency = createIdempotency(pool, engines.vault);
    const reader = createTimelineReader({ queries, keyRing, now, baseUrl: address });
    const operations = createOperations({ commands, reader, capture, captures, epcis: { find: createEpcisQueries(database), trackings: queries, keyRing }, formats, now, baseUrl: address, countEvents: metrics.countEvents });
    const document = () => openApi({ operations, baseUrl });
    const pages = createPages({ ready: () => readiness({ log, pool: projectionPool, now }), registry: metrics.registry, openApi: document, asyncApi: asyncApi({ areas: AREAS, prefix: config.kafka.topicPrefix, mode: config.kafka.mode }) });
    server.on('request', tracing.requests(createApp({
      operations: config.roles.includes('api') ? operations : [],
      pages, trustProxy: config.trustProxy, logger, observe: metrics.observeRequest,
      authenticate: createAuthenticate(providers),
      limit: createRateLimit(config.rateLimit), idempotency, progress, log, now, baseUrl: address,
    })));
    const sweep = setInterval(() => void idempotency.sweep().catch((error: unknown) => logger.warn({ err: error }, 'old idempotency keys stay')), SWEEP_MS).unref();
    closing.unshift(async () => clearInterval(sweep));

    server.listen(config.port, config.host);
    await once(server, 'listening');
    baseUrl ||= `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${(server.address() as AddressInfo).port}`;
    closing.unshift(() => drain(server));
    if (config.kafka.brokers.length > 0) closing.unshift(startKafka({ config: config.kafka, roles: config.roles, engines, around: tracing.around, operations, providers, baseUrl: address, registry: metrics.registry, logger, now }));
    return { baseUrl, engines, commands, progress, stop: () => closeAll([...closing, () => tracing.stop(), () => engines.close()]) };
  } catch (error) {
    await closeAll([...closing, () => tracing.stop(), () => engines.close()]);
    throw error;
  }
}

async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(cut);
}

async function closeAll(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) await inTime(step(), STEP_MS);
}
