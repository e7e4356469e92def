/** Starts and stops a process of the service: engines, shared dependencies and the configured roles. */
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Operation } from '../api/core/operation.js';
import type { Parts } from '../api/core/parts.js';
import type { Catalogue } from '../api/mcp/catalogue.js';
import { createHttpServer } from '../api/rest/http-server.js';
import { createRateLimit } from '../api/core/rate-limit.js';
import { AREAS, REGISTRY } from '../areas/index.js';
import { createRegistry } from '../areas/registry.js';
import type { Area, Stop } from '../areas/area.js';
import { privacy } from '../areas/privacy.js';
import { providers } from '../areas/providers.js';
import { repeatErasures } from '../areas/wiring/erasure.js';
import type { Commands } from '../commands/commands.js';
import { keys } from '../commands/keys/decider.js';
import { recordKeys } from '../commands/keys/record-keys.js';
import type { Config } from '../config.js';
import { waitAtMost } from '../engines/timeouts.js';
import { openEngines, type Engines } from '../engines/open.js';
import { packageVersion } from '../engines/package-root.js';
import { fingerprintsOf } from '../engines/postgres/known-keys.js';
import { createSharedCounts } from '../engines/postgres/shared-counts.js';
import type { Progress } from '../projections/core/progress.js';
import { prepareProjections } from '../projections/rebuild/rebuild.js';
import type { Format } from '../serializers/format.js';
import { FORMATS } from '../serializers/index.js';
import { startTracing } from '../tracing/tracing.js';
import { createApi, type Api } from './api.js';
import { createAreaContext, type ProcessContext } from './areas.js';
import { raiseSequences } from './id-sequences.js';
import { startProjector } from './projector.js';

export interface Service {
  readonly baseUrl: string;
  readonly engines: Engines;
  readonly commands: Commands;
  readonly progress: Progress;
  /** Stops accepting requests, finishes open requests, releases the leases and closes the engines. */
  stop(): Promise<void>;
}

/** A service that accepts requests. */
export type RunningService = Omit<Service, 'stop'>;

export interface ServiceOptions extends Parts<'logger'> {
  readonly config: Config;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The timeline formats; the first one is the default. */
  readonly formats?: readonly Format[];
  /** Areas in addition to the areas of the product. */
  readonly additionalAreas?: readonly Area<never>[];
  /** Runs after the server has started to listen. Until it resolves, the service reports that it is not ready. */
  readonly prepare?: (service: RunningService) => Promise<unknown>;
}

const SWEEP_MS = 3_600_000;
/**
 * Length of the queue of unaccepted connections. If the queue is full, the operating system drops connections and
 * clients retry after one, three and seven seconds. Node's default of 511 is too small: a single client can open more
 * at the same time.
 */
const CONNECTION_BACKLOG = 4_096;
/** Timeout of each step of a stop. Leases that are not released then expire on their own. */
const STOP_STEP_TIMEOUT_MS = 6_000;

export async function startService({
  config,
  logger,
  now = Date.now,
  formats = FORMATS,
  additionalAreas = [],
  prepare,
}: ServiceOptions): Promise<Service> {
  const registry = additionalAreas.length > 0 ? createRegistry([...AREAS, ...additionalAreas]) : REGISTRY;
  const { areas, types, projections } = registry;
  const tracing = await startTracing(config.otlpEndpoint);
  const openedEngines = await openEngines({
    ...config,
    onDatabaseLine: (line) => logger.debug({ database: line }),
    onDatabaseTrouble: (line) => logger.error(line),
    onLogUnavailable: (error) =>
      logger.error({ err: error }, 'EventStoreDB does not respond; the service waits for it'),
  });
  const engines = { ...openedEngines, log: tracing.log(openedEngines.log) };
  // Stopped in reverse order of starting.
  const stops: Stop[] = [() => tracing.stop(), () => engines.close()].reverse();
  const stop = async (): Promise<void> => {
    for (const step of stops.splice(0).reverse()) await waitAtMost(step(), STOP_STEP_TIMEOUT_MS);
  };
  try {
    await prepareProjections(projections, {
      log: engines.log,
      pool: engines.projectionPool,
      types,
      onProgress: (events) => logger.info({ events }, 'rebuilding a read model'),
    });
    let baseUrl = config.baseUrl ?? '';
    // Tools are created from operations, but one operation needs the tools; therefore they are set later.
    const deferred: { catalogue?: Catalogue } = {};
    const counts = createSharedCounts(engines.pool);
    stops.push(() => counts.close());
    const limit = createRateLimit(config.rateLimit, counts);
    const context = createAreaContext({
      config,
      engines,
      logger,
      now,
      formats,
      tracing,
      registry,
      limit,
      counts,
      baseUrl: () => baseUrl,
      tool: (name) => deferred.catalogue?.find('operations', name) ?? deferred.catalogue?.find('developer', name),
      proposableTools: (caller) => deferred.catalogue?.proposable(caller).map(({ name }) => name) ?? [],
    });
    if (engines.logEngine === 'eventstore')
      await recordKeys(
        context.handle(keys),
        fingerprintsOf({ master: engines.masterKey, signing: engines.signingKey }),
      );
    stops.push(await raiseAllSequences(context));
    await repeatErasures(engines, context.of(privacy));
    for (const area of areas) if (area.close) stops.push(async () => area.close!(context.of(area)));

    let isPrepared = prepare === undefined;
    const api = createApi(context, limit, () => isPrepared);
    deferred.catalogue = api.catalogue;
    stops.push(api.close);
    if (config.roles.includes('projector')) stops.push(...[...(await startProjector(context, tracing))].reverse());
    if (config.roles.includes('worker'))
      stops.push(...areas.flatMap((area) => area.longWork?.(context.of(area), context) ?? []));
    stops.push(startSweeping(context, api));

    const { server, drain } = createHttpServer();
    server.on('request', tracing.requests(api.listener));
    server.listen({ port: config.port, host: config.host, backlog: CONNECTION_BACKLOG });
    await once(server, 'listening');
    const listening = addressOf(config.host, server.address() as AddressInfo);
    baseUrl ||= listening;
    logger.info(
      {
        version: packageVersion,
        node: process.version,
        roles: config.roles,
        database: engines.embedded ? 'embedded PostgreSQL' : 'PostgreSQL',
        log: engines.logEngine,
        kafka: config.kafka.brokers.length > 0,
        listening,
        baseUrl,
      },
      'started',
    );
    stops.push(drain, api.stopStreams);
    if (config.kafka.brokers.length > 0) stops.push(await startKafkaOf(context, tracing, context.operations()));
    const service = { baseUrl, engines, commands: context.commands, progress: context.progress };
    await prepare?.(service);
    isPrepared = true;
    return { ...service, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const raiseAllSequences = ({
  ids,
  registry: { areas },
  engines: { pool, log },
  progress,
  logger,
}: ProcessContext): Promise<Stop> =>
  raiseSequences({
    sequences: areas.flatMap(({ sequences }) => sequences),
    ids,
    pool,
    log,
    progress,
    onError: (error) => logger.error({ err: error }, 'sequences of ids may be behind'),
  });

/** Deletes expired data every hour. */
function startSweeping(context: ProcessContext, api: Api): Stop {
  const sweepAll = () =>
    Promise.all([
      context.idempotency.sweep(),
      context.ids.sweep(),
      api.sweep(),
      ...context.registry.areas.map((area) => area.sweep?.(context.of(area))),
    ]);
  const timer = setInterval(
    () =>
      void sweepAll().catch((error: unknown) =>
        context.logger.warn({ err: error }, 'expired keys and sessions were not deleted'),
      ),
    SWEEP_MS,
  ).unref();
  return async () => clearInterval(timer);
}

/** Loads the Kafka client only in processes that use Kafka. */
const startKafkaOf = async (
  { config, engines, registry, of, invoke, baseUrl, metrics, logger, now }: ProcessContext,
  { wrap }: Pick<Awaited<ReturnType<typeof startTracing>>, 'wrap'>,
  operations: readonly Operation[],
): Promise<Stop> =>
  (await import('./kafka.js')).startKafka({
    config: config.kafka,
    roles: config.roles,
    streams: registry.streams,
    engines,
    wrap,
    operations,
    invoke,
    providers: of(providers).queries,
    baseUrl,
    registry: metrics.registry,
    logger,
    now,
  });

const addressOf = (host: string, { port }: AddressInfo): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
